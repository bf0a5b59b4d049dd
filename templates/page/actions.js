// Doing something: what is likely first, what it takes as buttons, and the questions that luck brings up.
// Everything comes from the game's specification of events: every system has this page.

import { button, capital, h, layered, minus, show, spaced, tell } from "./dom.js";
import { ask, QUESTION, newId, remember, remembered } from "./net.js";
import { pretty } from "./cards.js";
import { previewNode } from "./correct.js";
import { FIRST, heading as questionHeading, inShort, questionNode, sentence, typedCard } from "./question.js";

const QUICK = 12; // so many amounts are buttons
const MAX_BUTTONS = 30;
const MAX_LIKELY = 5;
const FEW_EVENTS = 14; // a system with more has a search
const UNUSUAL = 100; // an amount above it is asked about: a hit of 920 was 9, and then 20
const OPEN = "open"; // what a tab remembers of a form or a question
const FOUND = "button:not([hidden])";

const EVERYBODY = "all"; // whom an event befalls that befalls all who live
const isAmount = ({ kind }) => kind === "number" || kind === "signed";

// What is likely in this phase; what lies on the board as a button, which says more, needs none besides.
export const besides = (whose, board, phase) => (whose?.likely ?? []).filter((each) => (!each.in || each.in === phase) && !board?.commands.some(({ words }) => words[0] === each.do));

