// Writing in a pack of one's own: tables in a grid; cards, conditions and events in a list with a form. What is typed is
// saved into the pack's YAML when its field is left.

import { alone, button, capital, dialog, h, show } from "./dom.js";
import { icon, learn } from "./known.js";
import { formDialog, cardPicture, choice, deleteDialog, contents, failed, forget, fresh, get, go, labelled, later, link, renameDialog, post, remembered, send, spines, trying } from "./studio-base.js";
import { compose } from "./studio-compose.js";
import { askEffects, withoutEmpty } from "./studio-effects.js";
import { oddsOf, pageButton } from "./studio-look.js";

const MOST_PASTED = 60;
const QUICK = 5000; // milliseconds in which odds are counted unasked
const BACK = -1;
const at = (value, path) => path.reduce((inner, each) => (inner && typeof inner === "object" ? inner[each] : undefined), value);
const inner = (value) => (value && !Array.isArray(value) && typeof value === "object" ? value.effects ?? [] : value);

export async function writePage(pack, part = "") {
  let now = await fresh(`grid?${new URLSearchParams({ of: pack, part })}`);
  const nav = h("nav", { class: "choose", "aria-label": "Parts of the pack" });
  const told = h("div", { class: "told", role: "status" });
  const head = h("div", "acts");
  const table = h("div", { role: "region", "aria-label": "Rows" });
  const rest = h("div", "rest");
  const beside = h("aside", { class: "beside-row", "aria-label": "Beside the row" });
  const heading = h("h1", {}, `Write: ${now.title}`);
  let cells = new Map();
  let chosen = 0;
  const isGrid = () => now.holds === "rows";
  const rowAt = (place) => (place === BACK ? now.back : now.rows?.[place]);
  // A file that cannot be read for a moment after a change shows another part: the next look asks for this one again.
  const wanted = part || (now.part ?? "");
  let queue = Promise.resolve();

  // --- changes: one after the other, each as the one before it left the pack

  const change = (body, send = write) => (queue = queue.then(() => send(body)));
  async function write(body, says = told) {
    card.classList.add("stale");
    try {
      accept(await post("write", { pack, part: now.part ?? "", seen: now.seen, change: body }));
      return true;
    } catch (error) {
      await look();
      look_beside();
      return show(says, failed(error));
    }
  }
  // A form in a dialog for a change. What is new then is gone to.
  function ask(title, act, body, ...fields) {
    formDialog(title, act, async (says) => {
      const before = now.part;
      if (!(await change(body(), (asked) => write(asked, says)))) return false;
      if (now.part !== before) go(pack, "write", ...now.part.split("/"));
      return true;
    }, ...fields);
  }
  async function upload(body, file) {
    const asked = { pack, part: now.part, seen: now.seen, change: body };
    show(told, h("p", "wait", "Reading the picture …"));
    await trying(told, async () => accept(await send(`upload?${new URLSearchParams({ change: JSON.stringify(asked) })}`, file)));
  }
  async function look() {
    const found = await fresh(`grid?${new URLSearchParams({ of: pack, part: wanted })}`).catch((error) => show(told, failed(error)));
    if (found && found.seen !== now.seen) accept(found);
    else repaint();
  }
  function accept(found) {
    const alike = found.part === now.part && found.rows?.length === now.rows?.length && JSON.stringify(found.columns) === JSON.stringify(now.columns);
    now = found;
    heading.textContent = `Write: ${now.title}`;
    show(told, now.notes.length ? h("ul", "notice", now.notes.map((note) => h("li", {}, note))) : null);
    if (alike) repaint();
    else paint();
    look_beside();
  }

  // --- the grid

  function repaint() {
    if (now.rows) for (const cell of cells.values()) cell.fill();
    around();
  }
  function paint() {
    cells = new Map();
    chosen = Math.max(now.back ? BACK : 0, Math.min(chosen, (now.rows?.length ?? 1) - 1));
    show(table, !now.rows ? h("p", "empty", "This pack has no table and no deck yet: paste a table.") : isGrid() ? gridOf() : listOf());
    for (const cell of cells.values()) cell.fill();
    around();
  }
  // What is around the grid is made anew only if it says something else: a button that is being pressed must stay.
  const undo = button("Undo", () => change({ do: "undo" }), { data: { key: "undo" } });
  let said = "";
  function around() {
    undo.disabled = !now.undo;
    const says = JSON.stringify([now.title, now.parts, now.part, now.csv, now.others]);
    if (says === said) return;
    said = says;
    const what = now.holds === "rows" ? "the table" : "the deck";
    show(nav, now.parts.map((each) => h("a", { href: link(pack, "write", ...each.id.split("/")), data: { key: `part-${each.id}` }, ...(each.id === now.part ? { "aria-current": "page" } : {}) }, each.title, h("small", {}, String(each.rows)))));
    show(head,
      undo,
      button("Paste a table", () => go("post", pack), { data: { key: "paste" } }),
      button("New deck", () => askTitle("deck"), { data: { key: "deck" } }),
      now.parts.some(({ id }) => id === "events") ? button("New event", () => askTitle("event"), { data: { key: "event-new" } }) : null,
      now.holds === "cards" ? sheet() : null,
      ["rows", "cards"].includes(now.holds) ? [button(now.holds === "rows" ? "Roll on the table" : "Draw a card", roll, { data: { key: "roll" } }),
        button(`Rename ${what}`, () => renameDialog(what, titleOf(), (text) => told_of({ do: "title", text })), { data: { key: "rename" } }),
        button(`Delete ${what}`, () => deleteDialog(what, titleOf(), "You can undo this.", () => told_of({ do: "remove" })), { data: { key: "remove" } })] : null);
    show(rest,
      now.others.length ? [h("h2", {}, "Errors elsewhere"), h("ul", "faults", now.others.map((says) => h("li", {}, says)))] : null,
      h("p", "where", alone ? null : button("Open the folder", () => trying(told, () => post("folder", { pack })), { class: "quiet" }),
        button("Rename the pack", () => renameDialog("the pack", now.title, (text) => told_of({ do: "pack", text })), { class: "quiet", data: { key: "rename-pack" } }),
        button("Delete the pack", () => deleteDialog("the pack", now.title, "The pack leaves your shelf." + (alone ? "" : " Its files are kept beside the copies of each day."), removePack), { class: "quiet", data: { key: "delete-pack" } }), alone ? null : h("code", {}, now.folder)));
  }
  const titleOf = () => now.parts.find(({ id }) => id === now.part).title;
  // A change that a dialog asks for, which says there what is wrong.
  async function told_of(body) {
    const says = h("div", {});
    if (!(await change(body, (asked) => write(asked, says)))) throw new Error(says.textContent);
    forget();
  }
  const removePack = async () => {
    await post("remove", { pack });
    forget();
    go();
  };
  function gridOf() {
    const line = (place) => h("tr", { data: { row: place }, onfocusin: () => choose(place) }, h("th", { scope: "row" }, actsOf(place)), now.columns.map((column) => cellOf(column, place)));
    return h("div", { class: "grid", role: "group", "aria-label": "Grid", tabindex: 0 }, h("table", {},
      h("thead", {}, h("tr", {}, h("td", {}), now.columns.map((column) => h("th", { scope: "col", title: column.says, data: { of: column.path[0] } }, column.title)))),
      h("tbody", {}, now.rows.map((_, place) => line(place)), h("tr", "draft", h("td", { colspan: now.columns.length + 1 }, draft())))));
  }
  // A list to choose from, and a form of the one that is chosen.
  const form = h("div", "form");
  function listOf() {
    const lines = h("ul", {}, [...(now.back ? [BACK] : []), ...now.rows.keys()].map((place) => h("li", {}, pickOf(place))));
    const sift = () => { for (const each of lines.children) each.hidden = !each.textContent.toLowerCase().includes(search.value.trim().toLowerCase()); };
    const search = h("input", { type: "search", name: "filter", placeholder: "Filter", "aria-label": "Filter the list", oninput: sift });
    paintForm();
    return h("div", "pair", h("div", "list", search, lines, now.holds === "events" ? null : draft()), form);
  }
  function pickOf(place) {
    const node = h("button", { type: "button", data: { row: place, key: `pick-${place}` }, onclick: () => choose(place) });
    const fill = () => {
      const row = rowAt(place);
      if (!row) return;
      const { value, says, from } = row;
      node.classList.toggle("inherited", Boolean(from));
      node.classList.toggle("wrong", now.faults.some((each) => each.row === place));
      node.setAttribute("aria-current", String(place === chosen));
      show(node, icon(value.emblem), h("span", {}, h("b", {}, place === BACK ? "The back" : value.name ?? value.brief ?? value.says ?? value.id), h("small", {}, [value.code, ...(says.effects ?? [])].filter(Boolean).join(" · "))), from ? h("small", "from", `from ${from}`) : null);
    };
    cells.set(`pick-${place}`, { fill });
    return node;
  }
  function paintForm() {
    for (const id of cells.keys()) if (!id.startsWith("pick")) cells.delete(id);
    if (!rowAt(chosen)) return show(form);
    const columns = chosen === BACK ? now.back.columns : now.columns;
    show(form, chosen === BACK ? null : actsOf(chosen), now.holds === "events" ? eventOf(chosen) : columns.map((column) => cellOf(column, chosen)));
    for (const cell of cells.values()) cell.fill();
  }
  function actsOf(place) {
    const name = `row ${place + 1}`;
    const movable = (at) => now.rows[at] && !now.rows[at].from;
    const move = (sign, to, says) => button(sign, () => { if (!isGrid()) chosen = to; change({ do: "move", row: place, to }); }, { "aria-label": `Move ${name} ${says}`, disabled: !movable(place) || !movable(to), data: { key: `move-${says}-${place}` } });
    const head = h("div", "row-head");
    const fill = () => {
      if (!now.rows?.[place]) return;
      const { from, chance } = now.rows[place];
      (head.closest("tr") ?? form).classList.toggle("inherited", Boolean(from));
      show(head, h("small", {}, [chance, from && `from ${from}`].filter(Boolean).join(", ")), h("span", "row-acts", ["rows", "cards"].includes(now.holds) ? [move("↑", place - 1, "up"), move("↓", place + 1, "down"),
        button("+", () => insert(place), { "aria-label": `Insert a row before ${name}`, data: { key: `insert-${place}` } })] : null,
      button("×", () => change({ do: "drop", row: place }), { "aria-label": `Remove ${name}`, disabled: Boolean(from), data: { key: `drop-${place}` } })));
    };
    cells.set(`head-${place}`, { fill });
    return head;
  }
  function cellOf(column, place) {
    const path = column.path.join("/");
    const id = `cell-${place}-${path.replaceAll("/", "-")}`;
    const fault = h("p", { class: "fault", id: `${id}-fault` });
    const grid = isGrid();
    const box = h(grid ? "td" : "div", { class: grid ? undefined : "field", data: { title: column.title, of: column.path[0], kind: ["at", "code"].includes(column.path[0]) ? "short" : column.kind } });
    const label = place === BACK ? `${column.title} of the back` : `${column.title}, row ${place + 1}`;
    const now_at = () => at(rowAt(place).value, column.path);
    const list = () => Array.isArray(inner(now_at()));
    const effects = () => inner(now_at()) ?? [];
    // What was typed and is not saved yet is not written over by an answer to something earlier.
    let waiting = 0;
    const save = async (value) => {
      waiting += 1;
      await change({ do: "cells", cells: [{ row: place, path: column.path, value }] });
      waiting -= 1;
      fill();
    };
    const edit = async () => askEffects(label, list() ? effects() : [], await get("effects", { of: pack, seen: now.seen }), (asked) => post("words", { pack, effects: asked }), (value) => save(withoutEmpty(value)));
    const locked = column.kind === "id" || rowAt(place).from.endsWith(".csv");
    const common = { id, "aria-label": label, "aria-describedby": fault.id, autocomplete: "off", data: { cell: `${place}/${path}`, key: id }, onchange: () => save(input.value) };
    const input = column.kind === "one" ? choice({ ...common, onchange: undefined }, [["", "Default"], ...column.values.map((each) => [each, capital(each)])], "", save)
      : column.kind === "emblem" ? button("", () => askEmblem(save), { ...common, onchange: undefined, disabled: locked })
      : h(column.kind === "note" ? "textarea" : "input", {
        ...common, type: column.kind === "colour" ? "color" : undefined, rows: 2, readonly: locked, onpaste: (event) => paste(event, column, place),
        onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); (box.closest("tr")?.nextElementSibling?.cells[box.cellIndex]?.querySelector("input, textarea") ?? (box.nextElementSibling?.querySelector("input, textarea, button") || input)).focus(); } },
      });
    const usual = column.kind === "colour" ? button("Default", () => save(""), { class: "quiet", "aria-label": `${label}: default` }) : null;
    const named = h("label", { class: "label", for: id, title: column.says }, column.title);
    const sentences = h("div", "says");
    const file = h("input", { type: "file", accept: "image/png,image/jpeg,image/webp", class: "file", "aria-label": `${label}: choose a picture`, data: { upload: `${place}/${path}` }, onchange: () => { const [picture] = file.files; if (picture) change({ do: "cells", cells: [{ row: place, path: column.path, value: "" }] }, (body) => upload(body, picture)); file.value = ""; } });
    const picker = h("label", "filing", "Choose …", file);
    const fill = () => {
      // An answer may come when the row is gone, or the file is no YAML any more.
      if (!rowAt(place)) return;
      const value = now_at();
      const says = rowAt(place).says[path] ?? [];
      const asList = column.kind === "effects" || (column.kind === "cell" && (list() || value === undefined));
      if (asList) show(sentences, says.map((each) => h("p", {}, each)), locked ? null : button(says.length ? "Change" : "+", edit, { "aria-label": `${label}: change what happens`, data: { key: `effects-${id}`, effects: `${place}/${path}` } }));
      const text = value === undefined || value === null || typeof value === "object" ? "" : String(value);
      const only = column.kind === "effects" || (column.kind === "cell" && list());
      if (column.kind === "emblem") {
        const named = text ? text.replaceAll("_", " ") : grid ? "+" : "Choose …";
        show(input, icon(text), named);
        input.setAttribute("aria-label", `${label}: ${named}`);
      }
      else if (!waiting && document.activeElement !== input) input.value = text || (column.kind === "colour" ? "#5c0e16" : "");
      const parts = [grid ? null : named, only || (column.kind === "picture" && !text) ? null : input, text ? usual : null, asList ? sentences : null, column.kind === "picture" && !locked ? picker : null, fault].filter(Boolean);
      if (parts.length !== box.children.length || parts.some((each, nth) => box.children[nth] !== each)) box.replaceChildren(...parts);
      const wrong = now.faults.filter((each) => each.row === place && (each.path === path || (column === now.columns[0] && !now.columns.some((other) => other.path.join("/") === each.path))));
      fault.textContent = wrong.map((each) => each.says).join(" ");
      input.setAttribute("aria-invalid", String(wrong.length > 0));
      box.classList.toggle("wrong", wrong.length > 0);
    };
    cells.set(id, { fill });
    return box;
  }

  async function askEmblem(done) {
    const all = Object.entries(await emblems());
    const search = h("input", { type: "search", placeholder: "Filter", "aria-label": "Filter the emblems", oninput: () => { for (const each of grid.children) each.hidden = !each.title.toLowerCase().includes(search.value.trim().toLowerCase()); } });
    const pick = (name, says) => button([icon(name), h("span", {}, name.replaceAll("_", " ") || "None")], () => { box.close(); done(name); }, { title: `${name} ${says}`, data: { emblem: name } });
    const grid = h("div", "emblems", pick("", "none"), all.map(([name, [says]]) => pick(name, says)));
    const box = dialog("Choose an emblem", search, grid);
  }

  // --- an event: its text, with what is wrong in each line, and what it prints

  const prints = h("ul", "sentences");
  function eventOf(place) {
    const area = h("textarea", { id: "event", rows: 14, wrap: "off", spellcheck: "false", "aria-label": "The event as text", "aria-describedby": "event-faults", data: { cell: `${place}/text`, key: "event" }, oninput: () => soon(250), onscroll: () => along(), onblur: () => { if (now.rows[place] && area.value !== now.rows[place].value.text) change({ do: "event", row: place, text: area.value }); } });
    const behind = h("pre", { "aria-hidden": "true" });
    const along = () => behind.scrollTo(area.scrollLeft, area.scrollTop);
    const wrong = h("div", { id: "event-faults", role: "status" });
    const toLine = (line) => {
      const before = area.value.split("\n").slice(0, line).join("\n").length + (line ? 1 : 0);
      area.focus();
      area.setSelectionRange(before, before + (area.value.split("\n")[line] ?? "").length);
    };
    const judge = async () => {
      const text = area.value;
      const { faults, says } = await post("draft", { pack, part: now.part, seen: now.seen, change: { do: "event", row: place, text } });
      if (text !== area.value || !area.isConnected) return;
      show(behind, text.split("\n").map((line, nth) => [h("s", {}, line), faults.filter((each) => each.line === nth).slice(0, 1).map((each) => h("i", {}, `  ${each.says}`)), "\n"]));
      along();
      show(wrong, h("ul", "faults", faults.map((each) => h("li", {}, button(`Line ${each.line + 1}: ${each.says}`, () => toLine(each.line), { class: "quiet" })))));
      if (!faults.length) show(prints, says.map((each) => h("li", {}, each)));
      prints.classList.toggle("stale", faults.length > 0);
    };
    const soon = later(() => judge().catch((error) => show(wrong, failed(error))));
    const put = (shape) => {
      const end = area.value.indexOf("\n", area.selectionEnd);
      const from = end < 0 ? area.value.trimEnd().length : end;
      area.setRangeText(`\n${shape}`, from, end < 0 ? area.value.length : from, "end");
      toLine(area.value.slice(0, area.selectionEnd).split("\n").length - 1);
      soon(0);
    };
    const offered = h("div", "acts");
    get("shapes").then((all) => show(offered, all.map((shape) => button(shape, () => put(shape), { class: "quiet" })))).catch(() => {});
    cells.set("event", { fill: () => { if (document.activeElement !== area && rowAt(place)) area.value = rowAt(place).value.text; soon(0); } });
    return [h("div", "code", behind, area), wrong, h("details", {}, h("summary", {}, "Statements"), h("p", "empty", "Touch one to put it on the next line. Words in capitals are yours to replace."), offered)];
  }

  // --- rows

  function draft() {
    const inputs = now.columns.filter((column) => ["id", "text", "number", "cell", "note"].includes(column.kind)).slice(0, 4);
    const fields = inputs.map((column) => [column, h("input", { "aria-label": `${column.title} of a new row`, placeholder: column.title, autocomplete: "off", data: { draft: column.path.join("/") }, onpaste: (event) => paste(event, column, now.rows.length) })]);
    const add = (submitted) => {
      submitted.preventDefault();
      const filled = fields.filter(([, field]) => field.value.trim()).map(([column, field]) => ({ path: column.path, value: field.value }));
      if (filled.length) change({ do: "add", row: now.rows.length, cells: filled }).then((done) => done && choose(now.rows.length - 1));
    };
    return h("form", { class: "draft", onsubmit: add }, fields.map(([, field]) => field), h("button", { type: "submit", data: { key: "add-row" } }, `Add a ${now.holds.slice(0, -1)}`));
  }
  function insert(place) {
    const fields = now.columns.filter((column) => ["text", "number"].includes(column.kind)).slice(0, 2).map((column) => [column, h("input", { id: `new-${column.path.join("-")}`, autocomplete: "off" })]);
    const body = () => ({ do: "add", row: place, cells: fields.map(([column, field]) => ({ path: column.path, value: field.value })) });
    ask(`A row before row ${place + 1}`, "Insert", body, fields.map(([column, field]) => [h("label", { for: field.id }, column.title), field]));
  }
  // Cells of a spreadsheet fill the grid from the cell where they are pasted; lines beyond the last row become rows.
  function paste(event, column, place) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n]./.test(text.trim())) return;
    event.preventDefault();
    const columns = now.columns.slice(now.columns.indexOf(column)).filter((each) => !["effects", "picture"].includes(each.kind));
    const lines = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n").slice(0, 200).map((line) => line.split("\t").slice(0, columns.length));
    const filled = (line, row) => line.map((value, nth) => ({ row, path: columns[nth].path, value }));
    const known = lines.slice(0, now.rows.length - place).flatMap((line, nth) => filled(line, place + nth));
    document.activeElement.blur();
    if (known.length) change({ do: "cells", cells: known });
    for (const line of lines.slice(Math.max(0, now.rows.length - place)).slice(0, MOST_PASTED)) change({ do: "add", row: 1000, cells: filled(line, 0) });
  }
  function askTitle(what) {
    const title = h("input", { id: "new-part", autocomplete: "off", required: true, maxlength: 80 });
    const { part: before } = now;
    formDialog(`A new ${what}`, `Add the ${what}`, async (says) => {
      if (what === "event") now.part = "events";
      if (!(await change({ do: what, text: title.value }, (asked) => write(asked, says)))) return false;
      if (now.part !== before) go(pack, "write", ...now.part.split("/"));
      else choose(now.rows.length - 1);
      return true;
    }, h("label", { for: "new-part" }, "Title"), title);
  }
  function sheet() {
    const file = h("input", { type: "file", accept: ".csv,text/csv", class: "file", "aria-label": now.csv ? `Refresh ${now.csv} with a newer file` : "Add cards from a spreadsheet (CSV)", data: { key: "csv", upload: "csv" }, onchange: async () => {
      const [chosenFile] = file.files;
      if (chosenFile) await trying(told, async () => askColumns(await chosenFile.text()));
      file.value = "";
    } });
    return h("label", "filing", now.csv ? `Refresh ${now.csv}` : "Cards from a CSV", file);
  }

  // What the columns of a spreadsheet are: guessed, and asked unless a refresh brings those that are known.
  async function askColumns(text) {
    const { columns, choices } = await post("columns", { pack, part: now.part, seen: now.seen, change: { do: "csv", text } });
    if (now.csv && columns.every((each) => each.is_known)) return change({ do: "csv", text });
    const options = [["", "Leave it out"], ...Object.entries(choices).map(([word, says]) => [word, capital(says)])];
    const asked = columns.filter(({ title }) => title).map(({ title, sample, meant }, nth) => ({ title, sample, node: choice({ id: `column-${nth}`, data: { column: title } }, options, meant) }));
    return ask("What the columns are", "Read the cards", () => ({ do: "csv", text, cells: asked.map(({ title, node }) => ({ path: [title], value: node.value })) }),
      h("p", "empty", "This is a guess: change what is wrong. It is kept for the next refresh."),
      h("table", "rows", asked.map(({ title, sample, node }) => h("tr", {}, h("th", {}, h("label", { for: node.id }, title)), h("td", {}, sample), h("td", {}, node)))));
  }

  // --- beside the row: its card, the screen, the odds

  function choose(place) {
    if (place === chosen && beside.childElementCount) return;
    chosen = place;
    for (const row of table.querySelectorAll("tr[data-row]")) row.classList.toggle("chosen", Number(row.dataset.row) === place);
    if (!isGrid()) {
      paintForm();
      if (innerWidth < 768) form.scrollIntoView();
    }
    look_beside();
  }
  const card = h("div", "card-beside");
  const screen = h("div", "screen-beside");
  const luck = h("div", { class: "luck", role: "status" });
  const odds = h("div", {});
  let round = 0;
  async function look_beside() {
    const mine = (round += 1);
    if (!now.rows?.length) return;
    if (now.holds === "events") {
      show(beside, h("h2", {}, "It prints"), prints, odds);
      return soonOdds(400);
    }
    if (!card.isConnected) show(beside, luck, card, screen, h("details", { ontoggle: ask_odds }, h("summary", {}, "Odds of events"), odds));
    if (!now.sound) {
      card.classList.add("stale");
      return show(screen, h("p", "empty", "Drawn again once the errors are fixed."));
    }
    try {
      const found = await fresh(`beside?${new URLSearchParams({ of: pack, part: now.part, row: Math.min(chosen, now.rows.length - 1) })}`);
      if (mine !== round) return;
      card.classList.remove("stale");
      show(card, found.cards.filter((each) => each.drawn).slice(0, 4).map((each) => cardPicture(pack, each, { alt: each.title, data: { card: each.id } })));
      const panel = found.panels[0];
      // A screen that is open stays, and is drawn again when the pack has changed.
      if (panel && screen.querySelector("img")) return screen.dataset.seen === now.seen ? undefined : draw(panel);
      const alone = now.holds === "rows" && { block: "taken", from: `${pack}/tables`, takes: now.part.split("/")[1] };
      show(screen, panel ? button(`Show the ${panel.product.replaceAll("-", " ")}`, () => draw(panel), { data: { key: "screen" } }) : null,
        alone && !panel ? [h("p", "empty", "This table is on no screen yet."), button("Put it on a screen of your own", () => compose(alone), { data: { key: "compose" } })] : null);
    } catch (error) {
      if (mine === round) show(screen, failed(error));
    }
  }
  async function draw({ product, panel, panels }) {
    if (!screen.querySelector("img")) show(screen, h("p", "wait", "Drawing …"));
    screen.dataset.seen = now.seen;
    await trying(screen, async () => {
      const printed = await post("print", { system: pack, product });
      const file = printed.files[0];
      const pages = Array.from({ length: file.pages }, (_, page) => page).filter((page) => file.pages !== panels || page === panel);
      show(screen, pages.map((page) => pageButton(printed.job, page, file, `${product}, page ${page + 1}`)));
    });
  }
  // The odds of the event beside its text; what takes longer is counted by its button.
  const soonOdds = later(async () => {
    forget();
    const id = now.rows[chosen]?.value.id;
    const all = await contents(pack).catch(() => ({}));
    if (now.holds !== "events" || id !== now.rows[chosen]?.value.id) return;
    const events = all.events?.filter(({ name }) => name === id) ?? [];
    show(odds, events.length ? oddsOf({ ...all, events }, id, QUICK) : h("p", "empty", now.sound ? "This event has no odds to count." : "The odds are counted once the errors are fixed."));
  });
  async function ask_odds(event) {
    if (!event.target.open) return;
    forget();
    show(odds, await contents(pack).then((all) => (all.events?.length ? oddsOf(all, now.part?.split("/")[1]) : h("p", "empty", "This pack has no events."))).catch(failed));
  }
  async function roll() {
    await queue;
    await trying(luck, async () => {
      const rolled = await post("roll", { pack, part: now.part });
      choose(rolled.row);
      show(luck, h("p", {}, h("b", {}, `${rolled.shows}. `), rolled.says));
      table.querySelector(`[data-row="${rolled.row}"]`)?.scrollIntoView({ block: "nearest" });
    });
  }

  const unread = remembered(`notes-${pack}`);
  if (unread?.length) show(told, h("ul", "notice", unread.map((note) => h("li", {}, note))));
  remembered(`notes-${pack}`, []);
  paint();
  look_beside();
  emblems().then(repaint, () => {});
  document.addEventListener("packs", () => table.isConnected && (queue = queue.then(look)));
  return [
    h("div", "write-head", heading, head), nav, told, h("div", "writing", h("div", {}, table, rest), beside),
  ];
}

