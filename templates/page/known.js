// What the server tells once: the faces of the cards, and the emblems that are printed on them.

import { svg } from "./dom.js";

let faces = new Map();
let drawings = {};

export function learn({ deck = [], emblems = {} }) {
  faces = new Map(deck.map((card) => [card.name, card]));
  drawings = emblems;
}

// The face of a card; a bare one where the game has no such card.
export const faceOf = (name) => faces.get(name) ?? { name, title: "", text: [] };

// An emblem in the colour of the text beside it, which says the same. Null if the game has no such drawing.
export function icon(name) {
  const path = drawings[name];
  return path ? svg("svg", { class: "icon", viewBox: "-55 -55 110 110", "aria-hidden": "true" }, svg("path", { d: path, transform: "scale(1 -1)", "fill-rule": "evenodd" })) : null;
}
