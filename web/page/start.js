// The server of this page is a worker: what the page would fetch is asked of that. It is loaded before the studio.
import { dress, dressed, fonts } from "./shim.js";
import { safe } from "./safe.js";
import { showsTables } from "./table.js";

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
function told(stage) {
  performance.mark(`hackjack-${stage}`);
  say(`${STAGES[stage][1]} …`, STAGES[stage][0]);
  if (stage !== "ready") return;
  keeping.ready();
  tables.ready();
}
const fail = (why) => say(`This browser cannot run Hackjack. A newer one can: Chrome or Edge, Firefox or Safari of this year. (${why})`);

// The files of the program: beside the page, or in it as text.
const inside = [...document.querySelectorAll("script[data-file]")];
const KINDS = { wasm: "application/wasm", js: "text/javascript", html: "text/html" };
async function taken(node) {
  const text = node.textContent;
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const type = KINDS[node.dataset.file.split(".").pop()] ?? "application/octet-stream";
  node.remove();
  const blob = new Blob([bytes], { type });
  return "packed" in node.dataset ? new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } }).blob() : blob;
}
const held = Promise.all(inside.map(async (node) => [node.dataset.file, await taken(node)])).then(Object.fromEntries);
const file = async (name) => ((await held)[name] ? new Response((await held)[name]) : fetched(name));
const fetched = window.fetch.bind(window);
// Both workers run the same code: it is compiled once.
const compiled = file("pyodide.asm.wasm").then(async (answer) => {
  try {
    return await WebAssembly.compileStreaming(answer.clone());
  } catch {
    return WebAssembly.compile(await answer.arrayBuffer()); // The host does not say of which kind the file is.
  }
});

async function begun(port) {
  const { "worker.js": code, ...blobs } = await held;
  const made = new Worker(code ? URL.createObjectURL(code) : "worker.js");
  // WebKit lets no worker of a file read a blob. The runtime is compiled already.
  const bytes = async ([name, blob]) => [name, name === "pyodide.asm.wasm" ? new ArrayBuffer(0) : await blob.arrayBuffer()];
  const files = Object.fromEntries(await Promise.all(Object.entries(blobs).map(bytes)));
  made.postMessage({ files, home: new URL(".", location.href).href, port }, [...Object.values(files), ...(port ? [port] : [])]);
  compiled.then((module) => made.postMessage({ module }));
  return made;
}
// The second worker counts. It is begun when there is something to count, and ended to stop that.
let second = null;
async function count(port) {
  const one = await second;
  one?.terminate();
  second = port && begun(port);
  performance.mark(`hackjack-${port ? "counting" : "stopped"}`);
  const other = await second;
  const lost = async () => other === (await second) && (await worker).postMessage({ lost: true });
  if (other) Object.assign(other, { onerror: lost, onmessage: ({ data }) => data.failed && lost() });
}

const waiting = new Map();
async function first() {
  const made = await begun();
  made.onerror = (event) => fail(event.message);
  made.onmessage = ({ data }) => {
    if (data.id) waiting.get(data.id)?.(data);
    else if (data.fonts) dressed(window, fonts.push(...data.fonts));
    else if (data.stage) told(data.stage);
    else if (data.failed) fail(data.failed);
    else if ("counting" in data) count(data.counting);
    else if (data.kept) keeping.kept(data.kept);
  };
  return made;
}

let last = 0;
async function ask(address, { method = "GET", headers = {}, body, signal } = {}, table = "") {
  const id = (last += 1);
  const url = new URL(address, location.href);
  const path = table + url.pathname.slice(url.pathname.lastIndexOf("/api/"));
  if (method === "POST" && keeping.refuses(path)) return Response.json({ error: keeping.refuses(path) }, { status: 409 });
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

const keeping = safe(ask);
const tables = showsTables(ask, file);
dress(window, ask);
const worker = first();
told("asked");
try {
  sessionStorage.setItem("hackjack-key", "page");
  if (![window.WebAssembly, window.DecompressionStream, window.Worker].every(Boolean)) fail("it lacks WebAssembly or workers");
} catch {
  fail("it keeps nothing for this page");
}
worker.catch((error) => fail(error.message));
compiled.catch((error) => fail(error.message));
