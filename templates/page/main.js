// The page begins here: who is asking, and what they are shown.

import { h, show, walk } from "./dom.js";
import { gameMaster } from "./gm.js";
import { ask, follow, keepSeat } from "./net.js";
import { night } from "./night.js";
import { player } from "./player.js";

const main = document.getElementById("main");
const foot = document.getElementById("foot");
const tools = h("div", { class: "tools" });
const status = h("p", { class: "status", role: "status" });
const title = h("h1", { class: "title" });
document.getElementById("top").append(title, tools, h("div", { class: "ends" }, status, night()));

const SAID = {
  live: ["live", "live"],
  away: ["away", "The server is away. Trying again …"],
  gone: ["gone", "This link is incomplete or no longer works. Ask the game master for a new one."],
};

function linked(how) {
  const [kind, text] = SAID[how];
  if (status.dataset.kind === kind) return;
  status.dataset.kind = kind;
  status.textContent = text;
}

main.addEventListener("keydown", walk);

let page = null;
let role = "";
let told = null;

async function open(state) {
  const { status: found, value: game } = await ask("game");
  if (found !== 200) return linked("gone");
  keepSeat(state);
  const shown = state.role === "gm" ? gameMaster : player;
  title.textContent = state.role === "gm" ? `${game.title} · ${state.campaign}` : game.title;
  document.title = state.role === "gm" ? `${state.campaign} · ${game.title}` : `${state.name} · ${game.title}`;
  document.body.dataset.role = state.role;
  page = shown(game, main, foot, tools);
  return page(told);
}

follow(async (state) => {
  const first = role !== state.role;
  role = state.role;
  told = state;
  if (first) await open(state);
  else page?.(state);
}, linked);

show(main, h("p", { class: "wait" }, "Opening the table …"));
