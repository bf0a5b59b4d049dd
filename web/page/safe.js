// What is written in this page is safe: kept by the browser, saved to a file with one touch, and never by two tabs at once.
import { download } from "./shim.js";

const REMIND = 10; // changes without a file
const UNSAVED = "hackjack-unsaved";
const READS = /\/(print|controls|odds|compare|words|roll|choices|settable|cancel)$/;
const ELSEWHERE = "Hackjack is open in another tab, which keeps what is written. Nothing can be written in this one until you close that.";

export function safe(ask) {
  const make = (tag, more, ...children) => {
    const node = Object.assign(document.createElement(tag), more);
    node.append(...children);
    return node;
  };
  const says = make("p", {});
  const answer = make("p", {});
  answer.setAttribute("role", "status");
  const save = make("button", { type: "button", id: "save-all", onclick: saved }, "Save to a file");
  const picked = make("input", { type: "file", accept: ".zip", hidden: true, id: "saved-file", onchange: () => opened(picked.files[0]) });
  const open = make("button", { type: "button", id: "open-all", onclick: () => picked.click() }, "Open a saved file");
  const region = make("section", { id: "safe" }, says, make("div", { className: "acts" }, save, open, picked), answer);
  region.setAttribute("aria-label", "Safe keeping");
  let trouble = "";
  let elsewhere = false;

  const unsaved = () => Number(localStorage.getItem(UNSAVED) ?? 0);
  function paint() {
    const count = unsaved();
    const since = count ? `${count === 1 ? "1 change is" : `${count} changes are`} in no file yet. ` : "";
    says.textContent = elsewhere ? ELSEWHERE : trouble || `${since}Packs and campaigns are kept by this browser alone, and browsers clear what they keep: save them to a file too.`;
    region.className = elsewhere || trouble ? "notice trouble" : count >= REMIND ? "notice" : "";
  }
  function counted(count) {
    try {
      localStorage.setItem(UNSAVED, String(count));
    } catch {
      // The store is full; the worker says so.
    }
    paint();
  }

  async function saved() {
    const file = await ask("api/saved");
    await download(file);
    answer.textContent = "Saved. Keep the file where you keep other things, and open it here or in another browser.";
    counted(0);
  }
  async function opened(file, replace = "") {
    if (!file) return;
    const told = await (await ask(`api/opened?replace=${replace}`, { method: "POST", body: file })).json();
    picked.value = "";
    const differ = told.differ?.length && !replace ? `Here already, and different: ${told.differ.join(", ")}.` : "";
    if (differ && confirm(`${differ} Put those of the file in their place?`)) return opened(file, "yes");
    answer.textContent = told.error ?? `${told.opened.length ? `Opened: ${told.opened.join(", ")}.` : "Nothing new was in the file."} ${differ}`;
  }

  // One tab alone keeps what is written: two would each take away what the other has written.
  navigator.locks?.request("hackjack", { ifAvailable: true }, (lock) => {
    if (lock) return new Promise(() => {});
    elsewhere = true;
    paint();
    return navigator.locks.request("hackjack", () => location.reload());
  });

  return {
    ready() {
      navigator.storage?.persist?.().catch(() => {});
      document.getElementById("main").after(region);
      paint();
    },
    // What the worker says of the store: how many changes it has kept, or why it could not.
    kept({ changes, full, why }) {
      trouble = full ? "The store of this browser is full. Nothing is lost while this page is open: save to a file now, then delete packs or campaigns that you no longer need." : why ? `This browser keeps nothing for this page (${why}). Save to a file before you close it.` : "";
      counted(unsaved() + (changes ?? 0));
    },
    refuses: (path) => (elsewhere && !READS.test(path) ? ELSEWHERE : ""),
  };
}
