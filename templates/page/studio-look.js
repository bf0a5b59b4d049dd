// The shelf, one system with all that it prints, and the search over all of them.

import { button, capital, dialog, h, show, spaced, stepper } from "./dom.js";
import { address, cardPicture, choice, contents, failed, fresh, get, latest, link, named, picture, plural, post, shelf, trying } from "./studio-base.js";
import { openPdf } from "./studio-desk.js";
import { counted, countedWhole, put, putWhole } from "./studio-tray.js";

// --- the shelf

export async function shelfPage() {
  const names = await shelf();
  const spines = names.map((name) => {
    const node = h("li", { class: "spine", data: { system: name } }, h("div", "fan"), h("div", "about", h("h2", {}, name), h("p", "wait", "opening …")));
    trying(node, async () => show(node, spine(await get("spine", { of: name }))));
    return node;
  });
  return [
    h("h1", {}, "The shelf"),
    h("p", "lead", "Choose a system: look at its cards, print it, or change its rules. ", h("a", { href: link("post"), data: { key: "paste-post" } }, "Paste a post"), " with rules for wounds and get a deck, ", h("a", { href: link("start"), data: { key: "start" } }, "start a pack of your own"), ", or open a PDF that was printed here or elsewhere: ",
      h("label", "filing", "Open a PDF", h("input", { type: "file", accept: "application/pdf", class: "file", data: { upload: "pdf" }, onchange: (event) => openPdf(event.target.files[0]) })), "."),
    h("ul", "shelf", spines),
  ];
}
const writing = ({ id, title }) => h("p", {}, h("a", { href: link(id, "write"), data: { key: `mend-${id}` } }, `Change ${title}`), ": the last change can be undone there.");
function spine(told) {
  if (told.faults) {
    return h("div", "about faulty", h("p", "yours", "yours, with errors"), h("h2", {}, told.title),
      h("ul", "faults", told.faults.map((fault) => h("li", {}, fault))), writing(told));
  }
  const cards = told.prints.reduce((sum, [, count]) => sum + count, 0);
  const others = told.prints.filter(([, count]) => !count).map(([name]) => name.replaceAll("-", " "));
  return [
    h("div", { class: "fan", "aria-hidden": "true" }, told.cover.map((item) => cardPicture(told.id, item, { alt: "" }))),
    h("div", "about",
      told.own ? h("p", "yours", told.extends ? `yours, based on ${told.extends}` : "yours") : null,
      h("h2", {}, h("a", { class: "whole", href: link(told.id), data: { key: `open-${told.id}` } }, told.title)),
      h("p", {}, told.about),
      h("p", "kinds", [cards ? plural(cards, "card") : "", ...others].filter(Boolean).join(", "))),
  ];
}

// --- one system

// What is wrong with a pack of one's own: at once what keeps it from being printed, and then all that a check finds.
const checking = latest();
function errorsOf(told) {
  const node = h("section", { id: "errors", "aria-label": "Errors" });
  const items = told.products.flatMap((product) => product.items);
  const line = ({ where, says, items: ids, warning }) => h("li", { class: warning ? "warning" : "" }, h("code", {}, where), h("span", {}, warning ? `Warning: ${says}` : says),
    ids.map((id) => items.find((item) => item.id === id)).filter(Boolean).map((item) => button(`See ${item.title}`, () => large(told, item, () => {}), { class: "quiet", data: { key: `see-${item.id}` } })));
  const paint = (found, note) => {
    const errors = found.filter(({ warning }) => !warning).length;
    const rest = found.length - errors;
    const sum = [errors && plural(errors, "error"), rest && plural(rest, "warning")].filter(Boolean).join(", ");
    show(node, h("header", {}, h("h2", { role: "status" }, sum || note || "No errors")), found.length && note ? h("p", "empty", note) : null, h("ul", "found", found.map(line)));
    for (const item of items) document.querySelector(`[data-item="${CSS.escape(item.id)}"]`)?.classList.toggle("faulty", found.some(({ items: ids }) => ids.includes(item.id)));
  };
  paint(told.found, told.stale ? "The pictures are from the last save that could be printed." : "Checking …");
  fresh(`check?${new URLSearchParams({ of: told.id })}`, checking()).then((found) => paint(found, told.stale ? "The pictures are from the last save that could be printed." : "")).catch(() => {});
  return node;
}

