// A player's page: their own character, what they may do, and who else is there.

import { Actions } from "./actions.js";
import { face } from "./cards.js";
import { button, h, show } from "./dom.js";
import { fieldView } from "./field.js";
import { ask, newId } from "./net.js";
import { glance, sentences } from "./people.js";

export function player(game, main, foot, top) {
  let state = null;
  let known = game;
  const own = h("section", { class: "own", "aria-label": "Your character" });
  const region = h("section", { class: "panel", "aria-label": "What you may do" });
  const answer = h("section", { class: "answer", "aria-live": "polite", "aria-label": "What has happened to you" });
  const others = h("section", { class: "others", "aria-label": "The others" });
  const sheet = h("section", { class: "sheet", "aria-label": "Your sheet" });
  const field = fieldView({
    act: ([name, ...words]) => actions.question || actions.send({ deed: { do: name, who: "", words, at: {} }, asking: true }),
    allowed: ([name]) => state.events.includes(name),
  });
  show(main, h("div", { class: "left" }, own, field.node, sheet, others), h("div", { class: "right" }, region, answer));
  const actions = new Actions(region, known, { state: () => state, who: () => state.name, drawn: showFoot });

  function showFoot() {
    const undo = actions.question ? "the last answer" : state?.undo;
    show(foot, undo ? button([h("span", { class: "sign", "aria-hidden": "true" }, "↶"), h("span", {}, h("b", {}, "Take back"), h("small", {}, undo))], back, { class: "turn-button undo", data: { key: "undo" } }) : null);
  }

  async function back() {
    if (actions.question) return actions.back();
    const { status, value } = await ask("do", { id: newId(), on: state.on, deed: { do: "undo" } });
    if (status !== 200) actions.say("error", value.error);
  }

  return async (next) => {
    const before = state;
    state = next;
    if (`${known.events.map((each) => each.name)}` !== `${state.events}`) {
      const { status, value } = await ask("game");
      if (status === 200) known = actions.game = value;
      actions.drop();
    }
    field.update(state.board);
    const { name, alive, sheet: lines } = state;
    show(
      own,
      h("div", { class: `hero ${alive ? "" : "dead"}` }, h("h2", {}, name), alive ? null : h("span", { class: "flag dead-flag" }, "dead")),
      glance(state),
    );
    show(sheet, lines.length ? h("details", { open: sheet.querySelector("details")?.open }, h("summary", {}, "Your sheet"), h("dl", {}, lines.map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]))) : null);
    show(others, state.others.length ? [h("h2", {}, "At the table"), h("ul", {}, state.others.map((each) => h("li", { class: each.alive ? "" : "dead" }, each.name, each.alive ? null : h("span", { class: "flag dead-flag" }, "dead"))))] : null);
    const last = state.log.at(-1);
    show(
      answer,
      last ? [h("h2", {}, "What happened to you"), last.cards.length ? h("div", { class: "drawn" }, last.cards.map(face)) : null, h("div", { class: "sentences" }, last.lines.length ? sentences(last.lines) : h("p", {}, `Done: ${last.typed}`))] : null,
    );
    if (actions.question && actions.question.on !== state.on) actions.overtaken("Something else has happened.");
    if (!before || (before.on !== state.on && !actions.question) || !region.hasChildNodes()) {
      if (known.events.length) actions.render();
    }
    showFoot();
    if (state.trouble) actions.say("error", state.trouble);
    show(top);
  };
}
