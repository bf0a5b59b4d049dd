// Small helpers around the DOM. Text is always set as text: nothing that a pack says is ever read as HTML.

export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Put new nodes into a region. What had the focus has it again, by its data-key, so that a keyboard stays where it was.
export function show(region, ...nodes) {
  const focused = region.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  region.replaceChildren(...nodes.flat(Infinity).filter(Boolean));
  if (key) region.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

export function button(label, onclick, more = {}) {
  return h("button", { type: "button", onclick, ...more }, label);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const spaced = (name) => name.replaceAll("_", " ").replaceAll("-", " ");

export function dialog(title, ...content) {
  const node = h(
    "dialog",
    { "aria-label": title, onclose: () => node.remove() },
    h("div", { class: "dialog-head" }, h("h2", {}, title), button("Close", () => node.close(), { class: "quiet" })),
    ...content,
  );
  document.getElementById("dialogs").replaceChildren(node);
  node.showModal();
  return node;
}