export async function systemPage(name) {
  const told = await contents(name);
  if (told.faults) return [h("h1", {}, told.title), h("p", "lead", "This pack has errors. It opens here as soon as they are mended."), h("ul", "faults", told.faults.map((fault) => h("li", {}, fault))), writing(told)];
  const sections = [
    ...told.products.map((product) => [`p-${product.name}`, named(product.name), product.items.length, product.cards ? cardSet(told, product) : pages(told, product)]),
    ...(told.tables.length ? [["tables", "Tables", told.tables.length, h("div", "tables", told.tables.map((table) => tableOf(table)))]] : []),
    ...(told.events.length ? [["odds", "Odds", 0, oddsOf(told)]] : []),
  ];
  const source = told.source.title ? `Source: ${[told.source.title, told.source.author].filter(Boolean).join(", ")}.` : "";
  return [
    h("h1", {}, told.title),
    h("p", "lead", `${told.about} `, h("small", {}, source)),
    h("div", "look",
      h("nav", { class: "contents", "aria-label": "Contents" },
        told.starter ? h("a", { class: "act", href: link(name, "print", "starter") }, "Print a first evening") : null,
        sections.map(([id, title, count]) => h("button", { type: "button", class: "jump", data: { key: `to-${id}` }, onclick: () => document.getElementById(id)?.scrollIntoView() }, title, count ? h("small", {}, String(count)) : null))),
      h("div", "sections", told.own ? errorsOf(told) : null, sections.map(([id, title, , body]) => h("section", { id, "aria-label": title }, body)))),
  ];
}

function head(told, product, count, more) {
  return h("header", {}, h("h2", {}, named(product.name)), h("small", {}, count), more, h("a", { class: "get", href: link(told.id, "print", product.name), data: { key: `print-${product.name}` }, "aria-label": `Print ${named(product.name)}` }, "Print"));
}
function cardSet(told, product) {
  const grid = h("ul", "cards", product.items.map((item) => leaf(told, item)));
  const all = button("All to the tray", () => {
    for (const item of product.items) if (item.drawn && !counted(told.id, item.id)) put(told.id, item.id, 1);
    show(grid, product.items.map((item) => leaf(told, item)));
  }, { class: "quiet", data: { key: `all-${product.name}` } });
  return [head(told, product, plural(product.items.length, "card"), all), grid];
}

// A card in a grid: a tap shows it large, and another one puts it into the tray.
export function leaf(told, item) {
  const node = h("li", { class: "leaf", data: { item: item.id } });
  const paint = () => {
    const count = counted(told.id, item.id);
    node.classList.toggle("taken", count > 0);
    show(node,
      h("button", { type: "button", class: "face", "aria-label": [`${item.title}.`, ...item.says].join(" "), data: { key: `look-${item.id}` }, onclick: () => large(told, item, paint) },
        item.drawn ? cardPicture(told.id, item, { alt: "", loading: "lazy" }) : h("span", "away", `${item.title}: cannot be printed like this`)),
      item.drawn ? button(count ? `${count}` : "+", () => { put(told.id, item.id, count + 1); paint(); }, { class: "add", "aria-label": `${item.title}: one more in the tray, now ${count}`, data: { key: `add-${item.id}` } }) : null);
  };
  paint();
  return node;
}
function large(told, item, changed) {
  const words = ` ${item.says.join(" ").toLowerCase().replace(/[^\p{L}\d'-]+/gu, " ")} `;
  const means = Object.entries(told.conditions).filter(([name]) => name !== item.title && words.includes(` ${name.toLowerCase()} `));
  const items = told.products.find((product) => product.items.includes(item))?.items ?? [item];
  const step = (by, label) => button(label, () => { large(told, items[(items.indexOf(item) + by + items.length) % items.length], changed); document.querySelector(`dialog [data-key=step${by}]`)?.focus(); }, { data: { key: `step${by}` } });
  dialog(item.title,
    items.length > 1 ? h("div", "acts", step(-1, "Previous"), step(1, "Next")) : null,
    h("div", "large",
      item.drawn ? cardPicture(told.id, item, { alt: "" }) : null,
      h("div", "beside",
        h("ul", "sentences", item.says.map((says) => h("li", {}, says))),
        item.where ? h("p", "empty", "Written in ", h("code", {}, item.where)) : null,
        means.map(([name, says]) => h("details", { class: "means", data: { condition: name } }, h("summary", {}, `What does “${name}” mean?`), says.map((each) => h("p", {}, each)))),
        item.figures ? h("p", {}, h("b", {}, capital(item.figures))) : null,
        item.drawn ? h("div", "taking", h("span", {}, "In the tray"), stepper(`${item.title} in the tray`, counted(told.id, item.id), (value) => { put(told.id, item.id, Number(value) || 0); changed(item); }, 0)) : null)));
}

