// A question as a card: what has been answered, what is asked now, and the way back.

import { face, index, pad, parted, pretty, suitClass } from "./cards.js";
import { button, capital, h, spaced } from "./dom.js";
import { faceOf } from "./known.js";

const MAX_FACES = 20; // dice with more are typed in
const MAX_TOLD = 3; // the last sentences heard so far

export const FIRST = "[data-first], .pad-card:not(:disabled), button:not(:disabled)";

// An answer in short, for the trail.
export function inShort({ cards = [], dice = [], choice, wait }, { need }) {
  if (wait) return "later";
  if (choice) return capital(need.options[choice - 1].text.split(":").pop());
  return [...cards.map(index), ...dice].join(" ");
}

// A deed as it is said: `Hit Bryn for 9`.
export function sentence(deed) {
  const { do: name, who = "", words = [] } = deed[0] ?? deed;
  const amount = who && /^\d+$/.test(words[0]) ? ["for"] : [];
  return [capital(spaced(name)), who, ...amount, ...words].filter(Boolean).join(" ");
}

// A card that is typed, such as 10c, is picked.
let typed = "";
let last = 0;
export function typedCard(actions, event) {
  if (event.target.matches("input") || event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
  typed = (event.timeStamp - last < 1500 ? typed : "") + event.key.toUpperCase();
  last = event.timeStamp;
  const found = actions.question.need.cards.find((name) => parted(name).code === typed);
  if (found) actions.answer({ cards: [found] });
}

export const heading = ({ need, who }) => `${who ? `${who}: ` : ""}${pretty(need.title)}`;

// `actions` has the question, its trail, and takes the answer.
export function questionNode(actions) {
  const { question, trail, busy } = actions;
  const { need, so_far: heard, start, deed, laid } = question;
  const was = actions.asItWas();
  const body = { card: cardQuestion, roll: rollQuestion, choice: choiceQuestion }[need.kind](actions);
  return h(
    "section",
    { class: "question", "aria-label": heading(question) },
    h("p", "asking", h("b", {}, sentence(start ?? deed)), trail.slice(-12).map((each) => h("span", "asking-given", each.given)), h("span", { class: "asking-next", "aria-hidden": "true" }, "?")),
    h("h2", {}, heading(question)),
    laid?.length ? laidNode(laid) : null,
    heard.length ? h("div", "so-far", heard.slice(-MAX_TOLD).map((line) => h("p", { class: line.mark === "death" ? "marked-death" : undefined }, pretty(line.text)))) : null,
    was ? button(`As it was: ${inShort(was, question)}`, () => actions.answer(was), { class: "primary", data: { first: "0", key: "as-it-was" } }) : null,
    body,
    h("div", "go question-go", trail.length ? button("↶ Step back", () => actions.stepBack(), { data: { key: "step-back" } }) : null, need.can_wait ? button("Roll later", () => actions.answer({ wait: true }), { disabled: busy }) : null, button("Cancel", () => actions.cancel(), { class: "quiet", data: { key: "back" } }), h("small", {}, "Nothing is written until the last answer.")),
  );
}

// The field as far as it is dealt: each column from the bottom card up.
function laidNode(columns) {
  const height = Math.max(...columns.map((column) => column.length));
  const rows = [...Array(height).keys()].reverse();
  const place = (code) => h("span", `laid-card ${code ? suitClass(code) : "empty-place"}`, code ? [h("b", {}, parted(code).rank), parted(code).sign] : "");
  return h("div", { class: "laid", role: "img", "aria-label": `${columns.flat().filter(Boolean).length} cards are dealt` }, rows.map((row) => h("div", "laid-row", columns.map((column) => place(column[row])))));
}

function cardQuestion(actions) {
  return pad(actions.game.deck, actions.question.need.cards, (name) => actions.answer({ cards: [name] }));
}

// One tap a die; the next one has the focus.
function rollQuestion(actions) {
  const { need, faces: rolled } = actions.question;
  const { count, faces } = need;
  const places = [...Array(count).keys()];
  const set = (place, value) => {
    rolled[place] = value;
    if (places.every((each) => rolled[each])) return actions.answer({ dice: rolled.slice(0, count) });
    actions.render();
    const next = places.find((each) => !rolled[each]);
    return actions.region.querySelector(`[data-die="${next}"]`)?.focus();
  };
  const keys = (place, value) => ({ ...(value === 1 ? { die: place } : {}), ...(place === 0 && value === 1 ? { first: "1" } : {}) });
  return places.map((place) => {
    const label = need.whose ? `${need.whose[place]}, d${faces}` : count > 1 ? `Die ${place + 1} of ${count}, d${faces}` : `d${faces}`;
    const one = (value) => button(`${value}`, () => set(place, value), { class: "chip die", "aria-pressed": `${rolled[place] === value}`, disabled: actions.busy, data: { key: `die-${place}-${value}`, ...keys(place, value) } });
    const typed = () =>
      h("input", {
        type: "number",
        inputmode: "numeric",
        class: "amount",
        min: 1,
        max: faces,
        "aria-label": label,
        value: rolled[place] ?? "",
        data: { key: `die-${place}`, ...keys(place, 1) },
        onchange: (event) => event.target.value && set(place, Number(event.target.value)),
      });
    return h("fieldset", "dice", h("legend", {}, label), h("div", "chips", faces <= MAX_FACES ? Array.from({ length: faces }, (_, each) => one(each + 1)) : typed()));
  });
}

// What may be chosen: cards as themselves with what they do.
function choiceQuestion(actions) {
  const { options } = actions.question.need;
  const inside = ({ card, text, says }) => (card ? face(faceOf(card)) : [capital(text), says ? h("small", {}, h("br"), says) : null]);
  return h("div", { class: options.some((each) => each.card) ? "choices cards" : "choices" }, options.map((option, place) => button(inside(option), () => actions.answer({ choice: place + 1 }), { class: option.card ? "choice-card" : "choice", disabled: actions.busy, data: { key: `option-${place}`, option: `${place + 1}` } })));
}
