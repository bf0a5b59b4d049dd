// The tray: cards and products that are chosen, of any system, with how many of each.

import { button, h, show } from "./dom.js";
import { address, contents, link, plural, remembered } from "./studio-base.js";

const bar = document.getElementById("tray");
const WHOLE = "*";
let piles = remembered("tray") ?? {};

const pileOf = (system, item) => `${system}/${item.split("/")[0]}`;
const codeOf = (item) => item.slice(item.indexOf("/") + 1);
export const counted = (system, item) => piles[pileOf(system, item)]?.[codeOf(item)] ?? 0;
export const countedWhole = (system, product) => counted(system, `${product}/${WHOLE}`);

export function put(system, item, count) {
  const name = pileOf(system, item);
  const pile = { ...piles[name], [codeOf(item)]: Math.min(1000, Math.max(0, count)) };
  if (!pile[codeOf(item)]) delete pile[codeOf(item)];
  piles = { ...piles, [name]: pile };
  if (!Object.keys(pile).length) delete piles[name];
  remembered("tray", piles);
  paintTray();
}
export const putWhole = (system, product, count) => put(system, `${product}/${WHOLE}`, count);
export function emptyTray() {
  piles = {};
  remembered("tray", piles);
  paintTray();
}

// The orders in the tray: chosen cards of a set, or a product as it is.
export function wishes() {
  return Object.entries(piles).flatMap(([name, pile]) => {
    const [system, product] = name.split("/");
    const { [WHOLE]: whole, ...counts } = pile;
    return [...(whole ? [{ system, product, counts: {} }] : []), ...(Object.keys(counts).length ? [{ system, product, counts }] : [])];
  });
}

export async function paintTray() {
  const all = Object.entries(piles).flatMap(([name, pile]) => Object.entries(pile).map(([code, count]) => ({ name, code, count })));
  document.body.classList.toggle("with-tray", all.length > 0);
  if (!all.length) return show(bar);
  const cards = all.filter(({ code }) => code !== WHOLE);
  const sum = cards.reduce((so, { count }) => so + count, 0);
  const whole = all.length - cards.length;
  const says = [sum && plural(sum, "card"), whole && plural(whole, "product")].filter(Boolean).join(" and ");
  const known = await Promise.all(cards.slice(-8).map(async ({ name, code }) => {
    const [system, product] = name.split("/");
    const { products } = await contents(system).catch(() => ({ products: [] }));
    const item = products.flatMap((each) => each.items).find((each) => each.id === `${product}/${code}`);
    return item && h("img", { alt: "", src: address("picture", { system, of: item.id, stamp: item.stamp }) });
  }));
  show(bar,
    h("div", { class: "pile", "aria-hidden": "true" }, known),
    h("p", { class: "says", role: "status" }, `${says} in the tray`),
    button("Empty", emptyTrayAndSay, { class: "quiet", "aria-label": "Empty the tray", data: { key: "empty" } }),
    h("a", { class: "act", href: link("tray"), data: { key: "print-tray" } }, "Print these"));
}
function emptyTrayAndSay() {
  emptyTray();
  document.dispatchEvent(new Event("tray"));
}