// Screens, sheets and the like are drawn when somebody comes to them, as they would be printed, and dropped when
// somebody goes away before they are there.
function pages(told, product) {
  const box = h("ul", "pages");
  const waits = (says) => show(box, h("li", "ghost", says));
  const drawing = latest();
  const draw = async () => {
    waits("Drawing …");
    const signal = drawing();
    try {
      const printed = await post("print", { system: told.id, product: product.name }, signal);
      watch.disconnect();
      show(box, printed.files.flatMap((file) => Array.from({ length: file.pages }, (_, at) => h("li", {}, pageButton(printed.job, at, file, `${named(product.name)}, page ${at + 1}`)))));
      box.dataset.done = "1";
    } catch (error) {
      if (!signal.aborted) show(box, failed(error));
    }
  };
  const leave = () => {
    drawing();
    waits("drawn when you come here");
  };
  const watch = new IntersectionObserver((seen) => (seen.at(-1).isIntersecting ? draw() : leave()), { rootMargin: "100px" });
  watch.observe(box);
  const taken = countedWhole(told.id, product.name);
  const take = button(taken ? "In the tray" : "To the tray", () => {
    const now = countedWhole(told.id, product.name) ? 0 : 1;
    putWhole(told.id, product.name, now);
    take.textContent = now ? "In the tray" : "To the tray";
    take.setAttribute("aria-pressed", String(Boolean(now)));
  }, { class: "quiet", "aria-pressed": String(Boolean(taken)), data: { key: `all-${product.name}` } });
  return [head(told, product, "", take), box];
}
export function pageButton(job, at, file, title, more = {}) {
  const look = () => dialog(title, picture(address("page", { job, page: at, zoom: 1 }), { alt: title, class: "zoomed" })).classList.add("wide");
  const { width, height } = file.size ?? { width: 210, height: 297 };
  return h("button", { type: "button", class: "sheet", "aria-label": `${title}, larger`, onclick: look },
    picture(address("page", { job, page: at }), { alt: "", loading: at ? "lazy" : "eager", width: Math.round(width), height: Math.round(height), ...more }));
}

function tableOf(table, rows = table.rows) {
  return h("details", { class: "table", open: rows !== table.rows, data: { table: table.id } },
    h("summary", {}, h("h3", {}, table.title), h("small", {}, `${table.says} ${plural(table.rows.length, "row")}`)),
    h("table", "rows", h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.at), h("td", {}, row.name && row.name !== row.at ? h("b", {}, `${row.name} `) : null, row.text))))));
}

// A row with a bar for each chance, however deep it stands.
const MOST_BARS = 60;
function barsOf(tables, plain, ...names) {
  return Object.entries(plain).flatMap(([name, each]) => {
    if (!each || typeof each !== "object" || Array.isArray(each)) return [];
    if (typeof each.p !== "number") return barsOf(tables, rowsOf(tables, name, each) ?? each, ...names, ...(name === "rows" ? [] : [name]));
    const bar = h("i", "after");
    bar.style.width = `${100 * each.p}%`;
    const share = 100 * each.p;
    return [h("tr", {}, h("th", { scope: "row" }, capital(spaced([...names, name].join(": ").replace(/(\d)-(?=\d)/g, "$1–")))), h("td", { class: "bar", "aria-hidden": "true" }, bar), h("td", "figures", `${share && share < 0.1 ? share.toPrecision(1) : share < 100 ? Math.min(share, 99.9).toFixed(1) : 100} %`))];
  }).slice(0, MOST_BARS);
}

