// What was told wrong: what a correction of the log changes, a form of all values of somebody, and the amounts of a spell.

import { pad } from "./cards.js";
import { button, dialog, h, show, spaced, stepper } from "./dom.js";
import { changesNode, momentNode } from "./moment.js";
import { ask, newId } from "./net.js";

const MANY = 12; // more than these are shown on a tap

// `names` are those at the table, with "" for what they share; `who` is chosen first; `called` names words; `on()` is the newest line seen.
export function correct({ names, who, shared, deck, called, on }) {
  const notice = h("p", { class: "notice error", tabindex: "-1", hidden: true });
  const fields = h("div", "correct");
  const chips = h("div", { class: "chips", role: "group", "aria-label": "Whose" });
  let whom = who ?? names[0];
  let values = new Map(); // what is written anew, by the name of the value
  let lists = new Map(); // what goes out and comes in, by the name of the list

  const shown = dialog("Set values", chips, fields, notice, h("div", "go", button("Set values", submit, { class: "primary", data: { key: "put-right" } })));
  choose(whom);

  async function choose(name) {
    whom = name;
    values = new Map();
    lists = new Map();
    show(chips, names.map((each) => button(each || "The table", () => choose(each), { class: "chip", "aria-pressed": `${each === whom}`, data: { key: `whose-${each}` } })));
    const { status, value } = await ask("settable", { name });
    if (whom !== name) return;
    if (status === 200) show(fields, value.map(field));
    else say(value.error);
  }

  function say(text) {
    notice.textContent = text;
    notice.hidden = false;
    // Nothing outside of a dialog is read aloud meanwhile.
    notice.focus();
  }

  const write = (name) => (value) => (`${value}`.trim() === "" ? values.delete(name) : values.set(name, `${value}`.trim()));

  function field({ name, title, kind, value, ...more }) {
    if (kind === "tick") return tick(title, value, (yes) => write(name)(yes ? "yes" : "no"), name);
    if (kind === "list" || kind === "cards") return list(name, title, { kind, ...more });
    const inside = { number: () => stepper(title, value, write(name)), text: () => h("input", { type: "text", value: value ?? "", maxlength: 200, "aria-label": title, oninput: (event) => write(name)(event.target.value) }), word: () => words(name, value, more.words) }[kind]();
    return h("fieldset", { data: { value: name } }, h("legend", {}, title), inside);
  }

  const tick = (label, on, change, name) =>
    h("label", { class: "tick", data: { value: name } }, h("input", { type: "checkbox", checked: on, onchange: (event) => change(event.target.checked) }), label);

  function words(name, value, all) {
    const group = h("div", "chips");
    const draw = (chosen) => show(group, all.map((word) => button(called[word] ?? spaced(word), () => (write(name)(word), draw(word)), { class: "chip", "aria-pressed": `${word === chosen}`, data: { key: `${name}-${word}` } })));
    draw(value);
    return group;
  }

  // A list: what is in it is ticked, and what may come in is not.
  function list(name, title, { entries, adds, free, kind, asks }) {
    const changes = new Set();
    lists.set(name, changes);
    const entry = (on) => ({ says, words }) => tick(says, on, (now) => (now === on ? changes.delete(words) : changes.add(words)), words[0]);
    const inside = h("div", "ticks", entries.map(entry(true)));
    // A card or a word that comes in is ticked at once; without the tick it stays away.
    const add = (says, words) => {
      changes.add(words);
      inside.append(tick(says, true, (now) => (now ? changes.add(words) : changes.delete(words)), words[0]));
    };
    const taken = new Set();
    let beside = 1;
    const cards = h("div", {});
    const put = (card) => {
      taken.add(card);
      add(asks ? `${card} (${asks} ${beside})` : card, [`+${card}`, ...(asks ? [`${asks}=${beside}`] : [])]);
      draw();
    };
    const draw = () => show(cards, pad(deck, deck.map((each) => each.name).filter((each) => !taken.has(each)), put));
    if (kind === "cards") draw();
    const typed = h("input", { type: "text", maxlength: 60, "aria-label": `One more: ${title}` });
    const from = { cards: () => [asks ? stepper(spaced(asks), beside, (value) => (beside = value)) : null, cards], words: () => [typed, button("Add", () => typed.value.trim() && (add(typed.value.trim(), [`+${typed.value.trim()}`]), (typed.value = "")))], ticks: () => h("div", "ticks", adds.map(entry(false))) };
    const which = kind === "cards" ? "cards" : free ? "words" : adds.length ? "ticks" : "";
    return h("fieldset", { data: { value: name } }, h("legend", {}, title), entries.length > MANY ? h("details", {}, h("summary", {}, `Show ${entries.length}`), inside) : inside, which ? h("details", {}, h("summary", {}, `Add to ${title}`), from[which]()) : null);
  }

  // One correction changes each list once: what is left goes into further ones, and one undo takes all of them back.
  function deeds() {
    const rounds = [[...values].flat()];
    for (const [name, changes] of lists) [...changes].forEach((words, place) => (rounds[place] ??= []).push(name, ...words));
    return rounds.filter((words) => words.length).map((words) => ({ do: "set", who: shared ? "" : whom, words: shared && whom ? [whom, ...words] : words }));
  }

  async function submit() {
    const deed = deeds();
    if (!deed.length) return shown.close();
    const { status, value } = await ask("do", { id: newId(), on: on(), deed });
    return status === 200 ? shown.close() : say(value.error);
  }
}

// What a correction changes: its entry before and after, then what came later, and the numbers in the end.
export function previewNode(actions) {
  const { before, after, later, changes } = actions.preview ?? {};
  if (!before) return null;
  const { number: _, ...was } = before;
  if (JSON.stringify(was) === JSON.stringify(after)) return h("p", "empty", "Nothing changes yet.");
  const side = (title, entry) => h("section", { "aria-label": title }, h("h3", {}, title), entry ? momentNode(entry) : h("p", "empty", "It never happened."));
  return h(
    "section",
    { class: "preview", "aria-label": "What changes" },
    h("h2", {}, "What changes"),
    h("div", "sides", side("Now", before), side("Changed", after)),
    later.length ? [h("h3", {}, "What came later"), h("ul", {}, later.map(({ was: then, now, why }) => h("li", {}, now ? `${then} → ${now}` : `${then}: left out. ${why}`)))] : null,
    changes.length ? [h("h3", {}, "In the end"), changesNode(changes)] : null,
    h("div", "go", button("Change it", () => actions.keepIt(), { class: "primary", disabled: actions.busy, data: { key: "keep" } }), button("Leave it", () => actions.drop(), { class: "quiet", data: { key: "leave" } })),
  );
}

// Whom a spell strikes, and for how much; `done` gets the words that say so.
export function strikes({ says, words, strikes }, done) {
  const harm = new Map();
  const rows = strikes.map((name) => h("fieldset", { data: { value: name } }, h("legend", {}, name), stepper(`Damage to ${name}`, 0, (value) => harm.set(name, Number(value)), 0)));
  const struck = () => [...harm].filter(([, amount]) => amount > 0).flatMap(([name, amount]) => [name, `${amount}`]);
  const shown = dialog(says, h("p", {}, "How much damage does it do, and to whom? Those at 0 are not struck."), h("div", "correct", rows), h("div", "go", button("The spell works", () => (shown.close(), done([...words, ...struck()])), { class: "primary", data: { key: "strike" } })));
}
