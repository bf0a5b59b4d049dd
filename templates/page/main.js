// The page begins here: who is asking, and what they are shown.

import { capital, h, show, tell, walk } from "./dom.js";
import { gameMaster } from "./gm.js";
import { learn } from "./known.js";
import { ask, follow, keepSeat } from "./net.js";
import { night } from "./night.js";
import { player } from "./player.js";

const main = document.getElementById("main");
const foot = document.getElementById("foot");
const tools = h("div", "tools");
const status = h("p", "status");
const title = h("h1", "title");
document.getElementById("top").append(title, tools, h("div", "ends", status, night()));

const SAID = { live: "live", away: "Connection lost. Trying again …", gone: "closed" };

function linked(kind, why = "") {
  if (status.dataset.kind === kind) return;
  const back = status.dataset.kind === "away" && kind === "live";
  status.dataset.kind = kind;
  status.textContent = SAID[kind];
  if (kind === "away") tell(SAID.away);
  if (back) tell("Connected again.");
  if (kind !== "gone") return;
  // Nothing of the table is left to be tapped on a page whose link opens nothing any more.
  page = () => {};
  document.querySelector("dialog[open]")?.close();
  for (const region of [foot, tools]) show(region);
  const said = `${capital(why)}.`;
  show(main, h("section", "closed", h("h2", {}, "This page is closed"), h("p", {}, said)));
  tell("This page is closed.", said);
}

main.addEventListener("keydown", walk);
// Without a new address, which Back would have to leave again.
document.querySelector(".skip").onclick = (event) => (event.preventDefault(), main.focus());

let page = null;
let seat = "";
let told = null;

async function open(state) {
  const { status: found, value: game } = await ask("game");
  if (found !== 200) return linked("gone", game.error);
  keepSeat(state);
  learn(game);
  const shown = state.role === "gm" ? gameMaster : player;
  show(title, state.role === "gm" ? [h("span", "system", `${game.title} · `), state.title] : game.title);
  document.title = state.role === "gm" ? `${state.title} · ${game.title}` : `${state.name} · ${game.title}`;
  document.body.className = state.role;
  page = shown(game, main, foot, tools);
  return page(told);
}

follow(async (state) => {
  const first = seat !== state.role;
  seat = state.role;
  told = state;
  if (first) await open(state);
  else page?.(state);
}, linked);

show(main, h("p", "wait", "Opening the table …"));