async function emblems() {
  const all = await get("emblems");
  learn({ emblems: Object.fromEntries(Object.entries(all).map(([name, [, path]]) => [name, path])) });
  return all;
}

export async function startPage(base = "") {
  const sound = (await spines()).filter((told) => !told.faults);
  const name = h("input", { id: "pack", name: "pack", autocomplete: "off", required: true, placeholder: "Nick's Keep", maxlength: 80 });
  const system = choice({ id: "base", name: "base" }, sound.map(({ id, title }) => [id, title]), base);
  const ways = { base: ["A system, to change what you like of it", labelled("base", "System", "", system)], blank: ["Nothing: a first table to write over", null] };
  const form = h("div", {});
  let way = "base";
  const paint = () => show(form, ways[way][1]);
  const answer = h("div", { role: "status" });
  const begin = async (submitted) => {
    submitted.preventDefault();
    show(answer, h("p", "wait", "Starting the pack …"));
    await trying(answer, async () => {
      const begun = await post("begin", { pack: name.value.trim(), ...(way === "base" ? { base: system.value } : {}) });
      forget();
      go(begun.pack, "write");
    });
  };
  paint();
  return [
    h("h1", {}, "Start a pack"),
    h("p", "lead", `Your own pack is on the shelf, prints and plays like any other. ${alone ? "This browser keeps it, and you can save it to a file" : "It is a folder of files on this computer"}. `, "Rules that you have as text become one on ", h("a", { href: link("post"), data: { key: "paste-post" } }, "Paste a post"), "."),
    h("form", { class: "begin", onsubmit: begin },
      h("label", { for: "pack" }, "Name"), name,
      h("fieldset", {}, h("legend", {}, "Begin with"), Object.entries(ways).map(([each, [label]]) => h("label", "reading", h("input", { type: "radio", name: "way", value: each, checked: each === way, data: { key: `way-${each}` }, onchange: () => { way = each; paint(); } }), h("span", {}, label)))),
      form, answer, h("button", { type: "submit", class: "primary" }, "Start")),
  ];
}
