// A post that is pasted: left its text with what became of each sentence, right the card as it will print. What is
// decided goes to the server, which reads the post again and writes the pack; the page waits for nothing.

import { button, capital, h, show } from "./dom.js";
import { address, cardPicture, choice, failed, forget, formDialog, fresh, get, go, labelled, latest, later, link, plural, post, remembered, trying } from "./studio-base.js";
import { pageButton } from "./studio-look.js";
import { askEffects, withoutEmpty } from "./studio-effects.js";

const STATES = { does: "does something", value: "a value", ask: "your call", words: "printed as it stands" };
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const EXAMPLES = ["suffer prone until stand", "penalty 2 to strength for 1d6 days", "halve movement until recovery", "hp -= 1d6", "lose 1 finger", "die"];
const HTML = /<(?:table|ol|li|p|div|td|h[1-6])\b/i;

// --- pasting

// A place for a post: what a browser copies with a table in it is a page, whose cells are kept apart.
function postInput(text, read, title = "The post") {
  let page = "";
  const area = h("textarea", { id: "pasted", name: "pasted", rows: 14, value: text, placeholder: "Fumbles d6\n1-3  You drop your weapon\n4-6  You stumble and fall prone for 1 round", oninput: () => (page = ""), onpaste: (event) => {
    const copied = event.clipboardData?.getData("text/html") ?? "";
    const isTable = /<(table|ol)\b/i.test(copied);
    setTimeout(() => {
      if (isTable) page = copied;
      read?.();
    });
  } });
  return { text: () => page || area.value, node: labelled("pasted", title, "Copy all of it: cards, tables, lists, and the text around them. Nothing is sent anywhere.", area) };
}

// A post makes a pack; a table that is pasted into a pack that is there joins its tables, under a name of one's own.
export function pastePage(into = "") {
  fresh("post?of=").catch(() => {});
  const answer = h("div", { role: "status" });
  const name = h("input", { id: "table-name", autocomplete: "off", maxlength: 80, placeholder: "As it says itself" });
  let reading = false;
  const read = (text, soon) => {
    if (reading || !text.trim() || (soon && into)) return;
    reading = true;
    show(answer, h("p", "wait", "Reading …"));
    trying(answer, () => (into ? add(text) : make(text))).finally(() => (reading = false));
  };
  async function make(text) {
    const told = await post("write_post", { text });
    forget();
    known.set(told.pack, told);
    go(told.pack, "post");
  }
  async function add(text) {
    const { part, seen } = await fresh(`grid?${new URLSearchParams({ of: into, part: "" })}`);
    let now = await post("write", { pack: into, part: part ?? "", seen, change: { do: "paste", text } });
    remembered(`notes-${into}`, now.notes);
    if (name.value.trim()) now = await post("write", { pack: into, part: now.part, seen: now.seen, change: { do: "title", text: name.value } });
    forget();
    go(into, "write", ...now.part.split("/"));
  }
  const input = postInput("", () => read(input.text(), true), into ? "The table" : undefined);
  const file = h("input", { type: "file", accept: ".txt,.md,.html,.htm,text/*", class: "file", data: { upload: "post" }, onchange: async () => file.files[0] && read(await file.files[0].text()) });
  return [
    h("h1", {}, into ? "Paste a table" : "Paste a post"),
    h("p", "lead", into ? ["Its rows join this pack as they stand; under Write you say what they do. ", h("a", { href: link("post") }, "Make a pack of it"), " instead, and its sentences are read too."]
      : "Rules for wounds as someone wrote them become cards and tables that print and play. What is understood is shown to you; everything else is printed word for word."),
    h("form", { class: "pasting", onsubmit: (event) => { event.preventDefault(); read(input.text()); } }, into ? labelled("table-name", "Name of the table", "", name) : null, input.node, answer,
      h("div", "acts", h("button", { type: "submit", class: "primary", data: { key: "read" } }, into ? "Add the table" : "Read it"), h("label", "filing", "Choose a file", file))),
  ];
}

// --- the text

