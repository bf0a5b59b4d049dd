// Cards on glass: faces as they are printed, and the pad on which a drawn card is tapped.

import { button, h } from "./dom.js";
import { faceOf, icon } from "./known.js";

const SUITS = { C: ["♣", "clubs"], S: ["♠", "spades"], D: ["♦", "diamonds"], H: ["♥", "hearts"] };
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const JOKERS = { RJ: "red joker", BJ: "black joker" };

export function parted(name) {
  const code = name.split(":").pop();
  const found = /^(A|[2-9]|10|J|Q|K)([CSDH])$/.exec(code);
  if (found) return { rank: found[1], sign: SUITS[found[2]][0], suit: SUITS[found[2]][1], code };
  return { rank: code in JOKERS ? "★" : code, sign: "", suit: code === "RJ" ? "hearts" : "", code };
}

export const suitClass = (name) => `suit-${parted(name).suit || "none"}`;

export function spoken(name) {
  const { rank, suit, code } = parted(name);
  const words = { A: "ace", J: "jack", Q: "queen", K: "king" };
  return JOKERS[code] ?? (suit ? `${words[rank] ?? rank} of ${suit}` : code);
}

// A text with its cards as they are printed: 3H is 3♥.
export const pretty = (text) => text.replace(/\b(?:10|[2-9AJQK])[CSDH]\b/g, index);

// A card of which only suit and rank count.
export const plain = (name, title = "") => ({ name, title, text: [] });

export const index = (name) => `${parted(name).rank}${parted(name).sign}`;

// In a pile the cards that count nothing, or have a name of their own there, are playing cards.
export const isPlain = ({ title, score }) => title !== undefined || score === undefined;

// A card as it lies in a pile: index, emblem or suit, name, and its score there.
export function small({ card: name, title, score }) {
  if (name === "?") return h("span", "mini face-down", h("span", "sr", "a card face down"));
  const card = isPlain({ title, score }) ? plain(name, title) : faceOf(name);
  const { rank, sign } = parted(name);
  return h(
    "span",
    { class: `mini ${suitClass(name)}` },
    h("span", "mini-index", h("b", { "aria-hidden": "true" }, rank), h("span", { "aria-hidden": "true" }, sign), h("span", "sr", spoken(name))),
    h("span", { class: "mini-picture", "aria-hidden": "true" }, icon(card.emblem) ?? (sign || rank)),
    h("span", "mini-name", card.title && card.title.toLowerCase() !== spoken(name) ? card.title : ""),
    score === undefined ? null : h("span", "mini-score", `${score}`),
  );
}

// A card as it is printed: the index, the emblem, the name, a rule, the sentences, and what it costs.
export function face(card) {
  const { rank, sign } = parted(card.name);
  const badges = [
    card.score ? h("span", { class: "badge score", title: "score" }, `${card.score}`) : null,
    card.blood ? h("span", "badge blood", `Blood ${card.blood}`) : null,
    card.trauma ? h("span", "badge trauma", `Trauma ${card.trauma}`) : null,
    card.permanent ? h("span", "badge", "for good") : null,
  ].filter(Boolean);
  return h(
    "article",
    { class: `card ${suitClass(card.name)} ${card.text.length ? "" : "bare"}`, "aria-label": [spoken(card.name), card.title].filter(Boolean).join(": ") },
    h("div", { class: "index", "aria-hidden": "true" }, h("b", {}, rank), h("span", {}, sign)),
    h("div", { class: "card-picture", "aria-hidden": "true" }, icon(card.emblem) ?? sign),
    h("h3", {}, card.title || spoken(card.name)),
    card.text.length ? h("div", "sentences", card.text.map((line) => h("p", {}, line))) : null,
    badges.length ? h("div", "badges", badges) : null,
  );
}

// The pad: suits and ranks where all cards have them, else names with a search. Cards that are gone are grey.
export function pad(deck, left, pick) {
  const there = new Set(left);
  const standard = deck.every(({ name }) => parted(name).suit || name in JOKERS);
  return standard ? standardPad(deck, there, pick) : namedPad(deck, there, pick);
}

function padButton(name, title, there, pick) {
  const { rank, sign } = parted(name);
  const gone = !there.has(name);
  const label = `${rank}${sign} ${spoken(name)}${title && title.toLowerCase() !== spoken(name) ? `, ${title}` : ""}${gone ? ", gone" : ""}`;
  return button([h("b", {}, rank), sign], () => pick(name), {
    class: `pad-card ${suitClass(name)}`,
    disabled: gone,
    "aria-label": label,
    data: { key: `pad-${name}`, card: name },
  });
}

function standardPad(deck, there, pick) {
  const titles = new Map(deck.map(({ name, title }) => [name, title]));
  const rows = Object.entries(SUITS).map(([letter, [, called]]) =>
    h("div", { class: "pad-row", role: "group", "aria-label": called }, RANKS.map((rank) => `${rank}${letter}`) .filter((name) => titles.has(name)) .map((name) => padButton(name, titles.get(name), there, pick))),
  );
  const jokers = Object.keys(JOKERS).filter((name) => titles.has(name));
  if (jokers.length)
    rows.push(h("div", { class: "pad-row", role: "group", "aria-label": "jokers" }, jokers.map((name) => padButton(name, "", there, pick))));
  return h("div", "pad", rows);
}

function namedPad(deck, there, pick) {
  // Where one deck is drawn from, the others do not matter.
  const decks = new Set([...there].map((name) => name.split(":").slice(0, -1).join(":")));
  const own = deck.filter(({ name }) => decks.has(name.split(":").slice(0, -1).join(":")));
  const list = h("div", "names", own.map(({ name, title }) => button([h("b", {}, name.split(":").pop()), ` ${title}`], () => pick(name), { class: "name", disabled: !there.has(name), data: { search: `${name} ${title}`.toLowerCase(), card: name }, })));
  const search = h("input", {
    type: "search",
    placeholder: "Search a card",
    "aria-label": "Search a card",
    oninput: () => {
      for (const node of list.children) node.hidden = !node.dataset.search.includes(search.value.toLowerCase());
    },
    onkeydown: (event) => {
      const found = [...list.children].filter((node) => !node.hidden && !node.disabled);
      if (event.key === "Enter" && found.length === 1) found[0].click();
    },
  });
  return h("div", "pad", own.length > 12 ? search : null, list);
}

// All cards of a deck, with those that are gone struck out.
export function deckLeft(deck, left) {
  return pad(deck, left, () => {});
}
