// What has just happened: the headline, the cards that fell, the numbers before and after; the rules' sentences folded.

import { face, plain } from "./cards.js";
import { h, minus, show, tell } from "./dom.js";
import { faceOf, icon, ruling } from "./known.js";

const GRAVE = 3; // a moment of this weight colours the whole card
export const MAX_CARDS = 6; // a whole field that is dealt lies on the table, and not here

// The sentences of a command, each with its reason on a tap.
export function sentences(lines) {
  return lines.map((line) => {
    // A picture in letters keeps its lines.
    if (line.text.includes("\n")) return h("pre", { class: "field", tabindex: "0" }, line.text);
    const look = line.mark ? `sentence marked-${line.mark}` : "sentence";
    const why = ruling(line.why);
    return why ? h("details", { class: look }, h("summary", {}, line.text), h("p", "why", why)) : h("p", { class: look }, line.text);
  });
}

// A command that is done again after an undo is another one.
const called = ({ line, time }) => `${line} ${time}`;

// Cards seen while this page is open turn over once: not after a reload, an undo or a redo.
export function witness() {
  let seen = null;
  return (log) => {
    const before = seen;
    seen = new Set([...(seen ?? []), ...log.map(called)]);
    const last = log.at(-1);
    return Boolean(before && last && !before.has(called(last)));
  };
}

// An undo or a redo is no fresh moment: the live region says what is gone or back.
export function tellTurned(before, now) {
  const [was, is] = [before.at(-1), now.at(-1)];
  if (was && was.number > (is?.number ?? 0)) tell(`Taken back: ${was.says}.`);
  else if (is && is.number > (was?.number ?? 0)) tell(`Done again: ${is.says}.`);
}

const changed = ({ name, was, now }) => h("span", "change", h("span", "sr", `${name} from ${was} to ${now}`), h("span", { "aria-hidden": "true" }, `${name} ${minus(was)} → `, h("strong", {}, minus(now))));

export function changesNode(changes) {
  if (!changes.length) return null;
  const whose = new Map(changes.map(({ who = "" }) => [who, changes.filter((each) => (each.who ?? "") === who)]));
  return h("ul", "changes", [...whose].map(([who, each]) => h("li", {}, who ? h("b", {}, who) : null, each.map(changed))));
}

// A command as a card. `fresh`: it is seen for the first time; `drawn`: a board beside it shows the table already.
export function momentNode(entry, { fresh = false, drawn = false, below = null } = {}) {
  const { moments = [], changes = [], says: title } = entry;
  // What is dealt to several lies before them.
  const several = new Set(moments.filter((each) => each.card).map((each) => each.whom)).size > 1;
  const cards = several || entry.cards.length > MAX_CARDS ? [] : entry.cards;
  // What a moment says, and a board that lies beside it, need no sentence.
  const spoken = new Set([title, ...moments.map((each) => each.says)].map((says) => `${says}.`));
  const lines = entry.lines.filter((each) => !spoken.has(each.text) && !(drawn && each.text.includes("\n")));
  const [head, ...rest] = moments;
  const grave = head?.weight >= GRAVE;
  // A card that lies here says its own name.
  const steps = rest.filter((each) => !cards.includes(each.card));
  // Where the system has no words of its own for it, the sentences of the rules say what happened.
  const bare = !head?.emblem && !cards.length;
  if (fresh) tell(title, head?.then, steps.map((each) => each.says), changes.map((each) => [each.who, `${each.name} from ${each.was} to ${each.now}.`]), bare ? lines.map((each) => each.text) : []);
  const told = (name) => moments.find((each) => each.card === name && each.title !== undefined);
  const faces = cards.map((name) => (told(name) ? plain(name, told(name).title) : faceOf(name)));
  return h(
    "div",
    { class: ["moment", grave ? `grave look-${head.look ?? ""}` : "", head?.look === "good" ? "fine" : "", fresh ? "fresh" : ""].join(" ") },
    h("div", "moment-head", icon(head?.emblem), h("h2", {}, title)),
    head?.then ? h("p", "moment-then", head.then) : null,
    cards.length || steps.length || changes.length
      ? h(
          "div",
          { class: "moment-body" },
          cards.length ? h("div", "drawn", faces.map((card) => h("div", `flip ${fresh ? "turns" : ""}`, face(card), h("i", { class: "flip-back", "aria-hidden": "true" })))) : null,
          h("div", "moment-told", steps.length ? h("ul", "steps", steps.map((each) => h("li", `weight-${each.weight} ${each.look ?? ""}`, icon(each.emblem), h("span", {}, each.says, each.then ? h("small", {}, ` ${each.then}`) : null)))) : null, changesNode(changes)),
        )
      : null,
    bare && lines.length ? h("div", "sentences", sentences(lines)) : lines.length ? h("details", "in-full", h("summary", { data: { key: "in-full" } }, "In full, with the rules"), h("div", "sentences", sentences(lines))) : null,
    below,
  );
}

// Show the last command in a region. A card that turns over is not drawn again while nothing else happens.
export function showMoment(region, entry, on, how) {
  const mark = entry ? `${called(entry)} ${on}` : "";
  if (region.dataset.shown === mark && !how.fresh) return;
  region.dataset.shown = mark;
  show(region, entry && momentNode(entry, how));
}
