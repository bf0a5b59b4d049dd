// A screen of one's own: blocks of any systems, in columns, page after page; and what is kept in a pack.

import { button, h, show } from "./dom.js";
import { address, choice, contents, failed, go, later, link, packForm, plural, post, remembered, shelf } from "./studio-base.js";
import { desk } from "./studio-desk.js";

const PAUSE = 300;
const MOST_PAGES = 8;
const newPage = (number) => ({ title: number > 1 ? `Page ${number}` : "Our screen", columns: 2, blocks: [] });
let pages = remembered("screen") ?? [newPage(1)];

// Put a block on the last page, and go there.
export function compose(block) {
  pages.at(-1).blocks.push(block);
  remembered("screen", pages);
  go("compose");
}

// A form that keeps a mixed sheet or a screen in a pack: one on the shelf, or a new one.
export const keepForm = (wished) => packForm("keep", "Save", async (pack, ask, replace = false) => {
  try {
    const kept = await post("keep", { wish: wished(), pack, replace });
    return ["Saved to ", h("a", { href: link(kept.pack) }, kept.title), "."];
  } catch (error) {
    if (!error.message.includes("already has")) throw error;
    return [failed(error), button("Replace it", () => ask(true), { data: { key: "replace" } })];
  }
}, h("h2", {}, "Save to a pack"), h("p", "empty", "Choose a pack of yours, or name a new one."));

