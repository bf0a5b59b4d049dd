// A character as they lie at the table: the pile fanned out, the track to the limit, tokens, states and hurts.

import { face, index, isPlain, plain, pretty, small, suitClass } from "./cards.js";
import { dialog, h, minus } from "./dom.js";
import { faceOf, icon } from "./known.js";

const MAX_TOKENS = 10; // more are a number alone
const MAX_BOXES = 12; // a track as short as this has a box for each point

const styled = (node, styles) => (Object.entries(styles).forEach(([name, value]) => node.style.setProperty(name, value)), node);

function fan({ pile = [], name }) {
  if (!pile.length) return null;
  const cards = pile.map((card, place) => styled(small(card), { "--turn": `${((place - (pile.length - 1) / 2) * Math.min(3, 9 / pile.length)).toFixed(1)}deg` }));
  const inside = [h("span", "sr", `The cards of ${name}: `), cards];
  const look = { class: `fan ${pile.length > 3 ? "tight" : ""}` };
  // Plain cards have no more to say.
  if (pile.every(isPlain)) return styled(h("div", look, inside), { "--n": pile.length });
  const open = () => dialog(`The cards of ${name}`, h("div", "drawn", pile.map((each) => face(isPlain(each) ? plain(each.card, each.title) : faceOf(each.card)))));
  return styled(h("button", { type: "button", ...look, onclick: open, data: { key: `pile-${name}` } }, inside), { "--n": pile.length });
}

const counted = (value, gauge) => h("b", { data: { gauge } }, minus(value));

// What waits, and where it would lead.
function waits({ value, most, waiting, waits: name, held }) {
  if (!waiting) return "";
  if (held) return `${waiting} ${name} held in`;
  const reached = value + waiting;
  return `${waiting} ${name} to come${reached > most ? `: over ${most}` : reached === most ? `: exactly ${most}` : ""}`;
}

// The way to the limit: each card is as long as its score, tokens stand for the rest, what waits is hatched.
function track({ track: found, pile = [], alive }) {
  if (!found?.most || (!found.value && !found.waiting)) return null;
  const { name, value, most, waiting = 0, held } = found;
  const scored = pile.filter((card) => card.score > 0);
  const sum = scored.reduce((total, card) => total + card.score, 0);
  const cards = sum <= value ? scored : [];
  const rest = value - (cards.length ? sum : 0);
  const boxes = !cards.length && most <= MAX_BOXES;
  const whole = Math.max(most, value);
  const over = value + waiting > most;
  const next = alive ? waits({ ...found, value, waiting }) : "";
  const part = (of, look, says) => styled(h("i", `part ${look}`, of / whole > 0.07 ? says : ""), { "--of": of / whole });
  const parts = [
    cards.map((card) => part(card.score, suitClass(card.card), index(card.card))),
    boxes ? Array.from({ length: value }, () => part(1, "", "")) : rest > 0 ? part(rest, "", `+${rest}`) : [],
    next ? part(Math.min(waiting, Math.max(whole - value, 1)), `waits ${held ? "held" : ""}`, `+${waiting}`) : [],
  ].flat();
  return h("div", `way ${value / most > 0.6 ? "late" : ""} ${over && !held && alive ? "over" : ""}`, h("p", "way-says", h("span", {}, counted(value, name), ` of ${most} ${name}`), next ? h("em", { class: held ? "held" : "" }, next) : null), h("div", { class: "way-bar", "aria-hidden": "true" }, parts, alive && value + waiting < 0.85 * most ? h("i", "way-end", icon("death")) : null));
}

function tokens({ tokens: kinds = [] }) {
  const there = kinds.filter((each) => each.value);
  if (!there.length) return null;
  const heap = ({ value, emblem }) => (value <= MAX_TOKENS ? Array.from({ length: value }, () => icon(emblem)) : icon(emblem));
  return h("ul", "tokens", there.map((each) => h("li", `token token-${each.key}`, h("span", { class: "heap", "aria-hidden": "true" }, heap(each)), counted(each.value, each.name), ` ${each.name}`)));
}

// The numbers that neither the track nor tokens show.
function numbers({ gauges, track: found, tokens: kinds = [] }) {
  const shown = new Set(["hp", ...kinds.map((each) => each.key)]);
  const rest = gauges.filter((each) => !shown.has(each.key) && each.name !== found?.name && each.value);
  if (!rest.length) return null;
  return h("p", "numbers", rest.map(({ name, value }) => h("span", {}, counted(value, name), ` ${name}`)));
}

export function health({ gauges }) {
  const hp = gauges.find((each) => each.key === "hp");
  if (!hp) return null;
  const node = h("span", `hp ${hp.value > 0 ? "" : "none"}`, counted(hp.value, hp.name), hp.most ? h("small", {}, ` / ${hp.most}`) : null, h("small", {}, " HP"));
  if (hp.most) node.append(styled(h("i", { class: "hp-bar", "aria-hidden": "true" }), { "--of": Math.max(0, Math.min(1, hp.value / hp.most)) }));
  return node;
}

// Dead, out of the fight, or neither.
export const look = ({ alive, states = [] }) => (alive ? (states.some((each) => each.look === "out") ? "out" : "") : "dead");

function states({ states: all = [], marks = [], alive }) {
  const dead = all.filter((each) => each.look === "dead");
  // Beside death no other state matters.
  const shown = alive ? all : dead.length ? dead : [{ says: "Dead", look: "dead", emblem: "death" }];
  const chips = [...shown.map((each) => h("li", `state ${each.look ?? ""}`, icon(each.emblem), each.says)), ...(alive ? marks : []).map((mark) => h("li", "state", mark))];
  return chips.length ? h("ul", "states", chips) : null;
}

// A hurt is its name; what it means and until when stand smaller below.
function hurts({ hurts: all = [] }) {
  if (!all.length) return null;
  const words = ({ says, until }) => {
    const [name, ...means] = says.split(": ");
    return [h("b", {}, name), until && !says.includes(until) ? h("small", {}, ` ${until}`) : null, means.length ? h("small", "means", means.join(": ")) : null];
  };
  return h("ul", "hurts", all.map((each) => h("li", {}, h("span", "hurt-sign", icon(each.emblem) ?? h("i", "dot")), h("span", {}, words(each)))));
}

// What the line and the details of a state say besides.
function rest({ gauges, marks = [], line = "", details = [], states: all = [], hurts: hurt = [], pile = [] }) {
  const shown = [...gauges.map((each) => each.name), ...marks, ...[...all, ...hurt].map((each) => each.says.split(":")[0])].map((each) => each.toLowerCase());
  const parts = line.split(", ").filter((part) => part && part !== "dead" && !shown.some((each) => part.toLowerCase().includes(each.replace(/s$/, "")) || each.startsWith(part.toLowerCase())));
  const cards = [...pile, ...hurt].map((each) => each.card);
  const more = [...parts, ...details.map((each) => each.trim())].filter((each) => !hurt.some(({ says }) => each.includes(says)) && !each.split(/[^\w:]+/).some((word) => cards.includes(word)));
  return more.length ? h("ul", "line", more.map((each) => h("li", {}, pretty(each)))) : null;
}

export function tileParts(person) {
  return [states(person), fan(person), track(person), tokens(person), numbers(person), hurts(person), rest(person), person.alive ? null : h("span", { class: "stone", "aria-hidden": "true" }, icon("death"))];
}

// The cards that lie before nobody: the dealer's.
export const tableNode = ({ pile, pile_of: name }) => h("article", "tile lies", h("h3", "who", name), fan({ pile, name }));