// What of a page of HTML is read, where no sentence was found.
function readable(piece, isHtml) {
  if (!isHtml) return piece.replace(/<\/?[a-z][^<>]{0,300}>/gi, "");
  const text = piece.replace(/<(script|style)\b[^]*?<\/\1>/gi, "").replace(/\s+/g, " ").replace(/<\/?(?:p|div|tr|li|h[1-6]|table|ol|ul|br)\b[^>]*>/gi, "\n").replace(/<[^>]*>/g, " ").replace(/\s*\n\s*/g, "\n");
  return new DOMParser().parseFromString(`<pre>.${text}`, "text/html").body.textContent.slice(1);
}
function spansOf(told) {
  const letters = /[\ud800-\udfff]/.test(told.text) ? [...told.text] : told.text;
  const cut = (from, to) => (typeof letters === "string" ? letters.slice(from, to) : letters.slice(from, to).join(""));
  const isHtml = HTML.test(told.text);
  const all = told.rows.flatMap((row, at) => row.sentences.map((sentence, nth) => ({ at, nth, sentence }))).sort((one, two) => one.sentence.at[0] - two.sentence.at[0]);
  const nodes = [];
  const marks = new Map();
  let end = 0;
  for (const { at, nth, sentence } of all) {
    const [from, to] = sentence.at;
    if (from < end || from >= to) continue;
    const mark = h("mark", { data: { at: `${at}/${nth}` } }, readable(cut(from, to), isHtml));
    nodes.push(readable(cut(end, from), isHtml), mark);
    marks.set(mark.dataset.at, mark);
    end = to;
  }
  return { nodes: [...nodes, readable(cut(end), isHtml)], marks };
}

// --- the page of a post

const known = new Map();

