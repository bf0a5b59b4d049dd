// The print desk: what to print and how at the left, the pages as the PDF has them, and what to do with them.

import { button, capital, h, show, stepper } from "./dom.js";
import { address, cardPicture, choice, contents, failed, forget, go, labelled, later, latest, link, main, named, plural, post, remembered, send, ticked, trying } from "./studio-base.js";
import { pageButton } from "./studio-look.js";
import { keepForm } from "./studio-compose.js";
import { rulesOf, rulesSay } from "./studio-rules.js";
import { emptyTray, put, wishes as trayWishes } from "./studio-tray.js";

const MOST_PAGES = 60;
const PAUSE = 300;
// What is chosen by looking; all else is under "More".
const FIRST = ["theme", "ink", "paper", "card", "target"];
// What was chosen on each desk, until the page is left.
const choices = new Map();

// A PDF that Hackjack printed: its pack goes on the shelf, and its print on the desk as it was.
export async function openPdf(file) {
  show(main, h("p", { class: "wait", role: "status" }, `Opening ${file.name} …`));
  await trying(main, async () => {
    const { system, product, options, rules, counts } = await send("open_pdf", file);
    forget();
    Object.assign(rulesOf(system), rules);
    const cards = Object.entries(counts);
    for (const [code, count] of cards) put(system, `${product}/${code}`, count);
    choices.set(cards.length ? "tray" : `${system}/${product}`, options);
    go(...(cards.length ? ["tray"] : [system, "print", product, Object.keys(rules).length ? "rules" : ""]));
  });
}

export async function deskPage(system, product, ruled) {
  const told = await contents(system);
  const rules = ruled ? rulesOf(system) : {};
  const more = ruled ? ["rules"] : [];
  const others = [...(told.starter ? ["starter"] : []), ...told.products.map((each) => each.name)];
  return [
    h("h1", {}, product === "starter" ? "A first evening" : named(product)),
    h("p", "lead", `${told.title}. `, product === "starter" ? "Everything that a table needs to begin, in one file. " : "", ruled ? [`With your house rules: ${rulesSay(rules)}. `, h("a", { href: link(system, "print", product) }, "Print without them")] : null),
    h("nav", { class: "choose", "aria-label": "Products" }, others.map((each) => h("a", { href: link(system, "print", each, ...more), ...(each === product ? { "aria-current": "page" } : {}) }, named(each)))),
    desk(`${system}/${product}`, [{ system, product, rules, title: named(product) }]),
  ];
}

export async function trayPage() {
  const chosen = trayWishes();
  if (!chosen.length) return [h("h1", {}, "The tray is empty"), h("p", "lead", "Look at a system, and put cards into the tray with +.")];
  const titles = new Map();
  const said = ({ system, product, counts }) => {
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return `${titles.get(system).title}, ${product.replaceAll("-", " ")}${count ? `: ${plural(count, "card")}` : ""}`;
  };
  for (const { system } of chosen) titles.set(system, await contents(system));
  const orders = [];
  // One sheet for all cards, or a deck after the other. What is no card is printed by itself in any case.
  const order = (now) => {
    const cards = now.filter(({ counts }) => Object.keys(counts).length).flatMap((wish) => Object.entries(wish.counts).map(([card, copies]) => ({ from: `${wish.system}/${wish.product}`, card, copies })));
    const whole = now.filter(({ counts }) => !Object.keys(counts).length);
    const apart = now.map((wish) => ({ ...wish, title: said(wish) }));
    const sum = cards.reduce((so, { copies }) => so + copies, 0);
    const mixed = { system: now[0].system, product: "mixed", cards, title: `All ${plural(sum, "card")} together` };
    const decks = new Set(now.filter(({ counts }) => Object.keys(counts).length).map(({ system, product }) => `${system}/${product}`)).size;
    orders.splice(0, orders.length, ...((remembered("together") ?? true) && decks > 1 ? [mixed, ...whole.map((wish) => ({ ...wish, title: said(wish) }))] : apart));
  };
  order(chosen);
  const keeping = keepForm(() => asked(orders.find(({ product }) => product === "mixed")));
  const isMixed = () => orders.some(({ product }) => product === "mixed");
  keeping.hidden = !isMixed();
  const table = desk("tray", orders, { beside: keeping });
  // Another number of a card is another print, of the same desk.
  const recount = () => {
    const now = trayWishes();
    if (!now.length) return go();
    order(now);
    keeping.hidden = !isMixed();
    table.dispatchEvent(new Event("reprint"));
  };
  const line = (wish, code) => {
    const item = titles.get(wish.system).products.flatMap((product) => product.items).find((each) => each.id === `${wish.product}/${code}`);
    const title = item?.title ?? code;
    return h("li", {}, h("span", {}, title), stepper(`${title} in the tray`, wish.counts[code], (value) => { put(wish.system, `${wish.product}/${code}`, Number(value) || 0); recount(); }, 0));
  };
  const several = new Set(chosen.filter(({ counts }) => Object.keys(counts).length).map(({ system, product }) => `${system}/${product}`)).size > 1;
  const way = (value, label) => h("label", {}, h("input", { type: "radio", name: "together", checked: (remembered("together") ?? true) === value, data: { key: `together-${value}` }, onchange: () => { remembered("together", value); recount(); } }), h("span", {}, label));
  return [
    h("h1", {}, "The tray"),
    h("p", "lead", "The cards and pages that you have chosen. Each card has the back of its own deck."),
    several ? h("div", { class: "segments ways", role: "radiogroup", "aria-label": "Sheets" }, way(true, "All cards on the same sheets"), way(false, "One deck after the other")) : null,
    h("details", "chosen", h("summary", {}, "Cards and copies"),
      chosen.map((wish) => [h("h3", {}, titles.get(wish.system).title, h("small", {}, ` ${wish.product.replaceAll("-", " ")}`)), h("ul", {}, Object.keys(wish.counts).map((code) => line(wish, code)))]),
      button("Empty the tray", () => { emptyTray(); go(); }, { class: "quiet", data: { key: "empty-here" } })),
    table,
  ];
}

