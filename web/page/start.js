// The server of this page is a worker: what the page would fetch is asked of that. It is loaded before the studio.
(() => {
  const STAGES = { asked: [5, "Fetching the program"], python: [45, "Unpacking the program"], unpacked: [65, "Reading what you have written"], files: [70, "Starting the program"], ready: [100, "Opening the studio"] };
  const bar = Object.assign(document.createElement("progress"), { max: 100 });
  bar.setAttribute("aria-label", "Start");
  function say(text, done) {
    const line = document.querySelector("#main .wait");
    if (!line) return;
    line.textContent = text;
    if (done === undefined) return;
    bar.value = done;
    line.append(document.createElement("br"), bar);
  }
  // What it keeps may be cleared by the browser, and by another tab that writes: the page says so.
  const note = (text) => document.body.append(Object.assign(document.createElement("p"), { className: "notice", textContent: text }));
  function opened() {
    navigator.storage?.persist?.();
    note("What you write here is kept by this browser alone. A browser may clear it: to keep packs for good, use the program.");
    navigator.locks?.request("hackjack", { ifAvailable: true }, (lock) => (lock ? new Promise(() => {}) : note("Hackjack is open in another tab. Write in one of them only: the last to write wins.")));
  }
  const told = (stage) => (stage === "ready" && opened(), performance.mark(`hackjack-${stage}`), say(`${STAGES[stage][1]} …`, STAGES[stage][0]));
  const fail = (why) => say(`This browser cannot run Hackjack. A newer one can: Chrome or Edge, Firefox or Safari of this year. (${why})`);
  try {
    sessionStorage.setItem("hackjack-key", "page");
  } catch {
    return fail("it keeps nothing for this page");
  }
  if (![window.WebAssembly, window.DecompressionStream, window.Worker].every(Boolean)) return fail("it lacks WebAssembly or workers");
  told("asked");

  // The worker and its files: beside the page, or in it as text.
  const inside = [...document.querySelectorAll("script[data-file]")];
  async function taken(node) {
    const text = node.textContent;
    const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    node.remove();
    return "packed" in node.dataset ? new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer() : bytes.buffer;
  }
  async function begun() {
    const files = {};
    for (const node of inside) files[node.dataset.file] = await taken(node);
    const code = files["worker.js"];
    delete files["worker.js"];
    const made = new Worker(code ? URL.createObjectURL(new Blob([code], { type: "text/javascript" })) : "worker.js");
    made.onerror = (event) => fail(event.message);
    made.onmessage = ({ data }) => (data.fonts ? data.fonts.forEach(dress) : data.stage ? told(data.stage) : data.failed ? fail(data.failed) : waiting.get(data.id)?.(data));
    made.postMessage({ files }, Object.values(files));
    return made;
  }
  // Fonts are in the program already: the page takes them from there.
  const dress = ([bytes, family, face]) => document.fonts.add(new FontFace(family, bytes, face));
  const waiting = new Map();
  const worker = begun();
  worker.catch((error) => fail(error.message));
  let last = 0;

  async function ask(address, { method = "GET", headers = {}, body, signal } = {}) {
    const id = (last += 1);
    const url = new URL(address, location.href);
    const path = url.pathname.slice(url.pathname.lastIndexOf("/api/"));
    const raw = body === undefined ? null : await new Response(body).arrayBuffer();
    const to = await worker;
    return new Promise((done, failed) => {
      let stream = null;
      const leave = () => (waiting.delete(id), to.postMessage({ leave: id }));
      signal?.addEventListener("abort", () => {
        leave();
        const error = new DOMException("left", "AbortError");
        try { stream?.error(error); } catch {}
        failed(error);
      });
      waiting.set(id, (told) => {
        if (told.status) {
          const kept = new ReadableStream({ start: (controller) => (stream = controller), cancel: leave });
          done(new Response(kept, { status: told.status, headers: { "content-type": told.type, "content-disposition": told.disposition } }));
        } else if (told.part) stream?.enqueue(told.part);
        else if (told.done) {
          waiting.delete(id);
          try { stream?.close(); } catch {}
        }
      });
      to.postMessage({ id, method, path, query: url.search.slice(1), kind: new Headers(headers).get("content-type") ?? "", body: raw });
    });
  }
  const ours = (address) => new URL(address, location.href).pathname.includes("/api/");
  const real = window.fetch.bind(window);
  window.fetch = (address, more) => (ours(String(address)) ? ask(String(address), more) : real(address, more));

  // Pictures: the address is asked of the worker, and what comes is shown.
  const set = Element.prototype.setAttribute;
  const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
  const shown = new Map();
  async function show(image, address) {
    set.call(image, "data-src", address);
    if (!shown.has(address)) shown.set(address, ask(address).then(async (answer) => (answer.status === 200 ? URL.createObjectURL(await answer.blob()) : Promise.reject(answer.status))));
    try {
      const there = await shown.get(address);
      if (image.dataset.src === address) source.set.call(image, there);
    } catch {
      shown.delete(address);
      image.dispatchEvent(new Event("error"));
    }
  }
  Element.prototype.setAttribute = function (name, value) {
    if (this instanceof HTMLImageElement && name === "src" && ours(value)) show(this, value);
    else set.call(this, name, value);
  };
  Object.defineProperty(HTMLImageElement.prototype, "src", { ...source, set(value) { if (ours(value)) show(this, value); else source.set.call(this, value); } });

  // Downloads: asked of the worker, and given to the browser as files.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[download]");
    if (!link || !ours(link.href)) return;
    event.preventDefault();
    const answer = await ask(link.href);
    const name = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition"))?.[1] ?? "hackjack";
    const there = URL.createObjectURL(await answer.blob());
    Object.assign(document.createElement("a"), { href: there, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(there), 60_000);
  });

  // The stream of changes.
  window.EventSource = class extends EventTarget {
    constructor(address) {
      super();
      this.readyState = 0;
      this.stop = new AbortController();
      this.beat = setInterval(() => this.dispatchEvent(new MessageEvent("beat", { data: "{}" })), 2000);
      this.read(address).catch(() => {});
    }
    async read(address) {
      const reader = (await ask(address, { signal: this.stop.signal })).body.pipeThrough(new TextDecoderStream()).getReader();
      this.readyState = 1;
      for (let held = ""; ; ) {
        const { done, value } = await reader.read();
        if (done) return;
        held += value;
        for (let end; (end = held.indexOf("\n\n")) >= 0; held = held.slice(end + 2)) {
          const fields = Object.fromEntries(held.slice(0, end).split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
          this.dispatchEvent(new MessageEvent(fields.event ?? "message", { data: fields.data }));
        }
      }
    }
    close() {
      clearInterval(this.beat);
      this.readyState = 2;
      this.stop.abort();
    }
  };
})();