export async function composePage() {
  // Each system's blocks appear as soon as it is read, in the order of the shelf; null until then.
  const names = await shelf();
  const read = names.map(() => null);
  let waiting = names.length;
  const list = h("div", "laid");
  const out = h("div", "composed");
  let table = null;
  const orders = [];
  let at = pages.length - 1;

  const titleOf = ({ from, panel, takes, title, text }) => {
    if (!from) return [title || text[0]?.slice(0, 60) || "Your own words", ""];
    const [system, product] = from.split("/");
    const told = read.find((each) => each?.id === system);
    const blocks = product === "tables" ? told?.whole_tables : told?.panels.find((each) => each.product === product && each.panel === panel)?.blocks;
    return [blocks?.find((each) => each.takes === takes)?.title ?? String(takes), told?.title ?? system];
  };

  function changed(repaint = true) {
    remembered("screen", pages);
    if (repaint) paintList();
    reprint(PAUSE);
  }
  // A block of one's own words is printed as soon as there are any.
  const printable = () => pages.map((page) => ({ ...page, blocks: page.blocks.filter(({ from, text }) => from || text.length) })).filter(({ blocks }) => blocks.length);
  const reprint = later(print);
  function print() {
    const filled = printable();
    if (!filled.length) {
      table = null;
      return show(out);
    }
    const wish = { system: filled.flatMap(({ blocks }) => blocks).find(({ from }) => from)?.from.split("/")[0] ?? names[0], product: "screen", panels: filled, title: pages[0].title };
    orders.splice(0, orders.length, { ...wish, called: wish.title });
    if (table) return table.dispatchEvent(new Event("reprint"));
    table = desk("composed", orders, { beside: keepForm(() => ({ ...wish, panels: printable(), title: pages[0].title })), folded: true });
    show(out, table);
  }

  // A block as it prints, small: printed once for each that is chosen.
  const looks = new Map();
  function lookOf(block) {
    const wanted = JSON.stringify({ ...block, wide: undefined, column: undefined });
    if (!looks.has(wanted)) looks.set(wanted, post("print", { system: block.from?.split("/")[0] ?? names[0], product: "screen", panels: [{ title: " ", columns: 1, blocks: [JSON.parse(wanted)] }], title: "Block" }));
    const image = h("img", { alt: "", class: "block-look", hidden: true, onload: () => (image.hidden = false) });
    looks.get(wanted).then(({ job }) => (image.src = address("page", { job, page: 0 }))).catch(() => looks.delete(wanted));
    return image;
  }

  function paintList() {
    show(list, pages.map((page, number) => pageBox(page, number)),
      h("div", "acts",
        pages.length < MOST_PAGES ? button("Another page", () => { pages.push(newPage(pages.length + 1)); at = pages.length - 1; changed(); }, { class: "quiet", data: { key: "page-new" } }) : null,
        button("Your own words", () => { pages[at].blocks.push({ block: "text", text: [] }); changed(); list.querySelector(`[data-key="own-text-${at}-${pages[at].blocks.length - 1}"]`)?.focus(); }, { class: "quiet", data: { key: "own-words" } }),
        pages.some(({ blocks }) => blocks.length) ? button("Start over", () => { pages = [newPage(1)]; at = 0; changed(); }, { class: "quiet", data: { key: "page-anew" } }) : null));
  }
  function pageBox(page, number) {
    const columns = choice({ "aria-label": `Columns of page ${number + 1}`, name: `columns-${number}`, data: { key: `columns-${number}` } }, [1, 2, 3, 4].map((count) => [count, plural(count, "column")]), page.columns, (count) => { page.columns = Number(count); changed(); });
    const title = h("input", { value: page.title, maxlength: 80, "aria-label": `Title of page ${number + 1}`, name: `title-${number}`, data: { key: `title-${number}` }, oninput: () => { page.title = title.value.trim() || newPage(number + 1).title; changed(false); } });
    // A block that is dragged to another takes its place; elsewhere on the page it is the last.
    const drop = (event) => {
      const [from, which] = event.dataTransfer.getData("text/block").split("-").map(Number);
      if (!pages[from]?.blocks[which]) return;
      const line = event.target.closest("li");
      const place = line ? [...line.parentElement.children].indexOf(line) : page.blocks.length;
      page.blocks.splice(place, 0, ...pages[from].blocks.splice(which, 1));
      changed();
    };
    return h("section", { class: `sheet-of ${number === at ? "here" : ""}`, "aria-label": `Page ${number + 1}`, ondragover: (event) => event.dataTransfer.types.includes("text/block") && event.preventDefault(), ondrop: drop, onclick: () => { if (at !== number) { at = number; paintList(); } } },
      h("div", "sheet-head", title, columns,
        pages.length > 1 ? button("Remove", () => { pages.splice(number, 1); at = Math.min(at, pages.length - 1); changed(); }, { class: "quiet", "aria-label": `Remove page ${number + 1}` }) : null),
      page.blocks.length ? h("ol", {}, page.blocks.map((block, place) => blockLine(page, number, block, place))) : h("p", "empty", "Choose blocks of any systems with +."));
  }
  function blockLine(page, number, block, place) {
    const [title, system] = titleOf(block);
    const key = `${number}-${place}`;
    const move = (by) => { page.blocks.splice(place + by, 0, ...page.blocks.splice(place, 1)); changed(); };
    const tick = (name, label) => h("label", "tick", h("input", { type: "checkbox", checked: block[name], data: { key: `${name}-${key}` }, onchange: (event) => { if (event.target.checked) block[name] = true; else delete block[name]; changed(); } }), label);
    const own = block.from ? null : h("span", "own-words",
      h("input", { value: block.title ?? "", maxlength: 80, placeholder: "Title", "aria-label": "Title of your own words", data: { key: `own-title-${key}` }, oninput: (event) => { if (event.target.value.trim()) block.title = event.target.value.trim(); else delete block.title; changed(false); } }),
      h("textarea", { rows: 3, maxlength: 1500, placeholder: "A paragraph on each line", "aria-label": "Your own words", value: block.text.join("\n"), data: { key: `own-text-${key}` }, oninput: (event) => { block.text = event.target.value.split("\n").map((line) => line.trim()).filter(Boolean); changed(false); } }));
    return h("li", { draggable: String(!own), data: { block: title }, ondragstart: (event) => { if (event.target.matches?.("li")) event.dataTransfer.setData("text/block", key); }, onkeydown: (event) => {
      const by = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (by && page.blocks[place + by]) move(by);
    } }, own || block.text?.length === 0 ? null : lookOf(block), h("span", "of", h("b", {}, title), h("small", {}, ` ${system}`)), own,
      h("span", "moves",
        button("↑", () => move(-1), { "aria-label": `${title}: earlier`, disabled: !place, data: { key: `up-${key}` } }),
        button("↓", () => move(1), { "aria-label": `${title}: later`, disabled: place === page.blocks.length - 1, data: { key: `down-${key}` } }),
        button("×", () => { page.blocks.splice(place, 1); changed(); }, { "aria-label": `${title}: take it off`, data: { key: `off-${key}` } })),
      page.columns > 1 ? h("span", "ticks", tick("wide", "across all columns"), place ? tick("column", "begins a column") : null) : null);
  }

  // All that may be chosen: the blocks of each panel, and tables that may stand on none.
  const words = h("input", { type: "search", name: "blocks", placeholder: "Filter: conditions, odds, madness …", "aria-label": "Filter the blocks", oninput: () => paintBlocks() });
  const chooser = h("div", "chooser");
  function paintBlocks(opened = []) {
    const typed = words.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (...texts) => typed.every((word) => texts.join(" ").toLowerCase().includes(word));
    const add = (told, from, panel, block) => {
      const taken = { block: "taken", from, ...(panel === null ? {} : { panel }), takes: block.takes };
      return h("li", {}, h("span", {}, block.title), button("+", () => { pages[at].blocks.push({ ...taken, ...(block.wide ? { wide: true } : {}) }); changed(); }, { "aria-label": `Put ${block.title} of ${told.title} on the page`, data: { key: `put-${from}-${panel}-${block.takes}` } }));
    };
    show(chooser, read.filter(Boolean).map((told) => {
      const groups = [...told.panels.map((panel) => [panel.title, `${told.id}/${panel.product}`, panel.panel, panel.blocks]), ["Tables", `${told.id}/tables`, null, told.whole_tables]]
        .map(([title, from, panel, blocks]) => [title, from, panel, blocks.filter((block) => fits(told.title, title, block.title))])
        .filter(([, , , blocks]) => blocks.length);
      return groups.length ? h("details", { open: typed.length > 0 || opened.includes(told.id), data: { from: told.id } }, h("summary", {}, told.title), groups.map(([title, from, panel, blocks]) => [h("h3", {}, title, h("small", {}, ` ${from.split("/")[1].replaceAll("_", " ")}`)), h("ul", {}, blocks.map((block) => add(told, from, panel, block)))])) : null;
    }), waiting ? h("p", "empty", "Reading more systems …") : null);
  }
  names.forEach(async (name, place) => {
    const told = await contents(name).catch(() => null);
    if (told && !told.faults) read[place] = told;
    waiting -= 1;
    paintBlocks([...chooser.querySelectorAll("details[open]")].map((each) => each.dataset.from));
    if (pages.some(({ blocks }) => blocks.some(({ from }) => from?.startsWith(`${told?.id}/`)))) paintList();
  });
  paintBlocks();
  paintList();
  print();
  return [
    h("h1", {}, "A screen of your own"),
    h("p", "lead", "Put blocks of any systems side by side: rules, tables, conditions and odds, each as its own system has it."),
    h("div", "compose", h("section", { "aria-label": "Blocks" }, h("h2", {}, "Blocks"), words, chooser), h("section", { "aria-label": "Your pages" }, h("h2", {}, "Your pages"), list), out),
  ];
}