export function desk(name, wishes, { beside = null, folded = false } = {}) {
  const chosen = choices.get(name) ?? choices.set(name, {}).get(name);
  const form = h("form", { class: "options", onsubmit: (event) => event.preventDefault() });
  const how = h("details", { class: "how", open: !folded && matchMedia("(min-width: 48rem)").matches }, h("summary", {}, "How to print it"), form);
  const pages = h("div", "paper");
  const state = h("p", { class: "state", role: "status" });
  const margin = h("div", "taking-away");
  const supported = new Map();
  const newest = latest();

  // A card of the deck that is printed, to show the themes by.
  let samples = null;
  async function controls() {
    if (wishes.length === 1 && !samples) {
      const { products = [] } = await contents(wishes[0].system);
      const items = (products.find(({ name, cards }) => cards && name === wishes[0].product) ?? products.find(({ cards }) => cards))?.items.filter(({ drawn }) => drawn) ?? [];
      if (items.length) samples = { system: wishes[0].system, item: items[Math.floor(items.length / 4)] };
    }
    const target = chosen.target || "home";
    const all = await Promise.all(wishes.map((wish) => post("controls", { ...asked(wish), options: { target } })));
    const known = new Map();
    wishes.forEach((wish, at) => {
      supported.set(wish, new Set(all[at].map((control) => control.name)));
      for (const control of all[at]) if (!known.has(control.name)) known.set(control.name, wishes.length > 1 && control.name === "theme" ? { ...control, usual: "", values: [["", "each its own"], ...control.values] } : control);
    });
    for (const option of Object.keys(chosen)) if (!known.has(option)) delete chosen[option];
    const rest = [...known.values()].filter(({ name }) => !FIRST.includes(name));
    const open = form.querySelector("details")?.open ?? rest.some((control) => control.name in chosen);
    show(form, FIRST.filter((option) => known.has(option)).map((option) => field(known.get(option))),
      rest.length ? h("details", { open }, h("summary", { data: { key: "more" } }, "More"), rest.map((control) => field(control))) : null,
      h("p", "empty", "Your choices stay until you reload the page. ", button("Reset", () => { for (const option of Object.keys(chosen)) delete chosen[option]; again(0, true); }, { class: "quiet", data: { key: "reset" } })));
  }

  function changed(control, value) {
    if (value === "" || value === control.usual) delete chosen[control.name];
    else chosen[control.name] = value;
    again(["one", "tick"].includes(control.kind) ? 0 : PAUSE, control.name === "target");
  }

  function field(control) {
    const value = chosen[control.name] ?? control.usual;
    const id = `option-${control.name}`;
    if (control.name === "theme" && samples) return h("div", { class: "field", role: "radiogroup", "aria-label": control.label }, h("span", "label", control.label),
      h("div", "themes", control.values.filter(([each]) => each).map(([each, says]) => h("label", { title: says }, h("input", { type: "radio", name: "theme", value: each, checked: each === value, data: { key: `${id}-${each}` }, onchange: () => changed(control, each) }), cardPicture(samples.system, samples.item, { alt: "" }, each), h("span", {}, each)))));
    const common = { name: control.name, id, "aria-describedby": `${id}-says`, data: { key: id } };
    if (control.kind === "tick") return ticked(id, control.label, control.says, h("input", { type: "checkbox", ...common, checked: value === "true", onchange: (event) => changed(control, event.target.checked ? "true" : "") }));
    if (control.kind === "one" && control.values.length <= 3 && control.values.every(([, label]) => label.length < 20)) {
      return h("div", { class: "field", role: "radiogroup", "aria-label": control.label, "aria-describedby": `${id}-says` }, h("span", "label", control.label),
        h("div", "segments", control.values.map(([each, label]) => h("label", {}, h("input", { type: "radio", name: control.name, value: each, checked: each === value, data: { key: `${id}-${each}` }, onchange: () => changed(control, each) }), h("span", {}, label)))), h("small", { id: `${id}-says` }, control.says));
    }
    const input = control.kind === "one"
      ? choice(common, control.values, value, (each) => changed(control, each))
      : h("input", { ...common, type: control.kind === "number" ? "number" : "text", inputmode: control.kind === "number" ? "numeric" : undefined, min: control.kind === "number" ? control.least : undefined, max: control.kind === "number" ? control.most : undefined, value, autocomplete: "off", oninput: (event) => changed(control, event.target.value.trim()) });
    return labelled(id, control.label, control.says, input);
  }

  async function print() {
    const signal = newest();
    const began = performance.now();
    // Pages that are not there yet are not needed any more: the server drops them.
    for (const image of pages.querySelectorAll("img")) if (!image.complete) image.removeAttribute("src");
    pages.classList.add("stale");
    delete pages.dataset.shown;
    // The files of what was printed before are no longer what is asked for.
    show(margin);
    const prints = [];
    try {
      for (const wish of [...wishes]) {
        const options = Object.fromEntries(Object.entries(chosen).filter(([option]) => supported.get(wish)?.has(option)));
        prints.push({ title: wish.title, printed: await post("print", { ...asked(wish), options }, signal) });
      }
    } catch (error) {
      if (signal.aborted) return;
      state.textContent = "";
      pages.classList.remove("stale");
      show(pages);
      return show(margin, failed(error));
    }
    pages.classList.remove("stale");
    const first = () => (pages.dataset.shown ??= String(Math.round(performance.now() - began)));
    show(pages, prints.map(({ title, printed }, at) => [prints.length > 1 ? h("h2", {}, title) : null, sheets(printed, title, at ? undefined : first)]));
    state.textContent = prints.map(({ printed }) => saysPages(printed)).join(", ");
    show(margin, takeAway(prints));
  }

  const all = (formToo = true) => {
    state.textContent = "Printing …";
    return trying(margin, async () => {
      if (formToo) await controls();
      await print();
    });
  };
  const again = later(all);
  all();
  const node = h("div", `desk ${folded ? "folded" : ""}`, how, h("aside", { class: "margin", "aria-label": "The print" }, margin, beside), h("div", "middle", state, pages));
  node.addEventListener("reprint", () => again(PAUSE));
  document.addEventListener("packs", () => node.isConnected && all());
  return node;
}

