// Python in a worker: it takes the program out of its files, and answers what the page asks; or it counts for the one that does.
import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import lock from "pyodide/pyodide-lock.json";
import { pictures } from "./pictures.js";

const HOME = "/home/web";
const post = (message, given) => postMessage(message, given);
const stage = (name) => post({ stage: name });
let python, part, compiled, given;
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

// Keep what was written in the browser's own store, or read it out of that. What cannot be kept stays in memory.
const sync = (load) => (syncing = syncing.then(() => new Promise((done) => python.FS.syncfs(load, done))));
const written = () => new Promise((done) => python.FS.filesystems.IDBFS.getLocalSet({ mountpoint: HOME }, (_, { entries }) => done(JSON.stringify(Object.entries(entries).filter(([path]) => /\/(packs|campaigns)\//.test(path))))));
let before = "";
async function keep() {
  const error = await sync(false);
  const now = await written();
  const changes = error || now === before ? 0 : 1;
  if (!error) before = now;
  if (changes || error) post({ kept: { changes, full: /quota|full/i.test(`${error?.name} ${error?.message}`), why: error ? String(error.message || error.name || error) : "" } });
}

const module = new Promise((done) => (compiled = done));

async function load({ files, home }) {
  const own = self.fetch;
  const read = async (name) => (files[name] ? new Response(files[name]) : own(`${home}${name}`));
  self.fetch = (address, more) => {
    const name = String(address.url ?? address).split("/").pop();
    return files[name] || name.endsWith(".wasm") ? read(name) : own(address, more);
  };
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module: await module, instance: await WebAssembly.instantiate(await module, imports) });
  const program = read("program.bin").then((answer) => new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  python = await loadPyodide({
    indexURL: home, createPyodideModule, lockFileContents: JSON.stringify({ ...lock, packages: {} }), stdLibURL: `${home}python_stdlib.zip`,
    env: { HOME, HACKJACK_HOME: `${HOME}/hackjack`, TZ: "UTC" }, stdout: (line) => console.log(line), stderr: (line) => console.warn(line),
  });
  stage("python");
  unpack(new Uint8Array(await program));
  python.FS.mkdirTree(HOME);
  python.runPython(`import sys; sys.path[:0] = ["/app", "/app/packages"]`);
  python.registerJsModule("page_pictures", pictures(read));
  python.pyimport("page_setup");
}

// The worker that answers. The other one is begun by the page, and heard through a channel.
let counter = null;
function count(message) {
  if (!counter) {
    const { port1, port2 } = new MessageChannel();
    counter = port1;
    counter.onmessage = ({ data }) => part.counted(data);
    post({ counting: port2 }, [port2]);
  }
  counter.postMessage(message);
}
function endCount() {
  counter = null;
  post({ counting: null });
}

async function answering() {
  post({ fonts: FONTS.map(([path, ...face]) => [python.FS.readFile(`/app/packages/${path}`), ...face]) });
  stage("unpacked");
  try {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
    const error = await sync(true);
    if (error) throw error;
    before = await written();
  } catch (error) {
    post({ kept: { why: String(error.message || error.name || error) } });
  }
  stage("files");
  part = python.pyimport("in_page");
  part.begin(count, endCount);
  stage("ready");
}

async function counting(port) {
  part = python.pyimport("second_worker");
  port.onmessage = ({ data }) => part.hear(data, (message) => port.postMessage(message));
}

const ready = new Promise((done) => (given = done)).then(async (told) => (await load(told), told.port ? counting(told.port) : answering()));
ready.catch((error) => (console.error(error), post({ failed: String(error.message ?? error).slice(-2000) })));

self.onmessage = async ({ data }) => {
  if (data.files) return given(data);
  if (data.module) return compiled(data.module);
  await ready;
  if (data.lost) return part.counted(undefined);
  if (data.leave) return part.leave(data.leave);
  const { id, method, path, query, kind, body } = data;
  await part.ask(id, method, path, query, kind, body ? new Uint8Array(body) : undefined, (status, type, disposition, bytes) => {
    if (status > 0) post({ id, status, type, disposition });
    else if (status === 0) post({ id, part: bytes });
  });
  // What was changed is kept before the page hears that it is done.
  if (method === "POST") await keep();
  post({ id, done: true });
};
