// Cards that lie on the table in columns, as a game's board tells them. A tap on a card shows what can be done with it,
// the cheapest first; a tap on that does it.

import { parted, spoken, suitClass } from "./cards.js";
import { button, h, show, tell } from "./dom.js";

const SIGNS = { critical: "★", attack: "●" };
const ATTACKS = { critical: "opens a critical attack", attack: "opens an attack" };
const JOINS = { pair: "part of an open pair", suit: "part of an open run of one suit" };

// `act(words)` does a command; `allowed(words)` tells whether whoever looks may do it.
export function fieldView({ act, allowed = () => true }) {
  const said = h("p", "table-head");
  const commands = h("div", "taps commands");
  const lying = h("div", { class: "lying-grid", role: "grid", "aria-label": "The cards, the top row first" });
  const legend = h("p", { class: "legend", "aria-hidden": "true" });
  const moves = h("div", "taps moves");
  const node = h("section", { class: "table-cards", "aria-label": "The field", hidden: true }, said, commands, lying, legend, moves);
  let board = null;
  let chosen = "";
  let here = "";

  const key = (column, row) => `${column}.${row}`;
  const touches = (tap, place) => tap.places.some(([column, row]) => key(column, row) === place);
  const at = (place) => board.moves.filter((tap) => tap.joins !== "add" && touches(tap, place));
  const adding = (column) => board.moves.filter((tap) => tap.joins === "add" && tap.places[0][0] === column);
  const best = (taps) => ["critical", "attack"].find((kind) => taps.some((tap) => tap.opens === kind)) ?? "";
  const sign = (kind) => (kind ? h("i", { class: `opens ${kind}`, "aria-hidden": "true" }, SIGNS[kind]) : null);
  const height = () => Math.max(1, ...board.columns.map((column) => column.length));

  // --- the cards ---

  function choose(place) {
    chosen = chosen === place ? "" : place;
    here = place;
    render();
    tell(moves.innerText);
    moves.scrollIntoView({ block: "nearest" });
  }

  function cell(place, label, classes, ...inside) {
    const more = { class: classes, "aria-label": label, "aria-pressed": `${chosen === place}`, tabindex: place === here ? "0" : "-1" };
    return button(inside, () => choose(place), { ...more, onfocus: (event) => reach(event.currentTarget), data: { key: `place-${place}`, place } });
  }

  // Which sides of a card are joined to a neighbour with which it can be taken.
  function joined() {
    const found = new Map();
    for (const { joins, places } of board.moves) {
      if (joins === "add") continue;
      for (const [place, [column, row]] of places.slice(1).entries()) {
        const [before, below] = places[place];
        const side = column === before ? "up" : "across";
        const from = key(before, below);
        if (column - before + row - below === 1) found.set(from, (found.get(from) ?? new Set()).add(`${joins} ${side}`));
      }
    }
    return found;
  }

  function card(column, row, sides) {
    const code = board.columns[column][row];
    if (!code) return h("div", { role: "gridcell", class: "place" });
    const place = key(column, row);
    const { rank, sign: suit } = parted(code);
    const taps = at(place);
    const kind = best(taps);
    const parts = Object.keys(JOINS).filter((each) => taps.some((tap) => tap.joins === each && tap.places.length > 1));
    const label = [`${rank}${suit} ${spoken(code)}`, `column ${column + 1}`, `row ${row + 1}`, ...parts.map((each) => JOINS[each]), kind ? ATTACKS[kind] : ""];
    return h("div", { role: "gridcell", class: "place" }, cell(place, label.filter(Boolean).join(", "), `lying ${suitClass(code)} ${parts.includes("pair") ? "paired" : ""}`, h("b", {}, rank), suit, sign(kind)), [...(sides.get(place) ?? [])].map((side) => h("i", { class: `join ${side}`, "aria-hidden": "true" })));
  }

  function head(column, row) {
    const taps = adding(column);
    const inside = taps.length
      ? cell(key(column, row), `${column + 1} +, add a card to column ${column + 1}${best(taps) ? `, ${ATTACKS[best(taps)]}` : ""}`, "lying adds", `${column + 1} +`, sign(best(taps)))
      : `${column + 1}`;
    return h("div", { role: "columnheader", class: "place number" }, inside);
  }

  function rows() {
    const columns = [...board.columns.keys()];
    const sides = joined();
    const line = (cells) => h("div", { role: "row", class: "lying-row" }, cells);
    const below = [...Array(height()).keys()].reverse();
    return [line(columns.map((column) => head(column, height()))), below.map((row) => line(columns.map((column) => card(column, row, sides))))];
  }

  // --- the keyboard ---

  // One card can be reached with Tab: the one that had the focus last.
  function reach(button) {
    lying.querySelector("[data-place][tabindex='0']")?.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
    here = button.dataset.place;
  }

  // --- what can be done ---

  function tapped(tap) {
    const inside = [h("span", "does", sign(tap.opens), tap.says), tap.detail ? h("small", {}, tap.detail) : null];
    const may = tap.places.length ? (board.acts || tap.free) && allowed(tap.words) : true;
    if (!may) return h("div", `tap ${tap.opens}`, inside);
    return button(inside, () => act(tap.words, tap), { class: `tap ${tap.opens}`, data: { key: `tap-${tap.words.join("-")}`, tap: tap.words.join(" ") } });
  }

  function open() {
    if (!chosen) return h("p", "empty", board.moves.length ? "Tap a card to see what can be done with it." : "Nothing can be done on the field now.");
    const [column, row] = chosen.split(".").map(Number);
    const code = board.columns[column][row];
    const taps = code ? at(chosen) : adding(column);
    return taps.length ? taps.map(tapped) : h("p", "empty", `Nothing can be done with the ${spoken(code)} now.`);
  }

  function signs() {
    const joins = new Set(board.moves.filter((tap) => tap.places.length > 1).map((tap) => tap.joins));
    const kinds = new Set(board.moves.map((tap) => tap.opens));
    const shown = [
      joins.has("pair") ? [h("i", "join pair"), "pair"] : null,
      joins.has("suit") ? [h("i", "join suit"), "one suit"] : null,
      kinds.has("critical") ? [sign("critical"), "critical attack"] : null,
      kinds.has("attack") ? [sign("attack"), "attack"] : null,
    ];
    return shown.filter(Boolean).map((each) => h("span", {}, each));
  }

  function render() {
    const focused = node.contains(document.activeElement);
    if (said.textContent !== board.head) tell((said.textContent = board.head));
    show(commands, board.commands.filter((tap) => allowed(tap.words)).map(tapped));
    show(lying, rows());
    show(legend, signs());
    show(moves, open());
    // The button of what was done is gone: the keyboard goes on at the card.
    if (focused && !node.contains(document.activeElement)) lying.querySelector("[data-place][tabindex='0']")?.focus({ preventScroll: true });
  }

  function update(next) {
    const same = board && next && `${board.columns.join("/")}` === `${next.columns.join("/")}`;
    board = next ?? null;
    node.hidden = !board;
    if (!board) return;
    const there = (place) => {
      const [column, row] = place.split(".").map(Number);
      return board.columns[column]?.[row] || (row === height() && adding(column).length);
    };
    if (!same || (chosen && !there(chosen))) chosen = "";
    if (!here || !there(here)) here = key(board.columns.findIndex((column) => column.length), 0);
    render();
  }

  return { node, update };
}
