// A field of cards to be tapped: what can be done with the cards that were tapped stands beside it.

import { parted, spoken, suitClass } from "./cards.js";
import { button, h } from "./dom.js";

const MOST = 6; // so many moves are buttons

export class Field {
  constructor(act, redraw) {
    Object.assign(this, { act, redraw });
    this.chosen = [];
    this.before = "";
  }

  toggle(name) {
    this.chosen = this.chosen.includes(name) ? this.chosen.filter((each) => each !== name) : [...this.chosen, name];
    this.redraw();
  }

  node({ columns, moves }) {
    if (this.before !== `${columns}`) this.chosen = [];
    this.before = `${columns}`;
    const open = new Set(moves.filter((move) => move.opens).flatMap((move) => move.cards));
    const fitting = this.chosen.length ? moves.filter((move) => this.chosen.every((name) => move.cards.includes(name))) : moves;
    const partners = new Set(this.chosen.length ? fitting.flatMap((move) => move.cards) : []);
    const height = Math.max(...columns.map((column) => column.length));
    const rows = [...Array(height).keys()].reverse();
    return h(
      "section",
      { class: "playfield", "aria-label": "The field" },
      h(
        "div",
        { class: "field-scroll", tabindex: "0", role: "group", "aria-label": "The cards on the field" },
        h("div", { class: "field-row heads", "aria-hidden": "true" }, columns.map((_, at) => h("span", {}, `${at + 1}`))),
        rows.map((row) => h("div", { class: "field-row" }, columns.map((column, at) => (column[row] ? this.card(column[row], at, row, open, partners) : h("span", { class: "empty-place" }))))),
      ),
      h(
        "div",
        { class: "moves" },
        fitting.slice(0, MOST).map((move) => button(move.says, () => this.act(move.words), { class: move.opens ? "move opens" : "move", data: { key: `move-${move.words.join("-")}`, move: move.words.join(" ") } })),
        fitting.length > MOST ? h("p", { class: "says" }, `${fitting.length - MOST} more: tap the cards that you want.`) : null,
        fitting.length ? null : h("p", { class: "says" }, this.chosen.length ? "Nothing can be done with these cards now." : "Nothing can be done on the field now."),
      ),
    );
  }

  card(name, column, row, open, partners) {
    const { rank, sign } = parted(name);
    const state = [open.has(name) ? "opens an attack" : "", partners.has(name) && !this.chosen.includes(name) ? "goes with what you tapped" : ""].filter(Boolean);
    const looks = [open.has(name) ? "open" : "", partners.has(name) ? "partner" : ""];
    return button([h("b", {}, rank), sign], () => this.toggle(name), {
      class: `pad-card field-card ${suitClass(name)} ${looks.join(" ")}`,
      "aria-pressed": `${this.chosen.includes(name)}`,
      "aria-label": [`${rank}${sign} ${spoken(name)}, column ${column + 1}`, ...state].join(", "),
      data: { key: `field-${column}-${row}`, card: name },
    });
  }
}