export async function postPage(pack) {
  let now = known.get(pack) ?? (await fresh(`post?${new URLSearchParams({ of: pack })}`));
  known.delete(pack);
  let answers = answersOf(now);
  let row = Math.max(0, now.rows.findIndex(({ sentences }) => sentences.some(({ state }) => state === "ask")));
  let nth = 0;
  let marks = new Map();
  let replace = false;
  const editing = { key: "", node: null };
  const offers = new Map();
  const heading = h("h1", {}, now.title);
  const sum = h("p", { class: "lead", role: "status" });
  const told = h("div", { class: "told", role: "status" });
  const wrong = h("div", { role: "status" });
  const acts = h("div", "acts");
  const output = h("div", { class: "printed", role: "status" });
  const whole = h("details", { class: "whole-post", open: matchMedia("(min-width: 48rem)").matches });
  const text = h("div", { class: "post-text", role: "region", "aria-label": "The post", tabindex: 0, onclick: (event) => event.target.dataset.at && select(...event.target.dataset.at.split("/").map(Number), true) });
  const panel = h("div", { class: "post-row", role: "region", "aria-label": "The card" });
  const card = h("div", "post-card");

  // --- what is decided is sent, the newest at last

  let sending = null;
  let again = false;
  const changes = { title: "", text: null };
  const send = (more = {}) => {
    Object.assign(changes, more);
    again = true;
    card.classList.add("stale");
    sending ??= (async () => {
      try {
        while (again) {
          again = false;
          const { title, text: pasted } = changes;
          Object.assign(changes, { title: "", text: null });
          const found = await post("write_post", { pack, title, text: pasted, answers, replace });
          replace = false;
          forget();
          if (!again) accept(found);
        }
      } catch (error) {
        again = false;
        await fresh(`post?${new URLSearchParams({ of: pack })}`).then(accept).catch(() => {});
        show(wrong, failed(error));
      } finally {
        sending = null;
      }
    })();
    return sending;
  };
  function accept(found) {
    const key = now.rows[row]?.sentences[nth]?.key;
    const isNew = found.text !== now.text || found.rows.length !== now.rows.length;
    now = found;
    answers = answersOf(now);
    row = Math.min(row, now.rows.length - 1);
    const place = now.rows[row].sentences.findIndex((each) => each.key === key);
    nth = place >= 0 ? place : Math.min(nth, Math.max(0, now.rows[row].sentences.length - 1));
    show(wrong);
    paint(isNew);
    draw();
  }
  function decide(keys, decisionOf) {
    for (const key of keys) answers.sentences[key] = decisionOf(key);
    for (const each of now.rows.flatMap(({ sentences }) => sentences)) {
      if (!keys.includes(each.key)) continue;
      const { do: done, rule } = answers.sentences[each.key];
      each.decided = true;
      each.state = done === "words" ? "words" : each.state === "value" ? "value" : "does";
      if (rule) each.statements = rule.split("\n");
    }
    paint();
    send();
  }

  // --- what concerns all of it

  const stateOf = (state) => now.rows.reduce((count, { sentences }) => count + sentences.filter((each) => each.state === state).length, 0);
  function summary() {
    const rows = Object.values(now.tables).reduce((so, each) => so + each, 0);
    const found = [now.cards && plural(now.cards, "card"), rows && `${plural(rows, "row")} in ${plural(Object.keys(now.tables).length, "table")}`, now.definitions && plural(now.definitions, "definition")].filter(Boolean);
    const waits = stateOf("ask");
    return `${found.join(", ")}: ${plural(stateOf("does"), "sentence")} ${stateOf("does") === 1 ? "does" : "do"} something, ${stateOf("value")} hold values, ${waits} ${waits === 1 ? "waits" : "wait"} for you, ${stateOf("words")} are printed as they stand. Nothing is left out.`;
  }
  // Made anew only if it says something else, and not under the hands of somebody who types.
  let asked = "";
  whole.addEventListener("focusout", () => setTimeout(() => sending || paintWhole()));
  function paintWhole() {
    const { asks } = now;
    const says = JSON.stringify([asks, now.title, now.lasts, { ...now.answers, sentences: 0 }]);
    if (says === asked || whole.querySelector("input:focus")) return;
    asked = says;
    const select = (id, title, values, value, set) => h("div", "field", h("label", { class: "label", for: id }, title), choice({ id, data: { key: id } }, values, value, (chosen) => { set(chosen); send(); }));
    const field = (id, title, value, set, more = {}) => h("div", "field", h("label", { class: "label", for: id }, title), h("input", { id, value, maxlength: 80, autocomplete: "off", data: { key: id }, ...more, onchange: (event) => set(event.target.value.trim()) }));
    const found = { recovery: "until recovery", permanent: "for good", gm: "until the GM says" };
    show(whole, h("summary", {}, h("b", {}, "Once for the whole post")), h("div", "whole-asks",
      field("post-title", "Name of the pack", now.title, (title) => title && send({ title })),
      Object.entries(asks.titles).map(([id, title]) => field(`title-${id}`, "Name of a table", title, (typed) => { answers.titles = { ...answers.titles, [id]: typed }; send(); })),
      field("post-author", "Whose words are these?", answers.author ?? "", (author) => { answers.author = author; send(); }, { placeholder: "The author's name" }),
      asks.numbers.map((word) => select(`number-${word}`, `“${capital(word)}” is`, [["yes", "a number of a character"], ["no", "a word like others"]], answers.no_numbers.includes(word) ? "no" : "yes", (chosen) => {
        answers.no_numbers = [...answers.no_numbers.filter((each) => each !== word), ...(chosen === "no" ? [word] : [])];
      })),
      field("post-numbers", "Other words that are numbers", (answers.numbers ?? []).join(", "), (typed) => { answers.numbers = typed.toLowerCase().split(/[\s,]+/).filter(Boolean).slice(0, 20); send(); }, { placeholder: "dread, grit" }),
      asks.lasts ? select("post-lasts", asks.lasts_number ? `Wounds with ${capital(asks.lasts_number)} last` : "Wounds last, where the post does not say",
        [["", answers.lasts ? "as the post says" : `as the post says: ${found[now.lasts] ?? found.gm}`], ...Object.entries(found)], answers.lasts ?? "", (chosen) => (answers.lasts = chosen)) : null,
      asks.turn ? select("post-turn", "A turn is", [["", "not said: words stay words"], ["1 round", "1 round"], ["10 minutes", "10 minutes"]], answers.turn ?? "", (chosen) => (answers.turn = chosen)) : null,
      asks.deck ? [
        select("post-scores", "A card scores", [["rank", "by its rank: ace 1, faces 10"], ["none", "nothing"]], answers.scores ?? "rank", (chosen) => (answers.scores = chosen)),
        select("post-plays", "Cards are drawn", [["alone", "one by one, when you say so"], ["hackjack", "as Hackjack plays"]], answers.plays ?? "alone", (chosen) => (answers.plays = chosen)),
      ] : null));
  }
  function paintActs() {
    const deck = now.cards > 0;
    show(acts,
      button(deck ? "Print the deck" : "Print the tables", print, { class: "primary", data: { key: "print" } }),
      stateOf("ask") ? button(`Next to decide (${stateOf("ask")})`, nextAsk, { data: { key: "next-ask" } }) : null,
      button("Paste it again", pasteAgain, { data: { key: "paste-again" } }),
      h("a", { class: "get", href: link(pack) }, "Look at all of it"));
    const notes = [...now.problems, ...now.rows.filter(({ fault }) => fault).map(({ fault, ...each }) => `${titleOf(each)} cannot be played and is printed as it stands: ${fault}.`)];
    show(told,
      now.changed ? h("p", "notice", "This pack was changed elsewhere, under Write or in an editor. A decision here writes its cards and tables again. ", button("Write it again from the post", () => { replace = true; send(); }, { data: { key: "replace" } })) : null,
      notes.length ? h("ul", "notice", notes.map((note) => h("li", {}, note))) : null);
  }
  function pasteAgain() {
    const input = postInput(now.text);
    formDialog("Paste it again", "Read it again", (says) => post("write_post", { pack, text: input.text(), answers, replace }).then((found) => { forget(); accept(found); return true; }, (error) => show(says, failed(error))), h("p", {}, "What you have decided stays, for every sentence that is still there."), input.node);
  }
  async function print() {
    show(output, h("p", "wait", "Printing …"));
    await trying(output, async () => {
      await sending;
      const { prints } = await get("spine", { of: pack });
      const names = prints.map(([name]) => name);
      const product = (now.cards ? ["deck", "wounds"] : ["screen"]).find((each) => names.includes(each)) ?? names[0];
      const { job, files } = await post("print", { system: pack, product });
      const file = files.find(({ name }) => name.endsWith(".pdf"));
      const download = h("a", { class: "act", download: "", href: address("file", { job, name: file.name }), data: { file: file.name } }, "PDF ", h("small", {}, `${file.name}, ${plural(file.pages, "page")}`));
      show(output, download, h("a", { class: "get", href: link(pack, "print", product) }, "Choose paper, theme and backs"));
      download.click();
    });
  }

  // --- one card

  const titleOf = ({ code, name, group }) => [group, code.replace(/^(\d+|[AJQK])([SHDC])$/, (_, rank, suit) => rank + SUITS[suit]), name].filter(Boolean).join(" · ");
  function select(toRow, toNth = 0, fromText = false) {
    const other = toRow !== row;
    row = toRow;
    nth = toNth;
    paintRow();
    if (other) draw();
    if (fromText) panel.scrollIntoView({ block: "nearest" });
    else reveal();
  }
  function reveal() {
    const mark = marks.get(`${row}/${nth}`) ?? marks.get(`${row}/0`);
    const place = mark && mark.offsetTop - text.scrollTop;
    if (mark && (place < 0 || place > text.clientHeight - 60)) text.scrollTop = mark.offsetTop - text.clientHeight / 3;
  }
  const step = (by) => select((row + by + now.rows.length) % now.rows.length);
  function stepSentence(by) {
    const to = nth + by;
    if (now.rows[row].sentences[to]) return select(row, to);
    const next = (row + by + now.rows.length) % now.rows.length;
    select(next, by > 0 ? 0 : Math.max(0, now.rows[next].sentences.length - 1));
  }
  function nextAsk() {
    const all = now.rows.flatMap(({ sentences }, at) => sentences.flatMap((each, place) => (each.state === "ask" ? [[at, place]] : [])));
    const next = all.find(([at, place]) => at > row || (at === row && place > nth)) ?? all[0];
    if (next) select(...next);
  }
  function paintRow() {
    const shown = now.rows[row];
    for (const [at, mark] of marks) {
      const [ofRow, place] = at.split("/").map(Number);
      const sentence = now.rows[ofRow].sentences[place];
      mark.dataset.state = sentence.state;
      mark.className = `${ofRow === row ? "row" : ""} ${ofRow === row && place === nth ? "here" : ""}`;
      mark.title = sentence.statements.join("; ") || STATES[sentence.state];
    }
    show(panel,
      h("div", "post-head", button("Previous", () => step(-1), { data: { key: "previous" } }), h("h2", {}, titleOf(shown) || "A row"), button("Next", () => step(1), { data: { key: "next" } })),
      h("p", "empty", `${row + 1} of ${now.rows.length}. `, h("span", "keys", "Keys: ← → card, J K sentence, A accept, C change, W words.")),
      h("div", "post-both", card, h("ol", "post-sentences", shown.sentences.map(sentenceOf))));
  }
  function sentenceOf(each, place) {
    const isTaken = ["does", "value"].includes(each.state);
    const more = { "aria-describedby": `said-${place}` };
    const press = (label, act, pressed, key, disabled = false) => button(label, () => { nth = place; act(each); }, { ...more, "aria-pressed": pressed === null ? undefined : String(pressed), disabled, data: { key: `${key}-${place}` } });
    return h("li", { class: place === nth ? "here" : "", data: { state: each.state }, onfocusin: () => { if (nth !== place) { nth = place; for (const [other, node] of [...panel.querySelectorAll(".post-sentences > li")].entries()) node.classList.toggle("here", other === nth); } } },
      h("p", { id: `said-${place}` }, h("q", {}, each.text.trim()), " ", h("small", {}, each.decided ? `${STATES[each.state]}, as you said` : STATES[each.state])),
      each.statements.length && each.state !== "words" ? h("code", {}, each.statements.join("\n")) : null,
      each.why && !["kept as words", "your statement"].includes(each.why) ? h("small", {}, capital(each.why), ".") : null,
      each.same ? h("small", {}, `Counts for ${plural(each.same, "more sentence")} that say${each.same === 1 ? "s" : ""} the same.`) : null,
      editing.key === each.key && editing.node ? editing.node : h("div", "acts",
        press("Accept", accepted, isTaken, "accept", !each.can && !isTaken && !each.decided),
        press("Change …", change, null, "change"),
        press("Keep as words", kept, each.state === "words", "words")),
      offers.get(each.key) ?? null);
  }
  const others = (each, fits) => [...new Set(now.rows.flatMap(({ sentences }) => sentences).filter((other) => other.form === each.form && other.key !== each.key && !other.decided && fits(other)).map(({ key }) => key))];
  function accepted(each) {
    offer(each, others(each, ({ state }) => state === "ask"), () => ({ do: "accept" }), "accept");
    decide([each.key], () => ({ do: "accept" }));
  }
  function kept(each) {
    offer(each, others(each, ({ state }) => state !== "words"), () => ({ do: "words" }), "keep as words");
    decide([each.key], () => ({ do: "words" }));
  }
  // Others of the same form are offered the same, and never changed in silence.
  function offer(each, keys, decisionOf, act, list = null) {
    offers.clear();
    if (!keys.length) return;
    offers.set(each.key, h("div", { class: "offer", role: "status" }, h("p", {}, `${keys.length} more ${keys.length === 1 ? "says" : "say"} this with other numbers.`), list,
      button(`${capital(act)} ${keys.length === 1 ? "it" : `all ${keys.length}`}`, () => { offers.clear(); decide(keys, decisionOf); }, { data: { key: "offer" } })));
  }

  // --- another statement

  function change(each) {
    const says = h("div", { class: "told", role: "status" });
    const area = h("textarea", { id: "statement", data: { key: "statement" }, rows: 2, spellcheck: "false", value: each.state === "words" && !each.can ? "" : each.statements.join("\n"), placeholder: EXAMPLES[0], "aria-label": "What it does", oninput: () => soon(150), onkeydown: (event) => { if (event.key === "Escape") close(); if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) use(); } });
    const asking = latest();
    // What is asked while somebody types is dropped by the next question; what is used is waited for.
    const judge = async (more = {}, signal = undefined) => {
      let found = null;
      try {
        found = await post("statement", { pack, sentence: each.key, rule: area.value, ...more }, signal);
        if (more.effects) area.value = found.rule;
        area.setAttribute("aria-invalid", String(found.errors.length > 0));
        show(says, found.errors.length ? h("ul", "faults", found.errors.map((error) => h("li", {}, capital(error)))) : found.says.some(Boolean) ? h("p", {}, "It prints: ", h("i", {}, found.says.filter(Boolean).join(" "))) : h("p", {}, area.value.trim() ? "" : "Write a statement, or keep the words."));
      } catch (error) {
        if (error.name !== "AbortError") show(says, failed(error));
      }
      return found;
    };
    const soon = later(() => judge({}, asking()));
    const close = () => { Object.assign(editing, { key: "", node: null }); paintRow(); panel.querySelector(`[data-key=change-${nth}]`)?.focus(); };
    const use = async () => {
      const found = await judge();
      if (!found || found.errors.length || !area.value.trim()) return area.focus();
      const { rule, alike } = found;
      const rules = new Map([[each.key, rule], ...alike.map((other) => [other.key, other.rule])]);
      offer(each, alike.map(({ key }) => key), (key) => ({ do: "rule", rule: rules.get(key) }), "use it for", h("ul", {}, alike.map((other) => h("li", {}, h("q", {}, other.text), " ", h("code", {}, other.rule)))));
      Object.assign(editing, { key: "", node: null });
      decide([each.key], (key) => ({ do: "rule", rule: rules.get(key) }));
      panel.querySelector(`[data-key=change-${nth}]`)?.focus();
    };
    const fromForms = async () => {
      const now = (await judge())?.effects ?? [];
      await trying(says, async () => askEffects(each.text.trim(), now, await get("effects", { of: pack }), (asked) => post("words", { pack, effects: asked }), (effects) => judge({ effects: withoutEmpty(effects) })));
    };
    Object.assign(editing, { key: each.key, node: h("form", { class: "statement", onsubmit: (event) => { event.preventDefault(); use(); } }, area, says,
      h("div", "acts", h("button", { type: "submit", class: "act", data: { key: "use" } }, "Use it"), button("Choose from sentences", fromForms, { data: { key: "forms" } }), button("Cancel", close, { class: "quiet" })),
      h("details", {}, h("summary", {}, "How statements look"), h("ul", {}, EXAMPLES.map((example) => h("li", {}, h("code", {}, example)))))) });
    paintRow();
    area.focus();
    soon(0);
  }

  // --- the picture

  const drawing = latest();
  async function draw() {
    const shown = now.rows[row];
    try {
      const { cards, panels } = await fresh(`beside?${new URLSearchParams({ of: pack, part: shown.part, row: shown.row })}`, drawing());
      card.classList.remove("stale");
      const [drawn] = cards.filter((each) => each.drawn);
      const [page] = panels;
      const see = page && button("Show it as it prints", () => trying(card, async () => {
        show(card, h("p", "wait", "Drawing …"));
        const { job, files: [file] } = await post("print", { system: pack, product: page.product });
        show(card, file.pages === page.panels ? pageButton(job, page.panel, file, page.product) : Array.from({ length: file.pages }, (_, each) => pageButton(job, each, file, `${page.product}, page ${each + 1}`)));
      }), { data: { key: "show-page" } });
      show(card, drawn ? cardPicture(pack, drawn, { alt: `${drawn.title}, as it will print` }) : [h("p", "empty", "This row has no card: it is printed on the screen."), see]);
    } catch (error) {
      if (error.name !== "AbortError") show(card, failed(error));
    }
  }

  function paint(isNew = false) {
    heading.textContent = now.title;
    if (isNew) {
      const spans = spansOf(now);
      marks = spans.marks;
      show(text, spans.nodes);
    }
    sum.textContent = summary();
    paintWhole();
    paintActs();
    paintRow();
  }
  const onkey = (event) => {
    if (!panel.isConnected) return document.removeEventListener("keydown", onkey);
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select") || document.querySelector("dialog")) return;
    const each = now.rows[row].sentences[nth];
    const acts = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), j: () => stepSentence(1), k: () => stepSentence(-1), a: () => each && (each.can || each.decided) && accepted(each), w: () => each && kept(each), c: () => each && change(each) };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  setTimeout(() => document.addEventListener("keydown", onkey));
  const look = later(() => panel.isConnected && !sending && fresh(`post?${new URLSearchParams({ of: pack })}`).then((found) => !sending && JSON.stringify(found) !== JSON.stringify(now) && accept(found)).catch(() => {}));
  document.addEventListener("packs", () => look(300));
  paint(true);
  draw();
  setTimeout(reveal, 100);
  return [heading, sum, acts, output, wrong, told, whole,
    h("div", "posted",
      h("div", {}, h("p", { class: "legend", "aria-hidden": "true" }, Object.entries(STATES).map(([state, says]) => h("mark", { data: { state } }, says))), text),
      panel)];
}

const answersOf = ({ answers }) => ({ ...answers, no_numbers: answers.no_numbers ?? [], sentences: { ...answers.sentences } });
