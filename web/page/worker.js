// Python in a worker: it takes the program out of its files, and answers what the page asks.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide/pyodide-lock.json";

const HOME = "/home/web";
const FONTS = {
  "font_source_sans_pro/files/SourceSansPro-Regular": ["Source Sans 3", {}],
  "font_source_sans_pro/files/SourceSansPro-Semibold": ["Source Sans 3", { weight: "600 700" }],
  "font_source_serif_pro/files/SourceSerifPro-Bold": ["Source Serif 4", { weight: "700" }],
  "font_source_serif_pro/files/SourceSerifPro-It": ["Source Serif 4", { style: "italic" }],
};
const CHANGES = /^\/api\/(save|keep|write|begin|remove|upload|open_pdf|campaign)$/;
const post = (message) => postMessage(message);
const stage = (name) => post({ stage: name });
let given;
const files = new Promise((done) => (given = done)); // What the one file has in it; of a folder, nothing.
let python, studio;
let syncing = Promise.resolve();

// Put the files of the program where Python finds them. A tar file is unpacked here in a twentieth of Python's time.
function unpack(tar) {
  const text = (at, length) => new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= tar.length && tar[at]; ) {
    const [name, size, prefix] = [text(at, 100), parseInt(text(at + 124, 12), 8), text(at + 345, 155)];
    const path = `/app/${prefix && `${prefix}/`}${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

// Keep what was written in the browser's own store, or read it out of that.
const sync = (load) => (syncing = syncing.then(() => new Promise((done) => python.FS.syncfs(load, (error) => (error && console.error("store", error), done())))));

async function start() {
  const held = await files;
  const home = Object.keys(held).length ? "https://hackjack.invalid/" : new URL(".", location.href).href;
  const real = self.fetch;
  const kind = (name) => (name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream");
  self.fetch = async (address, more) => {
    const name = String(address.url ?? address).split("/").pop();
    return held[name] ? new Response(held[name], { headers: { "content-type": kind(name) } }) : real(address, more);
  };
  const program = fetch(`${home}program.bin`).then((answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  python = await loadPyodide({
    indexURL: home, createPyodideModule, lockFileContents: JSON.stringify({ ...lock, packages: {} }), stdLibURL: `${home}python_stdlib.zip`,
    env: { HOME, HACKJACK_HOME: `${HOME}/hackjack`, TZ: "UTC" }, stdout: (line) => console.log(line), stderr: (line) => console.warn(line),
  });
  stage("python");
  unpack(new Uint8Array(await program));
  post({ fonts: Object.entries(FONTS).map(([path, face]) => [python.FS.readFile(`/app/packages/${path}.ttf`), ...face]) });
  stage("unpacked");
  python.FS.mkdirTree(HOME);
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
    await sync(true);
  } catch (error) {
    console.error("no store", error);
  }
  stage("files");
  python.runPython(`import sys; sys.path[:0] = ["/app", "/app/packages"]`);
  studio = python.pyimport("in_page");
  stage("ready");
}
const ready = start();
ready.catch((error) => (console.error(error), post({ failed: String(error.message ?? error).slice(-2000) })));

self.onmessage = async ({ data }) => {
  if (data.files) return given(data.files);
  await ready;
  if (data.leave) return studio.leave(data.leave);
  const { id, method, path, query, kind, body } = data;
  await studio.ask(id, method, path, query, kind, body ? new Uint8Array(body) : undefined, (status, type, disposition, part) => {
    if (status > 0) post({ id, status, type, disposition });
    else if (status === 0) post({ id, part });
  });
  // What was changed is kept before the page hears that it is done.
  if (method === "POST" && CHANGES.test(path)) await sync(false);
  post({ id, done: true });
};
