// The preview for authors: the cards and pages of a pack beside its faults. A tap says where something is written.

import { button, capital, dialog, h, show, spaced } from "./dom.js";
import { follow, key } from "./net.js";
import { night } from "./night.js";

const faults = document.getElementById("faults");
const products = document.getElementById("products");
const title = h("h1", { class: "title" });
const tools = h("nav", { class: "tools", "aria-label": "Products" });
const status = h("p", { class: "status", role: "status" });
document.getElementById("top").append(title, tools, h("div", { class: "ends" }, status, night()));

const LINKED = {
  live: "live",
  away: "The preview is away. Trying again …",
  gone: "This link no longer works: hackjack serve --preview prints a new one.",
};
const MOST_TRIES = 5;

const drawn = new Map();
let told = null;

follow((shown) => {
  told = shown;
  title.textContent = shown.title;
  document.title = `${problemCount(shown) ? "✗ " : ""}${shown.title} · preview`;
  paintFaults(shown);
  paintProducts(shown);
}, (how) => {
  if (status.dataset.kind === how) return;
  status.dataset.kind = how;
  status.textContent = LINKED[how];
});

// --- faults

const problemCount = (shown) => shown.faults.filter((fault) => !fault.warning).length;
const counted = (count, word) => (count ? `${count} ${word}${count === 1 ? "" : "s"}` : "");

function written({ file, line, column }) {
  return line ? `${file}:${line}:${column}` : file;
}

// Where to look in an editor, in words, and to be pasted.
function where(place) {
  const text = written(place);
  const says = place.line ? `${place.file}, line ${place.line}, column ${place.column}` : place.file;
  const copy = navigator.clipboard && button("Copy", async (event) => {
    await navigator.clipboard.writeText(text);
    event.target.textContent = "Copied";
  }, { data: { key: "copy" } });
  return h("p", { class: "where" }, h("code", { class: "place" }, says), copy);
}

function paintFaults(shown) {
  const found = problemCount(shown);
  const warned = shown.faults.length - found;
  const sum = [counted(found, "fault"), counted(warned, "warning")].filter(Boolean).join(", ");
  const kind = found ? "faulty" : shown.checking ? "" : "sound";
  const says = sum || (shown.checking ? "No fault so far" : "Sound");
  const note = shown.stale && shown.products.length
    ? "The pictures are from the last save that could be printed."
    : shown.checking ? "Still checking …" : "";
  show(
    faults,
    h("p", { class: `sum ${kind}`, role: "status" }, says),
    note && h("p", { class: "note" }, note),
    h("ol", { class: "faults" }, shown.faults.map((fault, number) => h("li", {}, faultButton(fault, `fault-${number}`)))),
  );
}

function faultButton(fault, name) {
  return h(
    "button",
    { type: "button", class: `fault ${fault.warning ? "warning" : ""}`, data: { key: name }, onclick: () => openFault(fault) },
    h("span", { class: "place" }, written(fault.place)),
    h("span", {}, fault.warning ? `Warning: ${fault.place.message}` : fault.place.message),
  );
}

function openFault(fault) {
  const items = told.products.flatMap((product) => product.items).filter((item) => fault.items.includes(item.id));
  dialog(
    fault.warning ? "A warning" : "A fault",
    h("div", { class: "look" }, where(fault.place), h("p", {}, fault.place.message),
      items.length ? h("div", { class: "items" }, items.map((item) => itemButton(item))) : null),
  );
}

// --- cards and pages

const faultsIn = (item) => told.faults.filter((fault) => fault.items.includes(item.id));
const address = (item) => `/api/picture?of=${encodeURIComponent(item.id)}&stamp=${item.stamp}&key=${encodeURIComponent(key)}`;

// A picture that does not come, for the server was busy, is asked for again.
function picture(item, more = {}) {
  const image = h("img", { src: address(item), alt: [item.title, ...item.says].join(" "), ...more });
  let tries = 0;
  image.addEventListener("error", () => {
    if ((tries += 1) < MOST_TRIES) setTimeout(() => (image.src = `${image.src.split("&again")[0]}&again=${tries}`), 400 * tries);
  });
  return image;
}

function itemButton(item) {
  const found = faultsIn(item);
  const face = item.drawn ? picture(item, { loading: "lazy" }) : h("span", { class: "away" }, `${item.title}: cannot be printed so`);
  return h(
    "button",
    { type: "button", class: `item ${found.length ? "faulty" : ""}`, data: { key: `item-${item.id}`, item: item.id }, onclick: () => openItem(item.id) },
    face,
    h("span", {}, found.length ? `${item.title} · ${counted(found.length, "fault")}` : item.title),
  );
}

function openItem(id) {
  const [product, item] = told.products.flatMap((each) => each.items.map((one) => [each, one])).find(([, one]) => one.id === id) ?? [];
  if (!item) return;
  dialog(
    item.title,
    h("div", { class: `look ${product.cards ? "" : "wide"}` }, where(item.place),
      faultsIn(item).map((fault) => h("p", { class: "notice error" }, h("span", { class: "place" }, written(fault.place)), " ", fault.place.message)),
      item.drawn ? picture(item) : null),
  );
}

// What has not changed stays as it is, with its picture; only what has is asked for again.
function paintProducts(shown) {
  const alive = new Set();
  const sections = shown.products.map((product) => {
    const items = product.items.map((item) => {
      alive.add(item.id);
      const known = drawn.get(item.id);
      const looks = JSON.stringify([item, faultsIn(item).length]);
      if (known?.looks === looks) return known.node;
      const node = itemButton(item);
      if (known && known.stamp !== item.stamp) node.classList.add("changed");
      else if (known && item.drawn) node.querySelector("img")?.replaceWith(known.node.querySelector("img") ?? picture(item));
      drawn.set(item.id, { node, looks, stamp: item.stamp });
      return node;
    });
    const kind = product.cards ? "cards" : product.drawing ? "pages drawing" : "pages";
    const note = product.fault || (product.drawing ? "being drawn …" : product.cards ? counted(items.length, "card") : counted(items.length, "page"));
    return h("section", { class: "product", id: `product-${product.name}`, "aria-label": spaced(product.name) },
      h("h2", {}, `${capital(spaced(product.name))} `, h("small", {}, note)),
      h("div", { class: `items ${kind}` }, items));
  });
  for (const id of drawn.keys()) if (!alive.has(id)) drawn.delete(id);
  products.classList.toggle("stale", shown.stale);
  show(products, sections);
  show(tools, shown.products.map((product) =>
    button(capital(spaced(product.name)), () => document.getElementById(`product-${product.name}`)?.scrollIntoView(), { class: "quiet", data: { key: `to-${product.name}` } })));
}
