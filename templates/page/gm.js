// The game master's page: the party, what is done to it, the answer, the log.

import { Actions } from "./actions.js";
import { deckLeft, face, parted } from "./cards.js";
import { correct, strikes } from "./correct.js";
import { button, capital, dialog, h, show, svg } from "./dom.js";
import { fieldView } from "./field.js";
import { ask, newId } from "./net.js";
import { glance, sentences } from "./people.js";

export function gameMaster(game, main, foot, top) {
  let state = null;
  let who = null;
  let picked = null;
  let odds = new Map();
  let oddsFor = "";
  let said = null;

  const board = h("section", { class: "board", "aria-label": "The party" });
  const region = h("section", { class: "panel", "aria-label": "What happens" });
  const answer = h("section", { class: "answer", "aria-live": "polite", "aria-label": "What has happened" });
  const log = h("section", { class: "log", "aria-label": "The log" });
  const typing = commandLine();
  const field = fieldView({ act: tapped });
  let onField = false;
  show(main, h("div", { class: "left" }, field.node, board, h("div", { class: "side-log" }, log)), h("div", { class: "right" }, region, answer, typing));

  const actions = new Actions(region, game, {
    state: () => state,
    who: () => who,
    picked: (event, words) => {
      picked = game.questions.includes(event) ? words : null;
      count();
    },
    spoken: (value, event) => {
      // Looking is no event: what it says is shown here alone.
      said = value.log && value.on === state.on && game.looks.includes(event) ? value.lines : null;
      showAnswer();
      if (innerWidth < 960 && !onField) answer.scrollIntoView({ block: "start" });
    },
    drawn: showFoot,
  });

  // A command that lies on the field. Whoever plays there stays there, unless something is asked or refused.
  async function tapped([name, ...words], tap) {
    if (actions.question) return;
    if (tap?.strikes.length) return strikes(tap, tapped);
    onField = true;
    await actions.send({ deed: { do: name, who: "", words, at: {} }, asking: true });
    onField = false;
    if (actions.notice) region.scrollIntoView({ block: "nearest" });
  }

  // --- the board ---------------------------------------------------------------------------------------------------

  function tile(person) {
    const chance = odds.get(person.name);
    const turn = state.acting === person.name;
    const classes = ["tile", person.alive ? "" : "dead", turn ? "turn" : "", person.name === who ? "chosen" : ""];
    return h(
      "article",
      { class: classes.join(" ") },
      h(
        "button",
        { type: "button", class: "name-button", "aria-pressed": `${person.name === who}`, onclick: () => choose(person.name), data: { key: `person-${person.name}`, person: person.name } },
        h("span", { class: "who" }, person.name),
        " ",
        turn ? h("span", { class: "flag" }, "turn") : null,
        " ",
        person.alive ? null : h("span", { class: "flag dead-flag" }, "dead"),
      ),
      glance(person),
      person.alive && chance ? h("p", { class: `odds ${chance.p >= 0.2 ? "grave" : ""}`, title: chance.counts }, h("b", {}, percent(chance.p)), ` to die of ${spokenPicked()}`) : null,
    );
  }

  function spokenPicked() {
    return picked ? picked.join(" ") : "";
  }

  function choose(name) {
    if (actions.question) return;
    if (game.shared && actions.person(name)) return undefined;
    who = name;
    showBoard();
    actions.turned();
    if (who && innerWidth < 640) region.scrollIntoView({ block: "start" });
  }

  function showBoard() {
    const joining = game.newcomer ? button("+ Somebody joins", () => actions.choose("add"), { class: "tile joins", data: { key: "joins" } }) : null;
    const table = state.table;
    show(
      board,
      table?.line ? h("p", { class: "table-line" }, table.line) : null,
      table?.details?.length ? h("pre", { class: "field", tabindex: "0", "aria-label": "The table" }, table.details.join("\n")) : null,
      state.people.map(tile),
      joining,
    );
  }

  // --- odds --------------------------------------------------------------------------------------------------------

  async function count() {
    const asked = picked && picked.length > 1 ? JSON.stringify([state.on, picked]) : "";
    if (asked === oddsFor) return;
    oddsFor = asked;
    if (!asked) {
      odds = new Map();
      return showBoard();
    }
    const { status, value } = await ask("odds", { words: picked });
    if (asked !== oddsFor) return;
    odds = new Map((status === 200 ? value : []).filter((each) => each.death).map((each) => [each.who, { p: each.death.p, counts: each.counts }]));
    showBoard();
  }

  // --- the answer and the log --------------------------------------------------------------------------------------

  function showAnswer() {
    if (said) return show(answer, h("h2", {}, "Seen"), h("pre", { class: "field", tabindex: "0" }, said.join("\n")));
    const last = state.log.at(-1);
    if (!last) return show(answer, h("p", { class: "empty" }, state.people.length ? "Nothing has happened yet." : "Nobody is at the table yet: let somebody join."));
    return show(
      answer,
      h("h2", {}, last.typed),
      last.cards.length ? h("div", { class: "drawn" }, last.cards.map(face)) : null,
      h("div", { class: "sentences" }, sentences(last.lines)),
    );
  }

  function showLog() {
    const before = state.log.slice(0, -1).reverse();
    show(
      log,
      h("h2", {}, "Before that"),
      before.length ? h("ol", {}, before.map((each) => h("li", { value: each.number }, h("details", {}, h("summary", {}, each.typed), sentences(each.lines), button("Mend", () => begin(`mend ${each.number} ${each.typed}`), { class: "quiet", "aria-label": `Mend ${each.typed}`, data: { key: `mend-${each.number}` } }))))) : h("p", { class: "empty" }, "This is the beginning."),
    );
  }

  // --- undo and redo -----------------------------------------------------------------------------------------------

  // While a question is open, undo takes back the last answer.
  function turning(way, found, sign) {
    if (way === "undo" && actions.question) found = { back: [], out: [], typed: "the last answer" };
    const moves = found ? [found.back.length ? `put back ${cards(found.back)}` : "", found.out.length ? `take out ${cards(found.out)}` : ""].filter(Boolean) : [];
    return button(
      [h("span", { class: "sign", "aria-hidden": "true" }, sign), h("span", {}, h("b", {}, capital(way)), moves.length ? h("strong", {}, moves.join(", ")) : null, h("small", {}, found ? found.typed : "nothing"))],
      () => turn(way),
      { class: `turn-button ${way}`, disabled: !found, data: { key: way } },
    );
  }

  const cards = (names) => names.map((name) => `${parted(name).rank}${parted(name).sign}`).join(" ");

  async function turn(way) {
    if (way === "undo" && actions.question) return actions.back();
    actions.drop();
    const { status, value } = await ask("do", { id: newId(), on: state.on, deed: { do: way } });
    if (status !== 200) return actions.say("error", value.error);
    const moves = value.lines.filter((line) => line.startsWith("Back ") || line.startsWith("Out "));
    if (moves.length) actions.say("cards", moves.join(" "));
    return undefined;
  }

  // --- dialogs -----------------------------------------------------------------------------------------------------

  function showDeck() {
    const gone = game.deck.length - new Set(state.deck.cards).size;
    dialog("The deck", h("p", {}, `${state.deck.left} cards are left${gone ? `, ${gone} are out` : ""}.`), h("div", { class: "deck-left" }, deckLeft(game.deck, state.deck.cards)));
  }

  async function showLinks(renewed) {
    const { value } = renewed ? await ask("renew", { name: renewed }) : await ask("links");
    const events = new Set(state.player_events);
    const hidden = new Set(state.hidden);
    const settle = () => ask("settings", { events: [...events], hidden: [...hidden] });
    const tick = (label, on, change) =>
      h("label", { class: "tick" }, h("input", { type: "checkbox", checked: on, onchange: (event) => (change(event.target.checked), settle()) }), label);
    const leaves = async (name) => {
      shown.close();
      const { status, value } = await ask("do", { id: newId(), on: state.on, deed: { do: "remove", who: name } });
      if (status !== 200) actions.say("error", value.error);
    };
    const put = (set, name, has) => (has ? set.add(name) : set.delete(name));
    const renewing = (name) =>
      h(
        "details",
        {},
        h("summary", {}, "This link got into the wrong hands"),
        h("p", {}, `${name} gets a new link. The old link stops working, and pages that use it close.`),
        button(`Make a new link for ${name}`, () => (shown.close(), showLinks(name)), { data: { key: `renew-${name}` } }),
      );
    const shown = dialog(
      "Players",
      h("p", {}, "Each player opens their own link, or points a phone at the code. They see their own character, and of others only the name and whether they live."),
      value.some(({ url }) => new URL(url).hostname === "127.0.0.1") ? h("p", { class: "notice" }, "Phones cannot reach these links: they open on this computer alone. End the page, and start it again with --lan.") : null,
      value.length ? null : h("p", { class: "empty" }, "Nobody is at the table yet."),
      value.map(({ name, url, qr }) =>
        h("section", { class: "link" }, h("div", { class: "link-head" }, h("h3", {}, name), game.shared ? null : button(`${name} leaves the table`, () => leaves(name), { class: "quiet" })), h("details", {}, h("summary", {}, "Show the code"), code(qr, name)), h("input", { readonly: true, value: url, "aria-label": `The link of ${name}`, onfocus: (event) => event.target.select() }), tick("the others see that they are here", !hidden.has(name), (on) => put(hidden, name, !on)), renewing(name)),
      ),
      h("h3", {}, "What players may do by themselves"),
      h("div", { class: "ticks" }, game.events.filter((each) => !game.looks.includes(each.name)).map((each) => tick(each.name, events.has(each.name), (on) => put(events, each.name, on)))),
    );
  }

  // A command that is begun for somebody: they write the rest, and see before it is done what it says.
  function begin(text) {
    const field = typing.querySelector("input");
    field.value = text;
    field.focus();
  }

  const quoted = (word) => (/\s/.test(word) ? `"${word}"` : word);

  function commandLine() {
    const field = h("input", { type: "text", "aria-label": "A command, as at the prompt", placeholder: "A command, as at the prompt: help", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 1000, data: { key: "command" } });
    return h(
      "form",
      {
        class: "command",
        onsubmit: async (event) => {
          event.preventDefault();
          const words = [...field.value.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2]);
          if (!words.length) return;
          const { status, value } = await ask("do", { id: newId(), on: state.on, words, asking: true });
          const previewed = status === 200 && words[0] === "mend" && words.length > 2 && value.on === state.on;
          if (status === 200) field.value = previewed ? `mend ${words[1]} yes ${words.slice(2).map(quoted).join(" ")}` : "";
          if (status === 422 && value.need) actions.asked(value, value.deed);
          else if (status !== 200) actions.say("error", value.error);
          else if (value.on === state.on && value.lines?.length) {
            said = value.lines;
            showAnswer();
          }
        },
      },
      h(
        "div",
        { class: "begins" },
        button("Note", () => begin("note "), { class: "quiet", data: { key: "note" } }),
        button("Correct", () => (game.shared || state.people.length) && correct({ names: [...state.people.map((each) => each.name), ...(game.shared ? [""] : [])], who, shared: game.shared, deck: game.deck, on: () => state.on }), { class: "quiet", data: { key: "correct" } }),
        button("Chronicle", showChronicle, { class: "quiet", data: { key: "chronicle" } }),
      ),
      field,
      h("button", { type: "submit" }, "Do"),
    );
  }

  async function showChronicle() {
    const { status, value } = await ask("do", { id: newId(), on: state.on, words: ["chronicle"] });
    if (status !== 200) return actions.say("error", value.error);
    return dialog("The chronicle", h("div", { class: "sentences" }, value.lines.map((line) => h("p", {}, line))));
  }

  function showFoot() {
    if (!state) return;
    show(foot, turning("undo", state.undo, "↶"), turning("redo", state.redo, "↷"));
    const deck = game.deck.length ? button([h("b", {}, `${state.deck.left}`), ` cards`, h("span", { class: "wide" }, " left")], showDeck, { class: "quiet", data: { key: "deck" } }) : null;
    show(top, deck, button("Players", () => showLinks(), { class: "quiet", data: { key: "links" } }));
  }

  return (next) => {
    const moved = state && next.on !== state.on;
    state = next;
    if (moved) said = null;
    if (who && !state.people.some((each) => each.name === who)) who = null;
    if (!who && !game.shared && state.people.length === 1) who = state.people[0].name;
    field.update(state.board);
    showBoard();
    showAnswer();
    showLog();
    showFoot();
    if (!region.hasChildNodes()) actions.render();
    else if (moved && !actions.question && !region.contains(document.activeElement)) actions.render();
    if (moved && actions.question && actions.question.on !== state.on) actions.overtaken(`Meanwhile: ${state.log.at(-1)?.typed ?? "undo"}.`);
    if (state.trouble) actions.say("error", state.trouble);
    count();
  };
}

function percent(p) {
  const hundred = p * 100;
  if (p === 0 || p === 1) return `${hundred} %`;
  if (hundred < 0.1) return "under 0.1 %";
  return `${hundred < 10 ? hundred.toFixed(1) : Math.round(hundred)} %`;
}

// A QR code, drawn square by square.
function code(rows, name) {
  const quiet = 4;
  const size = rows.length + 2 * quiet;
  let path = "";
  rows.forEach((row, y) => [...row].forEach((dark, x) => (path += dark === "1" ? `M${x + quiet} ${y + quiet}h1v1h-1z` : "")));
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `QR code of the link of ${name}`, "shape-rendering": "crispEdges" }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}
