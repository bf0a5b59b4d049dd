// The line to the server: what it tells, and what it is asked. It heals by itself when a phone wakes up.

export const QUESTION = 202; // the status of a question: nothing is done before it is answered
const SILENCE = 7_000;
const TAB = "hackjack-key";
const seat = (campaign) => `hackjack-seat-${campaign}`;

// What a browser keeps for this page; where it keeps nothing, the key stays in the address.
function kept(store, name, value) {
  try {
    if (value === null) store().removeItem(name);
    else if (value !== undefined) store().setItem(name, value);
    return store().getItem(name) ?? "";
  } catch {
    return "";
  }
}
const tab = () => sessionStorage;
export const inTab = (name, value) => kept(tab, name, value);
const browser = () => localStorage;

// The key of a link leaves the address bar, where it would be seen and shared: the tab keeps it. A tab that has none
// takes the seat that a player had in this browser.
function ownKey() {
  const address = new URLSearchParams(location.search);
  const linked = address.get("key");
  if (linked && kept(tab, TAB, linked)) history.replaceState(null, "", `${location.pathname}${location.hash}`);
  return linked || kept(tab, TAB) || kept(browser, seat(address.get("campaign") ?? onlyCampaign()));
}

// The one campaign in which this browser has a seat: its key opens the bare address.
function onlyCampaign() {
  try {
    const seats = Object.keys(localStorage).filter((name) => name.startsWith(seat("")));
    return seats.length === 1 ? seats[0].slice(seat("").length) : "";
  } catch {
    return "";
  }
}

export const key = ownKey();

// A player's seat in a campaign is theirs again when the tab was closed.
export function keepSeat({ role, campaign }) {
  if (kept(tab, TAB) !== key && !kept(tab, TAB, key)) return;
  history.replaceState(history.state, "", `?campaign=${encodeURIComponent(campaign)}`);
  if (role === "player") kept(browser, seat(campaign), key);
}

// What this tab has open, so that loading the page again loses nothing: as JSON, of this seat alone.
export const remember = (name, value) => kept(tab, `hackjack-${name}`, value === null ? null : JSON.stringify({ key, value }));

export function remembered(name) {
  const found = kept(tab, `hackjack-${name}`);
  const held = found ? JSON.parse(found) : null;
  return held?.key === key ? held.value : null;
}

// A link that opens nothing any more is kept no longer.
function forgetSeat() {
  kept(tab, TAB, null);
  const name = seat(new URLSearchParams(location.search).get("campaign") ?? "");
  if (kept(browser, name) === key) kept(browser, name, null);
}

export const wait = (ms) => new Promise((done) => setTimeout(done, ms));

// A name for a command that is used once. `randomUUID` is not there on pages without TLS.
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function call(path, body, signal) {
  const answer = await fetch(`api/${path}`, {
    signal,
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = { error: text };
  }
  return { status: answer.status, value };
}

// Ask until there is an answer, or until the signal says that nobody waits. A command carries its id, so that it is
// done once however often it arrives.
export async function ask(path, body, waiting = () => {}, signal = undefined) {
  for (let pause = 300; ; pause = Math.min(pause * 1.6, 4000)) {
    try {
      const found = await call(path, body, signal);
      if (found.status !== 429 && found.status !== 503) return found;
    } catch (error) {
      if (signal?.aborted) throw error;
      // The server is away: it will come back with the same journal.
    }
    waiting();
    await wait(pause);
  }
}

// Follow the table. `told` gets each state, `linked` whether we are connected, and why a link no longer works.
export function follow(told, linked) {
  let source = null;
  let heard = 0;
  let pause = 250;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    source?.close();
    heard = Date.now();
    source = new EventSource(`api/events?key=${encodeURIComponent(key)}`);
    source.addEventListener("state", (event) => {
      heard = Date.now();
      pause = 250;
      linked("live");
      told(JSON.parse(event.data));
    });
    source.addEventListener("beat", () => (heard = Date.now()));
    source.addEventListener("gone", (event) => {
      source.close();
      source = null;
      gone(JSON.parse(event.data || "{}"));
    });
    source.onerror = () => {
      source?.close();
      linked("away");
      timer = setTimeout(check, pause);
      pause = Math.min(pause * 1.6, 3000);
    };
  }

  // A link that opens nothing any more is told apart from a server that is away.
  async function check() {
    try {
      const { status, value } = await call("state");
      if (status === 401) return gone(value);
    } catch {
      // Away: try again.
    }
    open();
  }

  const gone = ({ error = "" }) => {
    forgetSeat();
    linked("gone", error);
  };
  const wake = () => {
    if (document.visibilityState === "visible" && (source === null || source.readyState === 2 || Date.now() - heard > SILENCE)) open();
  };
  document.addEventListener("visibilitychange", wake);
  // What is gone is known at once, and what a computer serves to itself is not gone.
  for (const change of ["online", "offline"]) addEventListener(change, open);
  addEventListener("pageshow", (event) => event.persisted && open());
  setInterval(() => {
    if (source && Date.now() - heard > SILENCE) {
      linked("away");
      open();
    }
  }, 1000);
  open();
}
