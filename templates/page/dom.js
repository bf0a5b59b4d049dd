// Small helpers around the DOM. Text is always set as text: nothing that a pack says is ever read as HTML.

// In a browser without the program nobody else can reach the page.
export const alone = "alone" in document.documentElement.dataset;
export const PHONES = "Phones need the program on a computer: install Hackjack, unpack a file saved by this page into its folder (hackjack list names it), and type hackjack serve --lan --campaign NAME.";

// A node with its attributes, or with nothing but a class.
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(typeof attributes === "string" ? { class: attributes } : attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...apart(children));
  return node;
}

const WORD = /[\p{L}\p{N}]/u;
const text = (node) => node.textContent ?? `${node}`;

// Nodes without those that are empty. A space parts two words that would else be read aloud as one: "Cara" and "dead".
function apart(nodes) {
  let last = "";
  return nodes.flat(Infinity).filter((node) => node !== null && node !== undefined && node !== false && node !== "").flatMap((node) => {
    const said = text(node);
    const glued = WORD.test(last.slice(-1)) && WORD.test(said.slice(0, 1));
    last = said || last;
    return glued ? [" ", node] : [node];
  });
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Put new nodes into a region. What had the focus has it again, by its data-key.
export function show(region, ...nodes) {
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  region.replaceChildren(...apart(nodes.flat(Infinity).filter(Boolean)));
  if (key) region.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

// The one region that is read aloud: what is written here is said by a screen reader, and shown elsewhere.
// All that is told at once is said once, and again if it happens again: for that the region is empty in between.
const told = new Set();
export function tell(...parts) {
  const region = document.getElementById("told");
  const said = parts.flat(Infinity).filter(Boolean).join(" ");
  if (!region || !said) return;
  if (!told.size)
    setTimeout(() => {
      region.textContent = "";
      setTimeout(() => (region.textContent = [...told].join(" "), told.clear()), 20);
    });
  told.add(said);
}

const ALONG = ".pad, .chips, .choices, .lying-grid, .taps";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// Arrow keys go to the next button that lies that way.
export function walk(event) {
  const way = WAYS[event.key];
  const among = way && event.target.matches("button") && event.target.closest(ALONG);
  if (!among) return;
  const middle = (node, { left, top, width, height } = node.getBoundingClientRect()) => [left + width / 2, top + height / 2];
  const [x, y] = middle(event.target);
  let nearest = Infinity;
  let found = null;
  for (const node of among.querySelectorAll("button:enabled")) {
    const [dx, dy] = middle(node).map((value, axis) => value - [x, y][axis]);
    const ahead = dx * way[0] + dy * way[1];
    const distance = ahead + 3 * Math.abs(dx * way[1] + dy * way[0]);
    if (node !== event.target && ahead > 1 && distance < nearest) [nearest, found] = [distance, node];
  }
  event.preventDefault();
  found?.focus();
}

export function button(label, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, label);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// A number with the sign that is as wide as a plus.
export const minus = (number) => `${number}`.replace(/^-/, "−");
export const spaced = (name) => name.replaceAll("_", " ").replaceAll("-", " ");

// A number with a button for one less and one for one more; `changed` gets the new value.
export function stepper(label, value, changed, least = -Infinity) {
  const field = h("input", { type: "number", inputmode: "numeric", class: "amount", "aria-label": label, value: value ?? "", onclick: () => field.select(), oninput: () => changed(field.value) });
  const by = (sign, step, said) => button(sign, () => changed((field.value = `${Math.max(least, Number(field.value) + step)}`)), { "aria-label": `${label}: one ${said}` });
  return h("div", "stepper", by("−", -1, "less"), field, by("+", 1, "more"));
}

// Something that the Back button closes has been opened or closed; see back.js.
export const layered = () => document.dispatchEvent(new Event("layered"));

export function dialog(title, ...content) {
  const node = h("dialog", { "aria-label": title, onclose: () => (node.remove(), layered()) }, h("div", "dialog-head", h("h2", {}, title), button("Close", () => node.close(), { class: "quiet" })), ...content);
  document.getElementById("dialogs").replaceChildren(node);
  node.showModal();
  layered();
  return node;
}
