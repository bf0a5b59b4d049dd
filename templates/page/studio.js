// The studio: which of its pages is shown, by the part of the address behind the #.

import { h, show } from "./dom.js";
import { follow } from "./net.js";
import { night } from "./night.js";
import { composePage } from "./studio-compose.js";
import { contents, failed, forget, go, later, link, main } from "./studio-base.js";
import { deskPage, openPdf, trayPage } from "./studio-desk.js";
import { searchPage, shelfPage, systemPage } from "./studio-look.js";
import { playPage } from "./studio-play.js";
import { rulesPage } from "./studio-rules.js";
import { paintTray } from "./studio-tray.js";
import { startPage, writePage } from "./studio-write.js";

const AWAY = {
  live: "",
  away: "Connection lost. Start the studio again.",
  gone: "This tab has no key. Open the link that hackjack studio printed.",
};
const tabs = h("nav", { class: "tabs", "aria-label": "Pages" });
const find = h("input", { type: "search", class: "find", name: "find", placeholder: "Find a card, a row, a panel", "aria-label": "Find in all systems", oninput: () => seek(150) });
const status = h("p", { class: "away", role: "status" });
document.getElementById("top").append(h("a", { class: "brand", href: "#", data: { key: "home" } }, h("img", { src: "icon.svg", alt: "", width: 24, height: 24 }), "Hackjack"), tabs, find, night(), status);
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

const RESERVED = new Set(["tray", "play", "start", "find", "compose", "post"]);
const parts = () => location.hash.slice(1).split("/").filter(Boolean).map(decodeURIComponent);

const seek = later(() => {
  const typed = find.value.trim();
  if (!typed) return parts()[0] === "find" ? go() : undefined;
  if (parts()[0] !== "find") return go("find", typed);
  history.replaceState(null, "", link("find", typed));
  return paint();
});

async function tabsOf(name, part) {
  const tab = (label, to, here) => h("a", { href: to, data: { key: `tab-${label}` }, ...(here ? { "aria-current": "page" } : {}) }, label);
  // What is in hand stays there where a pack is started from it, and where it is played.
  const own = !name ? "" : !RESERVED.has(name) ? name : ["start", "play", "post"].includes(name) ? part : "";
  const here = own === name ? part ?? "look" : name;
  show(tabs,
    tab("Shelf", "#", !name),
    own ? [tab("Look", link(own), here === "look"), tab("Print", link(own, "print", "deck"), here === "print"), tab("House rules", link(own, "rules"), here === "rules"), tab("Write", link(own, "write"), ["write", "start"].includes(here))] : null,
    tab("Compose", link("compose"), name === "compose"),
    tab("Play", link("play", own), name === "play"));
  if (!own) return;
  const told = await contents(own).catch(() => null);
  if (told?.post && !tabs.querySelector("[data-key=tab-Post]")) tabs.querySelector("[data-key=tab-Write]")?.before(tab("Post", link(own, "post"), here === "post"));
  if (told && !told.own) tabs.querySelector("[data-key=tab-Write]")?.setAttribute("href", link("start", own));
  const first = told?.starter ? "starter" : told?.products?.[0]?.name;
  if (first && here !== "print") tabs.querySelector("[data-key=tab-Print]")?.setAttribute("href", link(own, "print", first));
}

// Whoever pastes nothing does not wait for it.
const pasted = () => import("./studio-post.js");

function pageOf([name, part, ...more]) {
  switch (name) {
    case undefined: return shelfPage();
    case "tray": return trayPage();
    case "start": return startPage(part);
    case "compose": return composePage();
    case "play": return playPage(part, more[0] === "rules");
    case "find": return searchPage(part ?? "");
    case "post": return pasted().then(({ pastePage }) => pastePage(part));
    default:
  }
  switch (part) {
    case "print": return deskPage(name, more[0] ?? "deck", more[1] === "rules");
    case "rules": return rulesPage(name);
    case "write": return writePage(name, more.join("/"));
    case "post": return pasted().then(({ postPage }) => postPage(name));
    default: return systemPage(name);
  }
}

let round = 0;
async function paint() {
  const now = (round += 1);
  const where = parts();
  tabsOf(...where);
  main.setAttribute("aria-busy", "true");
  main.dataset.doing = where[1] === "print" ? "Setting the desk …" : where[0] ? "Opening …" : "Looking at the shelf …";
  document.body.dataset.page = where[0] ?? "";
  let nodes;
  try {
    nodes = await pageOf(where);
  } catch (error) {
    nodes = [failed(error)];
  }
  if (now !== round) return;
  show(main, nodes);
  main.setAttribute("aria-busy", "false");
  main.dataset.painted = location.hash;
  document.title = `${main.querySelector("h1")?.textContent ?? "Hackjack"} · Hackjack studio`;
}

addEventListener("hashchange", () => {
  if (document.activeElement !== find) find.value = parts()[0] === "find" ? parts()[1] ?? "" : "";
  document.querySelector("dialog")?.close();
  paint();
  scrollTo(0, 0);
});
document.addEventListener("tray", () => paint());
document.addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault());
document.addEventListener("drop", (event) => {
  const file = [...event.dataTransfer.files].find(({ name }) => /\.pdf$/i.test(name));
  if (event.dataTransfer.files.length) event.preventDefault();
  if (file) openPdf(file);
});

// A file of a pack has changed: what we know of it is outdated. Forms that somebody fills in stay as they are.
let version = 0;
follow((told) => {
  if (version && told.version !== version) {
    forget();
    document.dispatchEvent(new Event("packs"));
    if (!["print", "rules", "write", "post"].includes(parts()[1]) && !["play", "start", "tray", "compose", "post"].includes(parts()[0])) paint();
    paintTray();
  }
  version = told.version;
}, (how) => {
  status.textContent = AWAY[how] ?? "";
});

find.value = parts()[0] === "find" ? parts()[1] ?? "" : "";
paintTray();
paint();
