// Python in a worker: it takes the program out of its files, and answers what the page asks.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide/pyodide-lock.json";

const HOME = "/home/web";
const CHANGES = /^\/api\/(save|keep|write|begin|remove|upload|campaign)$/;
const post = (message) => postMessage(message);
const stage = (name) => post({ stage: name });
let given;
const files = new Promise((done) => (given = done)); // What the one file has in it; of a folder, nothing.
let python, studio;
let syncing = Promise.resolve();

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
  const program = fetch(`${home}app.tar.xz`).then((answer) => answer.arrayBuffer());
  python = await loadPyodide({
    indexURL: home, createPyodideModule, lockFileContents: JSON.stringify({ ...lock, packages: {} }), stdLibURL: `${home}python_stdlib.zip`,
    env: { HOME, HACKJACK_HOME: `${HOME}/hackjack`, TZ: "UTC" }, stdout: (line) => console.log(line), stderr: (line) => console.warn(line),
  });
  stage("python");
  python.unpackArchive(new Uint8Array(await program), "xztar", { extractDir: "/app" });
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