// A wish as the server reads it: the title of a desk is for the page alone, and `called` is that of what is composed.
const asked = ({ system, product, counts = {}, rules = {}, cards = [], panels = [], called = "Mixed cards" }) => ({ system, product, counts, rules, cards, panels, title: called });

// The file whose pages are looked at, and how many there are: those of the PDF, or pictures.
function shown(printed) {
  const pdf = printed.files.find((file) => file.pages && file.name.endsWith(".pdf"));
  const pictures = printed.files.filter((file) => file.name.endsWith(".png"));
  return pdf ? [pdf, pdf.pages] : [pictures[0], pictures.length];
}
const saysPages = (printed) => {
  const [file, count] = shown(printed);
  return file ? plural(count, file.name.endsWith(".pdf") ? "page" : "picture") : plural(printed.files.length, "file");
};

function sheets(printed, title, first) {
  const [file, count] = shown(printed);
  if (!file) return h("p", "empty", "These files are for other programs: there is nothing to look at.");
  const page = (at) => h("figure", {}, pageButton(printed.job, at, file, `${title}, page ${at + 1}`, at ? {} : { onload: first }), h("figcaption", {}, `${at + 1} of ${count}`));
  const box = h("div", `sheets ${file.size && file.size.width > file.size.height ? "wide" : ""}`, Array.from({ length: Math.min(count, MOST_PAGES) }, (_, at) => page(at)));
  const more = count > MOST_PAGES && button(`Show ${plural(count - MOST_PAGES, "more page")}`, () => {
    more.remove();
    box.append(...Array.from({ length: count - MOST_PAGES }, (_, at) => page(at + MOST_PAGES)));
  });
  return [box, more];
}

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

function takeAway(prints) {
  const files = prints.flatMap(({ printed }) => printed.files.map((file) => ({ job: printed.job, ...file })));
  const pdfs = files.filter((file) => file.name.endsWith(".pdf"));
  const all = (member) => [...new Set(prints.flatMap(({ printed }) => printed[member]))];
  const list = (title, lines, kind = "") => lines.length ? [h("h3", {}, title), h("ul", { class: kind }, lines.map((line) => h("li", {}, capital(line))))] : null;
  return [
    h("h2", {}, "Download"),
    pdfs.map((file) => h("a", { class: "act", download: "", href: address("file", { job: file.job, name: file.name }), data: { file: file.name } }, "PDF ", h("small", {}, `${file.name}, ${size(file.bytes)}`))),
    files.length > 1 || !pdfs.length ? h("a", { class: "act second", download: "", href: address("parcel", { jobs: prints.map(({ printed }) => printed.job).join(",") }), data: { file: "zip" } }, "ZIP ", h("small", {}, `${plural(files.length, "file")}, ${size(files.reduce((sum, file) => sum + file.bytes, 0))}`)) : null,
    h("p", "promise", "The pages you see are those of the PDF."),
    list("At the printer", all("advice")),
    list("Left out", all("left_out")),
    list("To know", all("warnings"), "warnings"),
  ];
}
