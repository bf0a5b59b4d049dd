// What the parts of the studio share: asking the server, links, and words.

import { capital, dialog, h, show, spaced } from "./dom.js";
import { ask, inTab, key } from "./net.js";

export const main = document.getElementById("main");
export const go = (...parts) => (location.hash = parts.filter(Boolean).map(encodeURIComponent).join("/"));
export const link = (...parts) => `#${parts.filter(Boolean).map(encodeURIComponent).join("/")}`;
export const address = (path, more) => `api/${path}?${new URLSearchParams({ ...more, key })}`;
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
export const named = (product) => capital(spaced(product));
export const failed = (error) => h("p", { class: "notice error", role: "alert" }, error.message);

// Do something, and say in a region why it failed.
export const trying = (region, work) => work().catch((error) => show(region, failed(error)));
// What is done after a pause, once for all who asked for it until then.
export function later(work) {
  let timer = 0;
  return (pause, ...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), pause);
  };
}
// Signals for what is asked again and again: with each the one before is dropped, and all with the page.
export function latest() {
  let running = new AbortController();
  return () => {
    running.abort();
    running = new AbortController();
    addEventListener("hashchange", () => running.abort(), { once: true, signal: running.signal });
    return running.signal;
  };
}

// Ask once for answers that change only with a file.
const kept = new Map();
export const forget = () => kept.clear();

async function answered(path, body, signal) {
  const { status, value } = await ask(path, body, () => {}, signal);
  if (status !== 200) throw new Error(value.error);
  return value;
}
export const post = (path, body, signal) => answered(path, body, signal);
// Send a file as it is.
export async function send(path, file) {
  const answer = await fetch(`api/${path}`, { method: "POST", headers: { Authorization: `Bearer ${key}` }, body: file });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}
export const fresh = (path, signal) => answered(path, undefined, signal);
export function get(path, more = {}) {
  const at = `${path}?${new URLSearchParams(more)}`;
  if (!kept.has(at)) {
    const asked = answered(at);
    kept.set(at, asked);
    asked.catch(() => kept.delete(at));
  }
  return kept.get(at);
}

// A field with its label, and a sentence on what belongs in it.
export const labelled = (id, title, says, input) => h("div", "field", h("label", { class: "label", for: id }, title), input, says && h("small", { id: `${id}-says` }, says));
export const ticked = (id, title, says, input) => h("div", "field", h("label", "tick", input, title), h("small", { id: `${id}-says` }, says));
export const choice = (more, values, chosen, changed) => h("select", { ...more, onchange: (event) => changed?.(event.target.value) }, values.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));

// A form that asks for the name of a pack of one's own, old or new: `keep` gives what is said when it is done.
export function packForm(name, act, keep, ...head) {
  const answer = h("div", { role: "status" });
  const packs = h("datalist", { id: "own-packs" });
  const field = h("input", { name, list: packs.id, placeholder: "Our table", "aria-label": "Name of a pack", autocomplete: "off", data: { key: `${name}-name` } });
  let own = [];
  spines().then((all) => show(packs, (own = all.filter((told) => told.own)).map((told) => h("option", { value: told.title })))).catch(() => {});
  // A pack that there is, by its title or its id, or a new one of any title.
  const ask = (more) => trying(answer, async () => {
    const typed = field.value.trim();
    const said = await keep(own.find(({ id, title }) => [id, title].includes(typed))?.id ?? typed, ask, more);
    forget();
    show(answer, h("p", "saved", said));
  });
  return h("form", { class: "keep-in", onsubmit: (event) => { event.preventDefault(); ask(); } }, head, h("div", "keep", field, h("button", { type: "submit" }, act)), packs, answer);
}

// A dialog with a form, which stays until what it asks for is done; `act(says)` gives whether it was, or says why not.
export function formDialog(title, label, act, ...fields) {
  const says = h("div", { role: "status" });
  const box = dialog(title, h("form", { class: "begin", onsubmit: async (event) => {
    event.preventDefault();
    if (await act(says)) box.close();
  } }, fields, says, h("button", { type: "submit", class: "primary" }, label)));
  box.querySelector("input, textarea, [type=submit]").focus();
}
const done = (work) => (says) => work().then(() => true, (error) => show(says, failed(error)));
// Ask for another title of something, or whether it is to go. `what` is "the deck", `now` its title.
export function renameDialog(what, now, named) {
  const field = h("input", { id: "new-title", autocomplete: "off", required: true, maxlength: 80, value: now });
  formDialog(`Rename ${what} “${now}”`, "Rename", done(() => named(field.value.trim())), h("label", { for: "new-title" }, "New title"), field);
  field.select();
}
export const deleteDialog = (what, now, means, act) => formDialog(`Delete ${what} “${now}”?`, "Delete", done(act), h("p", {}, means));

// What the tab remembers until it is closed.
export const remembered = (name, value) => JSON.parse(inTab(name, JSON.stringify(value)) || "null") ?? value ?? null;

export const shelf = () => get("shelf");
// A pack that nobody can read is on the shelf all the same.
export const spines = async () => Promise.all((await shelf()).map((of) => get("spine", { of }).catch((error) => ({ id: of, title: of, own: true, faults: [error.message] }))));
export const contents = (name) => get("system", { of: name });

// Ask again for a picture that did not come because the server was busy.
const MOST_TRIES = 4;
export function picture(source, more) {
  const image = h("img", { src: source, ...more });
  let tries = 0;
  image.addEventListener("error", () => {
    if (image.getAttribute("src") && (tries += 1) < MOST_TRIES) setTimeout(() => (image.src = `${source}&again=${tries}`), 500 * tries);
  });
  return image;
}
export const cardPicture = (system, item, more, theme = "") => picture(address("picture", { system, of: item.id, stamp: item.stamp, theme }), { width: 635, height: 889, ...more });
