// A player's page: whose turn it is, what has just happened to them, their own character, and what they may do.

import { Actions, besides } from "./actions.js";
import { backCloses, dialogLayer } from "./back.js";
import { button, dialog, h, show, tell } from "./dom.js";
import { fieldView } from "./field.js";
import { learn } from "./known.js";
import { showMoment, tellTurned, witness } from "./moment.js";
import { ask } from "./net.js";
import { houseRules, rulesNode } from "./rules.js";
import { health, look, tableNode, tileParts } from "./tile.js";

export function player(game, main, foot, top) {
  let state = null;
  const isFresh = witness();
  const turn = h("p", { class: "whose-turn", hidden: true });
  const own = h("section", { class: "own", "aria-label": "Your character" });
  const region = h("section", { class: "panel", "aria-label": "What you may do" });
  const answer = h("section", { class: "answer", "aria-label": "What has just happened to you" });
  const others = h("section", { class: "others", "aria-label": "The others" });
  const sheet = h("section", { class: "sheet", "aria-label": "Your sheet" });
  const field = fieldView({
    act: ([name, ...words]) => actions.question || actions.send({ deed: { do: name, who: "", words, at: {} }, asking: true }),
    allowed: ([name]) => state.events.includes(name),
  });
  const table = h("section", { class: "lies", "aria-label": "The table", hidden: true });
  show(main, h("div", "left", turn, answer, own, table, field.node, sheet, others, houseRules(game.house_rules)), h("div", "right", region));
  const actions = new Actions(region, game, {
    state: () => state,
    who: () => state.name,
    own: true,
    likely,
    head,
    asking: (yes) => [answer, own, field.node, sheet, others, foot].forEach((each) => (each.inert = yes)),
  });
  backCloses(dialogLayer, () => actions.isOpen && (() => actions.stepBack()));

  // What they may do for themselves, then for others.
  function likely() {
    const forOthers = (state?.others ?? []).flatMap(({ name, likely: can = [] }) => can.map((each) => ({ ...each, whom: name, says: each.says?.includes(name) ? each.says : `${each.says || each.do}: ${name}` })));
    return [...besides(state, state?.board, state?.phase), ...besides({ likely: forOthers }, null, state?.phase)];
  }

  function head() {
    if (!state) return null;
    if (state.last_words === "open") return lastWords();
    return [
      h("h2", "whom", "What you may do now"),
      actions.nextNode(state.next),
      state.next || likely().length ? null : h("p", "empty", state.acting?.mine && state.board ? "Your moves and attacks lie on the field." : "Nothing for now: it is the game master's turn."),
    ];
  }

  // The dead have the last word.
  function lastWords() {
    const input = h("input", { type: "text", maxlength: 200, "aria-label": "Last words", autocomplete: "off", data: { key: "last-words" } });
    const submit = async (event) => {
      event.preventDefault();
      if (input.value.trim()) await actions.simply({ on: null, words: ["note", input.value.trim()] });
    };
    return [h("h2", "whom", "Last words?"), h("form", { class: "last-words", onsubmit: submit }, input, h("button", { type: "submit", class: "primary", data: { key: "say-them" } }, "Say them"))];
  }

  function showTurn() {
    const acting = state.acting;
    const says = state.struck ? state.struck : !acting ? "" : acting.mine ? "It is your turn" : acting.who ? `${acting.who} has the turn` : "Someone else has the turn";
    turn.hidden = !says;
    turn.className = `whose-turn ${acting?.mine ? "mine" : ""} ${state.struck ? "struck" : ""}`;
    if (turn.textContent === says) return;
    turn.textContent = says;
    tell(says);
  }

  function showAnswer(fresh) {
    const last = state.log.at(-1);
    showMoment(answer, last, state.on, { fresh, drawn: Boolean(state.board) });
    if (fresh) scrollTo({ top: 0 });
  }

  function showOwn() {
    const { name, sheet: lines, table: lies } = state;
    table.hidden = !lies?.pile?.length;
    show(table, table.hidden ? null : tableNode(lies));
    own.className = `own ${look(state)}`;
    show(own, h("div", "hero", h("h2", {}, name), health(state)), tileParts(state));
    show(sheet, lines.length ? h("details", { open: sheet.querySelector("details")?.open }, h("summary", { data: { key: "sheet" } }, "Your sheet"), h("dl", {}, lines.map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]))) : null);
    show(others, state.others.length ? [h("h2", {}, "At the table"), h("ul", {}, state.others.map((each) => h("li", { class: each.alive ? "" : "dead" }, each.name, each.alive ? null : h("span", "flag dead-flag", each.says))))] : null);
  }

  // The phone of the dead has nothing to press but what they say last.
  const rests = () => !state.alive && state.last_words !== "open" && !state.next && !likely().some((each) => !each.reason);

  const offered = (view) => JSON.stringify([view.on, view.likely, view.next, view.last_words, view.others, view.events]);

  return async (next) => {
    const before = state;
    state = next;
    if (before && `${before.events}` !== `${next.events}`) {
      const { status, value } = await ask("game");
      if (status === 200) learn((actions.game = value));
      if (actions.event && !actions.spec) actions.drop();
    }
    field.update(state.board);
    showTurn();
    const fresh = isFresh(state.log);
    showAnswer(fresh);
    if (before && !fresh) tellTurned(before.log, state.log);
    showOwn();
    if (!before) actions.restore();
    if (actions.question && actions.question.on !== state.on) actions.overtaken("Something else has happened.");
    else if (!before || (offered(before) !== offered(next) && !actions.question && !region.querySelector(":is(input, select):focus"))) actions.render();
    region.hidden = rests() && !actions.isOpen;
    show(foot, state.undo ? button([h("span", { class: "sign", "aria-hidden": "true" }, "↶"), h("span", {}, h("b", {}, "Take back"), h("small", {}, state.log.at(-1)?.says))], () => actions.simply({ deed: { do: "undo" } }), { class: "turn-button undo", data: { key: "undo" } }) : null);
    if (state.trouble && state.trouble !== before?.trouble) actions.say("error", state.trouble);
    show(top, button("Rules", () => dialog("The rules", rulesNode()), { class: "quiet", data: { key: "rules" } }));
  };
}
