// What the server tells once: the faces of the cards, the emblems that are printed on them, and the rulings.

import { svg } from "./dom.js";

let faces = new Map();
let drawings = {};
let rulings = {};

export function learn({ deck = [], emblems = {}, rulings: told = {} }) {
  faces = new Map(deck.map((card) => [card.name, card]));
  drawings = emblems;
  rulings = told;
}

// Why a sentence of the rules holds; empty where no ruling says so.
export const ruling = (id) => rulings[id] ?? "";

// The face of a card; a bare one where the game has no such card.
export const faceOf = (name) => faces.get(name) ?? { name, title: "", text: [] };

// An emblem in the colour of the text beside it, which says the same. Null if the game has no such drawing.
export function icon(name) {
  const path = drawings[name];
  return path ? svg("svg", { class: "icon", viewBox: "-55 -55 110 110", "aria-hidden": "true" }, svg("path", { d: path, transform: "scale(1 -1)", "fill-rule": "evenodd" })) : null;
}