// The rows of a table by their names.
function rowsOf(tables, name, shares) {
  const all = Object.keys(shares);
  const found = tables.find(({ id, rows }) => ["rows", `rows_${id}`].includes(name) && all.every((at) => rows.some((row) => row.at === at)));
  return found && Object.fromEntries(found.rows.filter(({ at }) => at in shares).map(({ at, name: named }) => [`${at} ${named}`, shares[at]]));
}

// The form, and the bars of what is counted; with a `wait` it counts at once, for so many milliseconds.
export function oddsOf(told, first = "", wait = 0) {
  const answer = h("div", { class: "counted", role: "status" });
  const usage = h("small", {});
  const event = choice({ name: "event", "aria-label": "Event" }, told.events.map((each) => [each.name, `${each.name}: ${each.says}`]), first, () => paint());
  const words = h("input", { name: "words", "aria-label": "Details of the event", autocomplete: "off" });
  const paint = () => {
    const chosen = told.events.find((each) => each.name === event.value);
    words.value = chosen.sample;
    usage.textContent = chosen.usage ? `Details: ${chosen.usage}` : "No details are needed.";
  };
  paint();
  const ask = async (submitted, signal) => {
    submitted?.preventDefault();
    show(answer, h("p", "wait", "Counting …"));
    await trying(answer, async () => {
      const counted = await post("odds", { system: told.id, words: [event.value, ...words.value.split(/\s+/).filter(Boolean)] }, signal).catch((error) => {
        throw signal?.aborted ? new Error("These take longer to count: press Count.") : error;
      });
      const bars = barsOf(told.tables, counted.plain);
      const lines = h("pre", { tabindex: 0 }, counted.lines.join("\n"));
      show(answer, counted.counts ? h("p", {}, counted.counts) : null, bars.length ? [h("div", "chart", h("table", {}, h("tbody", {}, bars))), h("details", {}, h("summary", {}, "In words"), lines)] : lines);
    });
  };
  if (wait) ask(null, AbortSignal.timeout(wait));
  return [h("header", {}, h("h2", {}, "Odds")), h("form", { class: "odds-form", onsubmit: (submitted) => ask(submitted) }, event, words, h("button", { type: "submit" }, "Count")), usage, answer];
}

// --- the search over all systems

const MOST_CARDS = 48;
const MOST_ROWS = 40;

export async function searchPage(typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = (...texts) => {
    const text = texts.flat().join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const systems = await Promise.all((await shelf()).map((name) => contents(name).catch(() => null)));
  const results = systems.filter((told) => told && !told.faults).map((told) => ({
    told,
    cards: told.products.flatMap((product) => product.items).filter((item) => hits(item.title, item.id, item.says)),
    panels: told.panels.filter((panel) => hits(panel.title, panel.blocks.map((block) => block.title))),
    tables: told.tables.map((table) => [table, table.rows.filter((row) => hits(table.title, row.name, row.text))]).filter(([, rows]) => rows.length),
  })).filter(({ cards, panels, tables }) => cards.length + panels.length + tables.length);
  const sum = results.reduce((so, { cards, panels, tables }) => so + cards.length + panels.length + tables.reduce((all, [, rows]) => all + rows.length, 0), 0);
  return [
    h("h1", {}, `“${typed}”`),
    h("p", { class: "lead", role: "status" }, sum ? `${plural(sum, "place")} in ${plural(results.length, "system")}` : "Nothing on the shelf has all of these words."),
    results.map(({ told, cards, panels, tables }) => h("section", { class: "results", "aria-label": told.title },
      h("header", {}, h("h2", {}, h("a", { href: link(told.id) }, told.title))),
      h("ul", "cards", cards.slice(0, MOST_CARDS).map((item) => leaf(told, item))),
      cards.length > MOST_CARDS ? h("p", "empty", `and ${plural(cards.length - MOST_CARDS, "more card")}: add a word`) : null,
      panels.length ? h("p", "panels", "Panels: ", panels.map((panel, at) => [at ? ", " : "", h("a", { href: link(told.id, "print", panel.product) }, `${panel.title} (${panel.product})`)])) : null,
      tables.map(([table, rows]) => tableOf(table, rows.slice(0, MOST_ROWS))))),
  ];
}
