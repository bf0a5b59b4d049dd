// What the page of a window asks of its server is asked of the worker: fetch, events, pictures and downloads.

const ours = (address) => new URL(address, location.href).pathname.includes("/api/");
export const nameOf = (answer) => /filename="?([^";]+)/.exec(answer.headers.get("content-disposition"))?.[1] ?? "hackjack";

// Give a file to the browser, which asks where to or keeps it among its downloads.
export async function download(answer) {
  const there = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href: there, download: nameOf(answer) }).click();
  setTimeout(() => URL.revokeObjectURL(there), 60_000);
}

// Fonts are in the program already: pages take them from there.
export const fonts = [];
export const dressed = (view) => fonts.forEach(([bytes, family, face]) => view.document.fonts.add(new view.FontFace(family, bytes, face)));

function streams(view, ask) {
  return class extends EventTarget {
    constructor(address) {
      super();
      this.readyState = 0;
      this.stop = new AbortController();
      this.beat = setInterval(() => this.dispatchEvent(new MessageEvent("beat", { data: "{}" })), 2000);
      view.addEventListener("pagehide", () => this.close());
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
}

// `ask` is as fetch. A page that is shown within another has no address of its own.
export function dress(view, ask) {
  const real = view.fetch.bind(view);
  view.document.documentElement.dataset.alone = "";
  view.fetch = (address, more) => (ours(String(address)) ? ask(String(address), more) : real(address, more));
  view.EventSource = streams(view, ask);

  // Pictures: the address is asked of the worker, and what comes is shown.
  const set = view.Element.prototype.setAttribute;
  const source = Object.getOwnPropertyDescriptor(view.HTMLImageElement.prototype, "src");
  const shown = new Map();
  // What is lazy is asked for when it comes near, as browsers do: the worker draws one page after the other.
  const near = new view.IntersectionObserver((seen) => seen.forEach(({ isIntersecting, target }) => isIntersecting && (near.unobserve(target), target.dispatchEvent(new Event("near")))), { rootMargin: "50%" });
  async function show(image, address) {
    set.call(image, "data-src", address);
    await null; // Its other attributes are set meanwhile.
    if (image.loading === "lazy") await new Promise((done) => (image.addEventListener("near", done, { once: true }), near.observe(image)));
    if (!shown.has(address)) shown.set(address, ask(address).then(async (answer) => (answer.status === 200 ? URL.createObjectURL(await answer.blob()) : Promise.reject(answer.status))));
    try {
      const there = await shown.get(address);
      if (image.dataset.src === address) source.set.call(image, there);
    } catch {
      shown.delete(address);
      image.dispatchEvent(new Event("error"));
    }
  }
  view.Element.prototype.setAttribute = function (name, value) {
    if (this instanceof view.HTMLImageElement && name === "src" && ours(value)) show(this, value);
    else set.call(this, name, value);
  };
  Object.defineProperty(view.HTMLImageElement.prototype, "src", { ...source, set(value) { if (ours(value)) show(this, value); else source.set.call(this, value); } });

  view.document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a[download]");
    if (!link || !ours(link.href)) return;
    event.preventDefault();
    link.ariaBusy = "true";
    download(await ask(link.href)).then(() => (link.ariaBusy = null));
  });
}
