// The game master's page: the party, what is done to it, what has just happened, the log.

import { Actions, besides } from "./actions.js";
import { backCloses, dialogLayer } from "./back.js";
import { deckLeft, index, pretty, suitClass } from "./cards.js";
import { correct, strikes } from "./correct.js";
import { button, capital, dialog, h, show, tell } from "./dom.js";
import { fieldView } from "./field.js";
import { showLinks } from "./links.js";
import { MAX_CARDS, sentences, showMoment, tellTurned, witness } from "./moment.js";
import { ask } from "./net.js";
import { sentence } from "./question.js";
import { houseRules, rulesNode } from "./rules.js";
import { health, look, tableNode, tileParts } from "./tile.js";

const WIDE = 960;
const LOW_DECK = 14;
const BESIDE = 1200; // from this width on the rules lie beside the party

export function gameMaster(game, main, foot, top) {
  let state = null;
  let who = null;
  let picked = null;
  let odds = new Map();
  let oddsFor = "";
  let oddsOf = ""; // what the odds that are shown were counted for
  let said = null;
  let phase = ""; // chosen by hand, until the table goes on to the other
  let onField = false;
  const isFresh = witness();

  const board = h("section", { class: "board", "aria-label": "The party" });
  const region = h("section", { class: "panel", "aria-label": "What happens" });
  const answer = h("section", { class: "answer", "aria-label": "What has happened" });
  const log = h("section", { class: "log", "aria-label": "The log" });
  const rules = h("aside", { class: "rules-side", "aria-label": "The rules", hidden: true });
  const showRules = () => {
    if (innerWidth < BESIDE) return dialog("The rules", rulesNode());
    if (!rules.childElementCount) show(rules, h("h2", {}, "The rules"), rulesNode());
    rules.hidden = !rules.hidden;
    document.body.dataset.rules = rules.hidden ? "" : "yes";
  };
  const typing = h("div", "begins", button("Note", () => askNote(), { class: "quiet", data: { key: "note" } }), button("Evening", () => askTitle(), { class: "quiet", data: { key: "evening" } }), button("Set values", () => setValues(), { class: "quiet", data: { key: "correct" } }), button("Chronicle", showChronicle, { class: "quiet", data: { key: "chronicle" } }));
  const field = fieldView({ act: tapped });
  const left = h("div", "left", field.node, board, houseRules(game.house_rules));
  show(main, left, rules, h("div", "right", region, answer, h("div", "side-log", log), typing));

  const actions = new Actions(region, game, {
    state: () => state,
    who: () => who,
    likely,
    head,
    picked: (event, words) => {
      picked = game.questions.includes(event) ? words : null;
      count();
    },
    spoken: (value, event) => {
      // Looking is no event: what it says is shown here alone.
      said = value.read_only ? value.lines : null;
      if (said) showAnswer();
    },
    asking: (yes) => {
      for (const each of [board, field.node, answer, log, typing, foot, top]) each.inert = yes;
      // The party can still be scrolled with the keyboard meanwhile.
      if (yes) left.tabIndex = 0;
      else left.removeAttribute("tabindex");
    },
  });
  backCloses(dialogLayer, () => actions.isOpen && (() => actions.stepBack()));

  // A command that lies on the field. Whoever plays there stays there, unless something is asked or refused.
  async function tapped([name, ...words], tap) {
    if (actions.question) return;
    if (tap?.strikes?.length) return strikes(tap, tapped);
    onField = true;
    await actions.send({ deed: { do: name, who: "", words, at: {} }, asking: true });
    onField = false;
    if (actions.notice) region.scrollIntoView({ block: "nearest" });
  }

  // --- what is likely ---

  const person = () => state?.people.find((each) => each.name === who);
  const now = () => phase || state?.phase || "";

  // What lies on the field as a button, which says more, needs none here.
  function likely() {
    return besides(game.shared ? state : person(), state?.board, now());
  }

  function head() {
    if (!state) return null;
    // Nobody plays yet: that is the next step, and all that can be done.
    if (game.newcomer && !state.people.length) return button("Add a character", () => actions.choose("add"), { class: "primary next" });
    return [
      state.wishes?.length || others().length ? h("div", "calls", (state.wishes ?? []).map(wish), others().map((each) => h("p", "open-question", each.says))) : null,
      h(
        "div",
        { class: "head" },
        game.shared ? (state.acting ? h("h2", "whom", h("small", {}, "The turn of"), ` ${state.acting}`) : null) : h("h2", "whom", [h("small", {}, "What befalls"), ` ${who}?`]),
        game.phases ? h("div", { class: "phases", role: "group", "aria-label": "When" }, [["fight", "Fight"], ["after", "Afterwards"]].map(([name, says]) => button(says, () => ((phase = name), actions.heard()), { class: "chip", "aria-pressed": `${now() === name}`, data: { key: `phase-${name}` } }))) : null,
      ),
      actions.nextNode(!state.next?.in || state.next.in === now() ? state.next : null),
    ];
  }

  // Questions that are open on other devices.
  const others = () => (state.asking ?? []).filter((each) => each.id !== actions.id);

  const wish = ({ who: name, says, can = [] }) =>
    h("div", "wish", h("p", {}, says.startsWith(name) ? [h("b", {}, name), says.slice(name.length)] : [h("b", {}, name), `: ${says}`]), h("div", "chips", can.map((tap) => button([tap.says, tap.detail ? h("small", {}, h("br"), tap.detail) : null], () => tapped(tap.words, tap), { class: "chip first", data: { key: `grant-${tap.words.join("-")}`, tap: tap.words.join(" ") } }))));

  // --- the board ---

  function tile(each) {
    const chance = odds.get(each.name);
    const turn = state.acting === each.name;
    return h(
      "article",
      { class: ["tile", look(each), each.side ?? "", turn ? "turn" : "", each.name === who ? "chosen" : ""].join(" "), onclick: (event) => event.target.closest("button") || choose(each.name) },
      h("button", { type: "button", class: "name-button", "aria-pressed": `${each.name === who}`, onclick: () => choose(each.name), data: { key: `person-${each.name}`, person: each.name } }, h("span", "who", each.name), " ", turn && !each.states?.length ? h("span", "flag", "turn") : null, " ", each.side && h("span", "sr", each.side), health(each)),
      tileParts(each),
      each.alive && chance && h("p", { class: `odds ${chance.p >= 0.2 ? "likely-death" : ""} ${oddsFor === oddsOf ? "" : "stale"}`, title: chance.counts }, h("b", {}, percent(chance.p)), ` ${chance.words}`),
    );
  }

  function choose(name) {
    if (actions.question) return;
    if (game.shared && actions.person(name)) return undefined;
    who = name;
    showBoard();
    actions.turned();
  }

  function showBoard() {
    const joining = game.newcomer ? button("+ Add a character", () => actions.choose("add"), { class: "tile joins", data: { key: "joins" } }) : null;
    show(board, state.table?.pile?.length ? tableNode(state.table) : null, state.people.map(tile), joining);
  }

  // --- odds ---

  async function count() {
    const asked = picked && picked.length > 1 ? JSON.stringify([state.on, picked]) : "";
    if (asked === oddsFor) return;
    oddsFor = asked;
    if (!asked) odds = new Map();
    showBoard();
    if (!asked) return;
    const { status, value } = await ask("odds", { words: picked });
    if (asked !== oddsFor) return;
    oddsOf = asked;
    const words = `to die from a ${sentence({ do: picked[0], who: " ", words: picked.slice(1) }).toLowerCase()}`.replace(/\s+/g, " ");
    odds = new Map((status === 200 ? value : []).filter((each) => each.death).map((each) => [each.who, { p: each.death.p, counts: each.counts, words }]));
    showBoard();
  }

  // --- what has happened, and the log ---

  function showAnswer(fresh = false) {
    const last = state.log.at(-1);
    if (said) {
      tell(said);
      return show(answer, h("h2", {}, "Looked up"), h("pre", { class: "field", tabindex: "0" }, said.join("\n")));
    }
    if (!last) return show(answer, h("p", "empty", state.people.length ? "Nothing has happened yet." : "Nobody is at the table yet. Add a character."));
    showMoment(answer, last, state.on, { fresh, drawn: Boolean(state.board), below: mendButton(last) });
    if (fresh && !onField) innerWidth < WIDE ? answer.scrollIntoView({ block: "start" }) : (answer.parentElement.scrollTop = 0);
    return undefined;
  }

  function showLog() {
    const before = state.log.slice(0, -1).reverse();
    const entry = (each) => h("li", { value: each.number }, h("details", {},
      h("summary", {}, h("span", {}, each.says), each.cards.slice(0, MAX_CARDS).map((name) => h("b", `log-card ${suitClass(name)}`, index(name)))),
      sentences(each.lines), mendButton(each)));
    show(log, h("h2", {}, "Earlier"), before.length ? h("ol", {}, before.map(entry)) : h("p", "empty", "This is the beginning."));
  }

  const mendButton = (each) => button("Correct", () => actions.mend(each), { class: "quiet", "aria-label": `Correct: ${each.says}`, data: { key: `mend-${each.number}` } });

  // --- undo and redo ---

  function turning(way, found, sign) {
    const moves = found ? [found.back.length ? `put back ${cards(found.back)}` : "", found.out.length ? `take out ${cards(found.out)}` : ""].filter(Boolean) : [];
    return button([h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", {}, h("b", {}, capital(way)), moves.length ? h("strong", {}, moves.join(", ")) : null, h("small", {}, found ? found.says : "nothing"))], () => turn(way), { class: `turn-button ${way}`, disabled: !found, data: { key: way } });
  }

  const cards = (names) => names.map(index).join(" ");

  async function turn(way) {
    actions.drop();
    const done = await actions.simply({ deed: { do: way } });
    const moves = done?.lines.filter((line) => line.startsWith("Back ") || line.startsWith("Out "));
    if (moves?.length) actions.say("cards", moves.join(" "));
  }

  // --- dialogs ---

  function showDeck() {
    const gone = game.deck.length - new Set(state.deck.cards).size;
    dialog("The deck", h("p", {}, `${state.deck.left} cards are left${gone ? `, ${gone} are out` : ""}.`), h("div", "deck-left", deckLeft(game.deck, state.deck.cards)));
  }

  const remove = (name) => actions.simply({ deed: { do: "remove", who: name } });

  function askText(title, act, deed) {
    const input = h("textarea", { maxlength: 200, "aria-label": title });
    const write = async () => input.value.trim() && (await actions.simply({ deed: deed(input.value.trim().replace(/\s+/g, " ")) })) && shown.close();
    const shown = dialog(title, input, h("div", "go", button(act, write, { class: "primary", data: { key: "note-it" } })));
    input.focus();
  }
  const askNote = () => askText("Note", "Write it down", (text) => ({ do: "note", words: [text] }));
  const askTitle = () => askText("This evening", "Write", (text) => ({ do: "session", words: [text] }));
  const rename = (name) => askText(`Rename ${name}`, "Rename", (text) => ({ do: "rename", words: [name, text] }));

  const setValues = () => (game.shared || state.people.length) && correct({ names: [...state.people.map((each) => each.name), ...(game.shared ? [""] : [])], who, shared: game.shared, deck: game.deck, called: game.names, on: () => state.on });

  async function showChronicle() {
    const told = await actions.simply({ words: ["chronicle"] });
    if (!told) return;
    const text = pretty(told.lines.join("\n"));
    const body = h("pre", { class: "field chronicle", tabindex: "0" }, text);
    const said = h("p", { role: "status" });
    const copy = async () => {
      // Without TLS a page has no clipboard of its own: what is chosen is copied.
      getSelection().selectAllChildren(body);
      await navigator.clipboard?.writeText(text).catch(() => {});
      said.textContent = navigator.clipboard || document.execCommand("copy") ? "Copied." : "Copy what is chosen below.";
    };
    const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    dialog("The chronicle", h("div", "go", button("Copy", copy, { data: { key: "copy" } }), h("a", { class: "act", href: file, download: `${state.title}.txt`, data: { key: "save" } }, "Save"), said), body);
  }

  function showFoot() {
    show(foot, turning("undo", state.undo, "↶"), turning("redo", state.redo, "↷"));
    const stack = h("i", { class: `stack ${state.deck?.left < LOW_DECK ? "low" : ""}`, "aria-hidden": "true" });
    const deck = game.deck.length ? button([stack, h("b", {}, `${state.deck.left}`), h("span", "wide", " cards left")], showDeck, { class: "quiet", "aria-label": `${state.deck.left} cards left`, data: { key: "deck" } }) : null;
    show(top, deck, button("Rules", showRules, { class: "quiet", data: { key: "rules" } }), button("Players", () => showLinks({ game, state, remove, rename }), { class: "quiet", data: { key: "links" } }));
  }

  const calls = (view) => JSON.stringify([view?.wishes, view?.asking, view?.next]);

  return (next) => {
    const before = state;
    const moved = before && next.on !== before.on;
    state = next;
    if (moved) said = null;
    if (before?.phase !== next.phase) phase = "";
    if (who && !person()) who = null;
    // Nobody is chosen yet: whoever was struck last, or the first who lives.
    const alive = state.people.filter((each) => each.alive).map((each) => each.name);
    if (!who && !game.shared) who = state.log.at(-1)?.who.find((name) => alive.includes(name)) ?? alive[0] ?? state.people[0]?.name ?? null;
    const fresh = isFresh(state.log);
    // A player's question appears only in the panel.
    const granted = new Set((state.wishes ?? []).flatMap((each) => each.can).map((tap) => `${tap.words}`));
    field.update(state.board && { ...state.board, commands: state.board.commands.filter((tap) => !granted.has(`${tap.words}`)) });
    showBoard();
    showAnswer(fresh);
    if (moved && !fresh) tellTurned(before.log, state.log);
    showLog();
    showFoot();
    if (!before) who = actions.restore() ?? who;
    if (!region.hasChildNodes()) actions.render();
    else if ((moved || calls(before) !== calls(next)) && !actions.question && !region.querySelector(":is(input, select):focus")) actions.render();
    if (moved && actions.question && actions.question.on !== state.on) actions.overtaken(`Meanwhile: ${state.log.at(-1)?.says ?? "undo"}.`);
    if (calls(before) !== calls(next)) tell(state.wishes?.map((each) => each.says), others().map((each) => each.says));
    if (state.trouble && state.trouble !== before?.trouble) actions.say("error", state.trouble);
    count();
  };
}

function percent(p) {
  const hundred = p * 100;
  if (p === 0 || p === 1) return `${hundred} %`;
  if (hundred < 0.1) return "under 0.1 %";
  return `${hundred < 10 ? hundred.toFixed(1) : Math.round(hundred)} %`;
}