// The panel. `state()` is the newest state, `who()` whom an event befalls, `likely()` what is probably done next, `head()`
// what stands above it. `picked` is told the words that stand there, for odds; `spoken` what was answered; `asking`
// whether a question is open: then nothing else on the page can be done.
export class Actions {
  constructor(region, game, { state, who, likely, head = () => null, picked = () => {}, spoken = () => {}, asking = () => {}, own = false }) {
    Object.assign(this, { region, game, state, who, likely, head, picked, spoken, asking, own });
    this.empty();
    this.kept = {};
    this.busy = false;
    this.filter = "";
    region.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isOpen) {
        event.preventDefault();
        this.stepBack();
      } else if (this.question?.need.kind === "card") typedCard(this, event);
    });
  }

  // Nothing is begun.
  empty() {
    this.event = null;
    this.whom = null; // another whom it befalls, where that is not `who()`
    this.values = {};
    this.offered = {};
    this.id = ""; // the command that was sent, and all answers to its questions
    this.question = null;
    this.trail = []; // the questions that were answered, each with its answer in short
    this.notice = null;
    this.sure = ""; // the command whose unusual amount was asked about
    this.unfolded = false; // whether all events lie open
    this.mending = null; // the entry of the log that is corrected
    this.until = Infinity; // so many of its answers are given again unasked
    this.preview = null; // what the correction changes
  }

  get isOpen() {
    return Boolean(this.question || this.event || this.mending);
  }

  get spec() {
    return this.event === "add" && this.game.newcomer ? this.game.newcomer : this.game.events.find((each) => each.name === this.event);
  }

  // --- which event ---

  // Begin an event. `words` and `at` stand there already; if that is all that has to be `said`, it is done at once.
  async choose(name, { words = [], at = {}, everybody = false, whom = everybody ? EVERYBODY : null, said = words.length || everybody, mending = null } = {}) {
    // The keyboard is on its way to what is asked; a finger would call up another keyboard.
    const typing = document.activeElement?.matches(":focus-visible");
    if (this.event) this.kept[this.event] = this.values;
    this.empty();
    Object.assign(this, { event: name, whom, mending, values: said ? { ...at } : { ...(this.kept[name] ?? {}) } });
    if (!this.spec) return this.render();
    // What may be rolled is, where the program has the dice.
    if (this.game.virtual) for (const each of this.arguments()) if (each.words?.includes("roll")) this.values[each.name] ??= "roll";
    for (const left = [...words]; left.length; ) {
      const free = this.arguments().filter((each) => !each.option && this.values[each.name] === undefined);
      const next = free.find((each) => each.label && each.label === left[0]) ?? free.find((each) => !each.label);
      if (!next) break;
      if (next.label) left.shift();
      this.values[next.name] = next.many ? left.splice(0).join(" ") : left.shift();
    }
    const open = said ? this.arguments().filter((each) => this.values[each.name] === undefined && !each.optional && !each.option) : this.arguments();
    if (!open.length && name !== "add" && !mending) return this.submit();
    this.render();
    this.region.querySelector(".form")?.scrollIntoView({ block: "nearest" });
    // A name comes first, and is written.
    if (name === "add" || typing) this.region.querySelector(".form :is(input, .chip)")?.focus({ preventScroll: true });
    await this.offer();
    return this.report();
  }

  // Forget what was begun.
  drop() {
    const event = this.event;
    if (this.event) this.kept[this.event] = this.values;
    this.empty();
    this.home(event);
  }

  // Forget a question; other devices no longer see that it is open.
  cancel(id = this.id) {
    if (id) ask("cancel", { id });
    this.drop();
  }

  // Something else was done or chosen: an error that is shown is about what was before.
  heard() {
    this.notice = null;
    this.render();
  }

  // Somebody else is meant: other values may be offered.
  async turned() {
    this.notice = null;
    if (this.event) await this.offer();
    this.render();
  }

  // --- what it takes ---

  // The answers that an entry had: a tap asks for one of them again.
  answersNode() {
    const { trail } = this;
    return trail.length ? h("fieldset", {}, h("legend", {}, "Answers"), h("div", "chips", trail.map((each, place) => button([each.given, h("span", "sr", `: ${questionHeading(each)}`)], () => this.act(place), { class: "chip", data: { key: `answer-${place}` } })))) : null;
  }

  arguments(takes = this.spec?.takes ?? []) {
    // Files are named at the terminal: the page reads none.
    return takes.filter((each) => each.kind !== "file").flatMap((each) => [each, ...this.arguments(each.then?.[this.values[each.name]] ?? [])]);
  }

  async offer() {
    const asked = this.arguments().some((each) => each.depends?.length || !["number", "signed", "name", "text", "word"].includes(each.kind));
    if (!asked) return;
    const event = this.event;
    const { words, at } = this.typed();
    const { status, value } = await ask("choices", { do: event, who: this.whom ?? this.who() ?? "", words, at });
    if (status === 200 && event === this.event) {
      this.offered = value;
      this.render();
    }
  }

  // The words and options as they would be typed.
  typed() {
    const words = [];
    const at = {};
    for (const each of this.arguments()) {
      const value = this.values[each.name];
      if (value === undefined || value === "") continue;
      const parts = each.many ? String(value).split(/[\s,]+/).filter(Boolean) : [String(value)];
      if (each.option) at[each.name] = parts.join(",");
      else if (each.label) words.push(each.label, ...parts);
      else words.push(...parts);
    }
    return { words, at };
  }

  // Somebody was tapped: they are the first whom the event asks for.
  person(name) {
    const first = this.arguments().find((each) => each.kind === "person");
    if (!first) return false;
    this.set(first, name);
    return true;
  }

  set(argument, value) {
    if (value === undefined || value === "") delete this.values[argument.name];
    else this.values[argument.name] = value;
    this.notice = null;
    if (this.mending) return this.submit();
    this.render();
    this.report();
    if (this.leads(argument)) this.offer();
  }

  leads(argument) {
    return this.arguments().some((each) => each.depends?.includes(argument.name)) || Object.keys(argument.then ?? {}).length > 0;
  }

  report() {
    const { words, at } = this.typed();
    this.picked(this.event, [this.event, ...words, ...Object.entries(at).map(([name, value]) => `${name}=${value}`)]);
  }

  field(argument) {
    const called = argument.title;
    const value = this.values[argument.name];
    const key = `field-${argument.name}`;
    const words = [...(this.offered[argument.name]?.length ? this.offered[argument.name] : argument.depends?.length ? [] : (argument.words ?? []))];
    // A name of anybody's: those at the table are a tap away.
    const table = argument.kind === "name" && this.event !== "add" && !this.game.shared ? this.state() : null;
    if (table) words.push(...[...(table.people ?? table.others), ...(table.people ? [] : [table])].map((each) => each.name));
    if (argument.depends?.length && !words.length && argument.kind === "word") return null;
    const parts = [];
    if (words.length && words.length <= MAX_BUTTONS)
      parts.push(...words.map((word) => this.choice(argument, word, `${value}` === word)));
    const typedIn = argument.kind !== "word" && !(argument.kind === "person" && words.length);
    const number = isAmount(argument);
    if (number && !argument.option && !argument.label) {
      const most = argument.most >= argument.least ? argument.most : 0;
      const from = Math.max(argument.least, argument.kind === "signed" ? -3 : argument.least, -3);
      const until = Math.min(from + QUICK - 1, most || Infinity);
      for (let number = from; number <= until; number++) parts.push(this.choice(argument, `${number}`, `${value}` === `${number}`));
    }
    if (["die", "roll", "trait_die"].includes(argument.kind))
      for (const die of ["d4", "d6", "d8", "d10", "d12"]) if (!words.includes(die)) parts.push(this.choice(argument, die, value === die));
    if (typedIn || words.length > MAX_BUTTONS) {
      const list = words.length > MAX_BUTTONS ? `list-${argument.name}` : undefined;
      parts.push(
        h("input", {
          class: number ? "amount" : "",
          type: number ? "number" : "text",
          inputmode: number ? "numeric" : "text",
          min: argument.kind === "number" ? argument.least : undefined,
          autocomplete: "off",
          autocapitalize: "off",
          maxlength: 200,
          list,
          placeholder: number ? "…" : argument.sample || "",
          "aria-label": called,
          value: value ?? "",
          data: { key },
          oninput: (event) => {
            this.values[argument.name] = event.target.value.trim();
            this.notice = null;
            this.light(argument);
            this.report();
          },
          // What is typed takes the place of what stands there.
          onclick: (event) => number && event.target.select(),
          // Nothing is drawn anew: the keyboard is on its way to the next field.
          onchange: () => this.leads(argument) && this.offer(),
          onkeydown: (event) => {
            if (event.key === "Enter") {
              event.preventDefault();
              this.values[argument.name] = event.target.value.trim();
              this.submit();
            }
          },
        }),
        list ? h("datalist", { id: list }, words.map((word) => h("option", { value: word }))) : null,
      );
    }
    if (!parts.length) return null;
    return h("fieldset", {}, h("legend", {}, called, argument.optional ? h("small", {}, " optional") : null), h("div", "chips", parts));
  }

  choice(argument, word, pressed) {
    return button(/^-\d/.test(word) ? minus(word) : this.game.names[word] ?? spaced(word), () => this.set(argument, pressed && argument.optional ? undefined : word), {
      class: "chip",
      "aria-pressed": `${pressed}`,
      data: { key: `choice-${argument.name}-${word}`, value: word, argument: argument.name },
    });
  }

  // While an amount is typed, the button that says the same lights up.
  light(argument) {
    for (const node of this.region.querySelectorAll(`[data-argument="${CSS.escape(argument.name)}"]`))
      node.setAttribute("aria-pressed", `${node.dataset.value === this.values[argument.name]}`);
    const go = this.region.querySelector("[data-key=go]");
    if (go) go.textContent = this.title();
  }

  // --- doing ---

  deed() {
    const { words, at } = this.typed();
    const who = this.game.shared ? "" : this.event === "add" ? (this.values[" name"] ?? "") : (this.whom ?? this.who() ?? "");
    return { do: this.event, who, words, at };
  }

  submit() {
    const empty = this.arguments().find((each) => !each.optional && !each.option && each.default === null && !this.values[each.name]);
    if (!this.game.shared && !this.deed().who) return this.say("error", this.event === "add" ? "Name is missing." : "Tap a name first.");
    if (empty) return this.say("error", `${empty.title} is missing.`);
    const large = this.arguments().find((each) => isAmount(each) && !each.option && Number(this.values[each.name]) > UNUSUAL);
    if (large && this.sure !== this.title()) {
      this.sure = this.title();
      return this.say("wait", `${large.title} ${this.values[large.name]}? Press again if that is right.`);
    }
    return this.act();
  }

  // Do what is filled in; with a correction, find out what it changes.
  act(until = Infinity) {
    const { do: name, who, words, at } = this.deed();
    const { mending } = this;
    if (mending && this.busy) return void (this.again = () => this.act(until));
    if (mending) Object.assign(this, { until, trail: [], question: null });
    if (mending) return this.send({ deed: this.spec ? this.deed() : mending.deeds.map((each) => ({ do: each.do, who: each.who, words: each.words, at: each.at })), mends: mending.number, asking: true });
    const whole = who === EVERYBODY ? { words: [name, EVERYBODY, ...words, ...Object.entries(at).map((each) => each.join("="))] } : { deed: this.deed() };
    return this.send({ ...whole, asking: true });
  }

  // Send a command, and go on with what the server asks or answers. All answers to its questions have its id.
  async send({ start, ...body }) {
    if (this.busy) return;
    this.busy = true;
    this.notice = null;
    this.render();
    this.id = body.id ?? newId();
    const whole = { ...body, on: body.on ?? this.state().on, id: this.id };
    this.sent = whole;
    const { status, value } = await ask("do", whole, () => this.say("wait", "Connection lost. Your answer will be sent when it is back."));
    this.busy = this.unasked = false;
    const { again } = this;
    this.again = null;
    if (again && this.mending) return again();
    // It was cancelled meanwhile.
    if (this.id !== whole.id && status !== 200) return this.cancel(whole.id);
    if (status === 200 && body.mends && !body.keep) this.previewed(value);
    else if (status === 200) this.done(value);
    else if (status === QUESTION) this.asked(value, start ?? body.deed);
    else if (status === 409 && this.question) await this.overtaken(value.error);
    else {
      if (body.answer) this.trail.pop();
      this.say("error", value.error ?? `The server answers ${status}.`);
    }
  }

  // Somebody acted meanwhile: the question is asked again, on what lies there now, with the luck given so far.
  async overtaken(why) {
    if (this.busy || !this.question) return;
    const { deed, asking, start } = this.question;
    await this.send({ deed, asking, start, id: this.id, on: this.state().on, mends: this.mending?.number });
    if (this.question) this.say("wait", `${why} The question is asked again.`);
  }

  // A command that asks nothing: what it gave, or null where it was refused, which is said.
  async simply(body) {
    const { status, value } = await ask("do", { id: newId(), on: this.state().on, ...body });
    if (status !== 200) this.say("error", value.error);
    else if (this.notice) this.heard();
    return status === 200 ? value : null;
  }

  done(value) {
    const event = this.event;
    if (this.mending) tell(`Changed: ${this.preview.after?.says ?? "taken out"}.`);
    // Whoever joins next is somebody else, and the next hit is another.
    if (event && !this.mending) this.kept[event] = this.joins(event) ? {} : Object.fromEntries(this.arguments().filter((each) => !isAmount(each) && each.name in this.values).map(({ name }) => [name, this.values[name]]));
    this.empty();
    this.home(event);
    this.spoken(value, event);
  }

  // Draw the events; a keyboard goes on from the one that was chosen.
  home(event) {
    const here = this.region.contains(document.activeElement) || document.activeElement === document.body;
    this.render();
    if (here && event) this.region.querySelector(`[data-event="${CSS.escape(event)}"]`)?.focus({ preventScroll: true });
  }

  say(kind, text) {
    this.notice = { kind, text };
    this.render();
    tell(pretty(text));
    // On a phone it may stand outside of what is shown.
    this.region.querySelector(".notice")?.scrollIntoView({ block: "nearest" });
  }

  joins(event) {
    return event === "add" || this.game.events.some((each) => each.name === event && each.takes.some(({ kind, many }) => kind === "name" && !many));
  }

  // --- questions ---

  asked(missing, start) {
    this.question = { ...missing, start, faces: [] };
    const was = this.trail.length < this.until ? this.asItWas() : null;
    this.unasked = Boolean(was);
    if (was) return void this.answer(was);
    this.render();
    tell(questionHeading(this.question), missing.so_far.slice(-1).map((line) => line.text));
    this.region.querySelector(".question")?.querySelector(FIRST)?.focus({ preventScroll: true });
    this.region.scrollTop = 0;
    if (innerWidth >= 960) this.region.scrollIntoView({ block: "start" });
  }

  answer(more) {
    const { need, deed, on, asking, start } = this.question;
    this.trail.push({ ...this.question, faces: [], given: inShort(more, this.question) });
    return this.send({ deed, on, asking, start, id: this.id, answer: { need, ...more }, mends: this.mending?.number });
  }

  // --- corrections ---

  // Open an entry of the log as it was filled in.
  mend(entry) {
    const [deed, ...more] = entry.deeds;
    const isForm = !more.length && this.game.events.some((each) => each.name === deed.do);
    this.choose(isForm ? deed.do : null, { words: deed.words, at: deed.at, whom: deed.who || null, said: true, mending: entry });
    this.act();
  }

  takeOut() {
    if (this.busy) this.again = () => this.takeOut();
    else this.send({ mends: this.mending.number, asking: true });
  }

  // The answer that a question had in the entry that is corrected; null where it had none that fits.
  asItWas() {
    if (!this.mending) return null;
    const { need } = this.question;
    const before = this.trail.filter((each) => each.need.kind === need.kind);
    const [cards, dice, choices] = ["cards", "dice", "choices"].map((kind) => this.mending.deeds.flatMap((each) => each[kind] ?? []));
    if (need.kind === "card") return need.cards.includes(cards[before.length]) ? { cards: [cards[before.length]] } : null;
    if (need.kind === "choice") return choices[before.length] <= need.options.length ? { choice: choices[before.length] } : null;
    const from = before.reduce((sum, each) => sum + each.need.count, 0);
    const faces = dice.slice(from, from + need.count);
    return faces.length === need.count && faces.every((face) => face <= need.faces) ? { dice: faces } : null;
  }

  previewed(value) {
    Object.assign(this, { preview: value, question: null, unasked: false });
    this.render();
    this.region.querySelector("[data-key=keep]")?.focus();
  }

  keepIt() {
    const { on: _, ...body } = this.sent;
    return this.send({ ...body, keep: true });
  }


  // Take the last answer back; before the first one the form is left, and then nothing. Nothing is written yet.
  stepBack() {
    if (this.question?.faces.length) this.question.faces = [];
    else if (this.question && this.trail.length) {
      this.question = this.trail.pop();
      if (this.question.on !== this.state().on) return this.overtaken("Something else has happened.");
      tell(questionHeading(this.question));
    } else if (this.question && this.event) {
      ask("cancel", { id: this.id });
      this.question = this.id = null;
    } else return this.cancel();
    this.notice = null;
    this.render();
    return this.region.querySelector(this.question ? ".question" : ".form")?.querySelector(this.question ? FIRST : "[data-key=go]")?.focus({ preventScroll: true });
  }

  // --- a page that is loaded again ---

  keep() {
    const { event, whom, values, id, question, trail, mending } = this;
    remember(OPEN, this.isOpen ? { event, whom, values, id, question, trail, mending, who: this.who() } : null);
  }

  // Open what this tab had open; gives whom it was about.
  restore() {
    const open = remembered(OPEN);
    if (!open || (open.event && open.event !== "add" && !this.game.events.some((each) => each.name === open.event))) return null;
    const { who, ...rest } = open;
    Object.assign(this, rest);
    this.render();
    if (this.question && this.question.on !== this.state().on) this.overtaken("Something else has happened.");
    else if (this.event) this.offer();
    return who;
  }

  // --- what is shown ---

  render() {
    // What is answered as it was is not seen.
    if (this.unasked) return;
    this.region.setAttribute("aria-busy", `${this.busy}`);
    document.body.dataset.asked = this.question ? "yes" : "";
    this.asking(Boolean(this.question || this.mending));
    show(this.region, this.question ? questionNode(this) : this.mending ? [previewNode(this), this.formNode(this.spec)] : this.eventsNode(), this.notice && h("p", `notice ${this.notice.kind}`, pretty(this.notice.text)));
    this.keep();
    layered();
  }

  eventsNode() {
    const form = this.spec && (this.event === "add" || this.arguments().length) ? this.formNode(this.spec) : null;
    return [h("div", "events", this.head(), this.likelyNode(), this.allNode()), form];
  }

  // The next step of an order, as the one loud button, which needs no other beside it.
  nextNode(next) {
    this.step = next;
    if (!next) return null;
    const whom = next.who && next.who !== this.who() ? next.who : null;
    return button(this.label(next), () => this.choose(next.do, { ...next, whom, said: true }), { class: "primary next", disabled: this.busy, data: { key: "next", event: next.do, tap: [next.do, ...(next.words ?? [])].join(" ") } });
  }

  label(each) {
    return each.says || capital(spaced([each.do, ...(each.words ?? [])].join(" ")));
  }

  // What is probably next, then what cannot be done now and why.
  likelyNode() {
    const { step } = this;
    const isStep = (each) => step && each.do === step.do && (each.whom ?? this.who()) === (step.who ?? this.who());
    const known = this.likely().filter((each) => this.game.events.some(({ name }) => name === each.do) && !isStep(each));
    const can = known.filter((each) => !each.reason).slice(0, MAX_LIKELY);
    const cannot = known.filter((each) => each.reason);
    const chip = (each, place) =>
      button(this.label(each), () => this.choose(each.do, each), { class: `chip event ${place ? "" : "first"}`, "aria-pressed": `${each.do === this.event && (each.whom ?? null) === this.whom}`, disabled: this.busy, data: { key: `likely-${each.do}-${(each.words ?? []).join("-")}-${each.whom ?? ""}`, event: each.do, ...(each.words ? { words: each.words.join(" ") } : {}) } });
    return [
      can.length ? h("div", { class: "chips likely", role: "group", "aria-label": "Likely now" }, can.map(chip)) : null,
      cannot.length ? h("ul", "cannot", cannot.map((each) => h("li", {}, h("span", "cannot-name", this.label(each)), h("span", {}, capital(each.reason))))) : null,
    ];
  }

  // Everything else, folded, in the groups that the system has for it.
  allNode() {
    const likely = this.likely();
    const shown = new Set([this.step, ...likely.filter((each) => !each.reason && !each.words).slice(0, MAX_LIKELY), ...(this.own ? likely.filter((each) => each.reason) : [])].map((each) => each?.do));
    const rest = this.game.events.filter((each) => !shown.has(each.name));
    // The dead have nothing else to do, and where nobody plays nothing happens.
    if (!rest.length || (this.own && !this.state().alive) || (this.game.newcomer && !this.state()?.people.length)) return null;
    const groups = this.game.groups ?? [];
    const grouped = new Set(groups.flatMap(([, names]) => names));
    const sections = [...groups.map(([title, names]) => [title, rest.filter((each) => names.includes(each.name))]), [groups.length ? "More" : "", rest.filter((each) => !grouped.has(each.name))]];
    const chip = (each) => button(capital(spaced(each.name)), () => this.choose(each.name), { class: "chip event", "aria-pressed": `${each.name === this.event}`, title: each.says, disabled: this.busy, data: { key: `all-${each.name}`, event: each.name, search: `${each.name} ${each.says}`.toLowerCase() } });
    const body = h("div", "groups", sections.filter(([, list]) => list.length).map(([title, list]) => h("div", "group", title ? h("h3", {}, title) : null, h("div", { class: "chips", role: "group", "aria-label": title || "Events" }, list.map(chip)))));
    const sift = () => {
      for (const each of body.querySelectorAll("button")) each.hidden = !each.dataset.search.includes(this.filter);
      for (const each of body.children) each.hidden = !each.querySelector(FOUND);
    };
    const search = h("input", {
      type: "search",
      class: "filter",
      placeholder: "Search all events",
      "aria-label": "Search all events",
      value: this.filter,
      data: { key: "filter" },
      oninput: (event) => ((this.filter = event.target.value.toLowerCase()), sift()),
      // Enter takes the first that is found.
      onkeydown: (event) => event.key === "Enter" && (event.preventDefault(), body.querySelector(FOUND)?.click()),
    });
    sift();
    const inside = [rest.length > FEW_EVENTS ? search : null, body];
    if (!likely.length && !groups.length) return h("div", "all", inside);
    return h("details", { class: "all", open: this.unfolded }, h("summary", { onclick: (event) => (this.unfolded = !event.currentTarget.parentNode.open), data: { key: "all" } }, `Everything else (${rest.length})`), inside);
  }

  title() {
    const who = this.game.shared ? "" : this.event === "add" ? this.values[" name"] : (this.whom ?? this.who());
    if (this.mending) return "See what changes";
    return sentence({ do: this.event, who: who === EVERYBODY ? "everybody" : who, words: this.typed().words });
  }

  formNode(spec) {
    const all = this.arguments();
    const joins = this.event === "add";
    const plain = all.filter((each) => !each.option);
    const more = all.filter((each) => each.option);
    const fields = (list) => list.map((each) => this.field(each)).filter(Boolean);
    const hidden = fields(more.slice(2));
    const chosen = more.slice(2).some((each) => this.values[each.name] !== undefined);
    const { mending } = this;
    return h(
      "form",
      { class: "form", onsubmit: (event) => (event.preventDefault(), spec ? this.submit() : this.act()) },
      mending ? h("h2", {}, `Correct: ${mending.says}`) : null,
      spec ? h("p", "says", capital(spec.says)) : null,
      joins ? this.field({ name: " name", kind: "name", title: "Name" }) : null,
      fields(plain),
      fields(more.slice(0, 2)),
      hidden.length ? h("details", { open: chosen }, h("summary", {}, "More"), hidden) : null,
      mending ? this.answersNode() : null,
      h("div", "go", h("button", { type: "submit", class: "primary", disabled: this.busy, data: { key: "go" } }, this.busy ? "…" : this.title()), mending && !this.preview?.changed ? button("Take it out", () => this.takeOut(), { data: { key: "take-out" } }) : null, button(mending ? "Leave it" : "Close", () => this.drop(), { class: "quiet", data: { key: "close" } })),
    );
  }
}
