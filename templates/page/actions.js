// Doing something: events as buttons, what they take as buttons, and the questions that luck brings up.
// Everything comes from the game's own specification of events, so that every system has this page.

import { deckLeft, face, pad, parted } from "./cards.js";
import { button, capital, h, show, spaced } from "./dom.js";
import { ask, newId } from "./net.js";

const QUICK = 12; // so many amounts are buttons
const MOST_BUTTONS = 30;
const MOST_FACES = 20;
const FEW_EVENTS = 14;

// An event of the game in a panel. `state()` is the newest state, `who()` whose turn it is to be hit, `picked` is told
// which event and words stand there, so that odds can be shown; `drawn` is called when all of it was drawn anew.
export class Actions {
  constructor(region, game, { state, who, picked = () => {}, spoken = () => {}, drawn = () => {} }) {
    Object.assign(this, { region, game, state, who, picked, spoken, drawn });
    this.event = null;
    this.values = {};
    this.kept = {};
    this.offered = {};
    this.question = null;
    this.notice = null;
    this.busy = false;
    this.filter = "";
  }

  get spec() {
    return this.event === "add" && this.game.newcomer ? this.game.newcomer : this.game.events.find((each) => each.name === this.event);
  }

  // --- which event -------------------------------------------------------------------------------------------------

  async choose(name) {
    if (this.event) this.kept[this.event] = this.values;
    this.event = name;
    this.notice = null;
    this.values = { ...(this.kept[name] ?? {}) };
    this.offered = {};
    const spec = this.spec;
    if (!spec) return this.render();
    if (!this.arguments().length && name !== "add") return this.submit();
    this.render();
    this.region.querySelector(".form")?.scrollIntoView({ block: "nearest" });
    await this.offer();
    this.tell();
  }

  drop() {
    const event = this.event;
    this.event = null;
    this.question = null;
    this.notice = null;
    this.home(event);
  }

  // Who is meant has changed: what may be chosen may be another.
  async turned() {
    if (this.event) await this.offer();
    this.render();
  }

  // --- what it takes -----------------------------------------------------------------------------------------------

  arguments(takes = this.spec?.takes ?? []) {
    // Files are named at the terminal: the page reads none.
    return takes.filter((each) => each.kind !== "file").flatMap((each) => [each, ...this.arguments(each.then?.[this.values[each.name]] ?? [])]);
  }

  async offer() {
    const asked = this.arguments().some((each) => each.depends?.length || !["number", "signed", "name", "text", "word"].includes(each.kind));
    if (!asked) return;
    const event = this.event;
    const { words, at } = this.typed();
    const { status, value } = await ask("choices", { do: event, who: this.who() ?? "", words, at });
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
    this.render();
    this.tell();
    if (this.leads(argument)) this.offer();
  }

  leads(argument) {
    return this.arguments().some((each) => each.depends?.includes(argument.name)) || Object.keys(argument.then ?? {}).length > 0;
  }

  tell() {
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
    if (words.length && words.length <= MOST_BUTTONS)
      parts.push(...words.map((word) => this.choice(argument, word, `${value}` === word)));
    const typedIn = argument.kind !== "word" && !(argument.kind === "person" && words.length);
    const number = argument.kind === "number" || argument.kind === "signed";
    if (number && !argument.option && !argument.label) {
      const most = argument.most >= argument.least ? argument.most : 0;
      const from = Math.max(argument.least, argument.kind === "signed" ? -3 : argument.least, -3);
      const until = Math.min(from + QUICK - 1, most || Infinity);
      for (let number = from; number <= until; number++) parts.push(this.choice(argument, `${number}`, `${value}` === `${number}`));
    }
    if (argument.kind === "die" || argument.kind === "trait_die")
      for (const die of ["d4", "d6", "d8", "d10", "d12"]) if (!words.includes(die)) parts.push(this.choice(argument, die, value === die));
    if (typedIn || words.length > MOST_BUTTONS) {
      const list = words.length > MOST_BUTTONS ? `list-${argument.name}` : undefined;
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
          placeholder: argument.sample || (number ? "…" : ""),
          "aria-label": called,
          value: value ?? "",
          data: { key },
          oninput: (event) => {
            this.values[argument.name] = event.target.value.trim();
            this.notice = null;
            this.light(argument);
            this.tell();
          },
          // Nothing is drawn anew here: whoever left this field with the keyboard is on the way to the next one.
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
    return h("fieldset", {}, h("legend", {}, called, argument.optional ? h("small", {}, " may be left out") : null), h("div", { class: "chips" }, parts));
  }

  choice(argument, word, pressed) {
    return button(/^-\d/.test(word) ? `−${word.slice(1)}` : spaced(word), () => this.set(argument, pressed && argument.optional ? undefined : word), {
      class: "chip",
      "aria-pressed": `${pressed}`,
      data: { key: `choice-${argument.name}-${word}`, value: word, argument: argument.name },
    });
  }

  // While somebody types an amount, the button that says the same lights up.
  light(argument) {
    for (const node of this.region.querySelectorAll(`[data-argument="${CSS.escape(argument.name)}"]`))
      node.setAttribute("aria-pressed", `${node.dataset.value === this.values[argument.name]}`);
    const go = this.region.querySelector("[data-key=go]");
    if (go) go.textContent = this.title();
  }

  // --- doing -------------------------------------------------------------------------------------------------------

  deed() {
    const { words, at } = this.typed();
    const who = this.game.shared ? "" : this.event === "add" ? (this.values[" name"] ?? "") : (this.who() ?? "");
    return { do: this.event, who, words, at };
  }

  submit() {
    if (!this.game.shared && !this.deed().who) {
      this.say("error", this.event === "add" ? "Who joins? Write a name." : "Whom does it befall? Tap a name first.");
      return undefined;
    }
    return this.send({ deed: this.deed(), asking: true });
  }

  // Send a command, and go on with what the server asks or answers.
  async send({ start, before, ...body }) {
    if (this.busy) return;
    this.busy = true;
    this.notice = null;
    this.render();
    const on = body.on ?? this.state().on;
    const whole = { on, id: newId(), ...body };
    const { status, value } = await ask("do", whole, () => this.say("wait", "The server is away: this is done as soon as it is back."));
    this.busy = false;
    if (status === 200) this.done(value);
    else if (status === 422 && value.need) this.asked(value, start ?? body.deed, before);
    else if (status === 409 && this.question) {
      await this.overtaken(value.error);
    } else this.say("error", value.error ?? `The server answers ${status}.`);
  }

  // Somebody acted while a question was open: it is asked again, on what lies there now, with the luck given so far.
  async overtaken(why) {
    if (this.busy || !this.question) return;
    const { deed, asking, start, before } = this.question;
    this.question = null;
    await this.send({ deed, asking, start, before, on: this.state().on });
    if (this.question) this.say("wait", `${why} The question is asked again.`);
  }

  done(value) {
    this.question = null;
    this.notice = null;
    const event = this.event;
    // Whoever joins next is somebody else.
    if (event) this.kept[event] = this.joins(event) ? {} : this.values;
    this.event = null;
    this.values = {};
    this.home(event);
    this.spoken(value, event);
  }

  // Draw the events, and let a keyboard go on from the one that was chosen.
  home(event) {
    const here = this.region.contains(document.activeElement) || document.activeElement === document.body;
    this.render();
    if (here && event) this.region.querySelector(`[data-key="${CSS.escape(`event-${event}`)}"]`)?.focus({ preventScroll: true });
  }

  say(kind, text) {
    this.notice = { kind, text };
    this.render();
    // On a phone it may stand outside of what is shown.
    this.region.querySelector(".notice")?.scrollIntoView({ block: "nearest" });
  }

  joins(event) {
    return event === "add" || this.game.events.some((each) => each.name === event && each.takes.some(({ kind, many }) => kind === "name" && !many));
  }

  // --- questions ---------------------------------------------------------------------------------------------------

  asked(missing, start, before = null) {
    this.question = { ...missing, start, faces: [], before: this.question ?? before };
    this.render();
    const first = this.region.querySelector(".question [data-first], .question .pad-card:not(:disabled), .question button:not(:disabled)");
    first?.focus({ preventScroll: true });
    this.region.querySelector(".question")?.scrollIntoView({ block: "start" });
  }

  // Take the last answer back: what was asked before it is asked once more.
  back() {
    const { before, faces } = this.question;
    this.question = faces.length ? { ...this.question, faces: [] } : before && { ...before, faces: [] };
    this.render();
    if (this.question && this.question.on !== this.state().on) this.overtaken("Something else has happened.");
  }

  answer(more) {
    const { need, deed, on, asking, start } = this.question;
    this.send({ deed, on, asking, start, answer: { need, ...more } });
  }

  render() {
    this.region.setAttribute("aria-busy", `${this.busy}`);
    show(this.region, this.question ? this.questionNode() : this.eventsNode(), this.noticeNode());
    this.drawn();
  }

  noticeNode() {
    if (!this.notice) return null;
    return h("p", { class: `notice ${this.notice.kind}`, role: this.notice.kind === "error" ? "alert" : "status" }, this.notice.text);
  }

  eventsNode() {
    const many = this.game.events.length > FEW_EVENTS;
    const spec = this.spec;
    const chips = this.game.events
      .filter((each) => !this.filter || `${each.name} ${each.says}`.toLowerCase().includes(this.filter))
      .map((each) =>
        button(capital(spaced(each.name)), () => this.choose(each.name), {
          class: "chip event",
          "aria-pressed": `${each.name === this.event}`,
          title: each.says,
          disabled: this.busy,
          data: { key: `event-${each.name}`, event: each.name },
        }),
      );
    const search = many
      ? h("input", {
          type: "search",
          class: "filter",
          placeholder: "Search what happens",
          "aria-label": "Search what happens",
          value: this.filter,
          data: { key: "filter" },
          oninput: (event) => {
            this.filter = event.target.value.toLowerCase();
            this.render();
          },
        })
      : null;
    return [h("div", { class: "events" }, search, h("div", { class: "chips", role: "group", "aria-label": "What happens" }, chips)), spec && (this.event === "add" || this.arguments().length) ? this.formNode(spec) : null];
  }

  title() {
    const who = this.game.shared ? "" : this.event === "add" ? this.values[" name"] : this.who();
    return [this.event === "add" ? "Join" : capital(spaced(this.event)), who, ...this.typed().words].filter(Boolean).join(" ");
  }

  formNode(spec) {
    const all = this.arguments();
    const joins = this.event === "add";
    const plain = all.filter((each) => !each.option);
    const more = all.filter((each) => each.option);
    const fields = (list) => list.map((each) => this.field(each)).filter(Boolean);
    const hidden = fields(more.slice(2));
    const chosen = more.slice(2).some((each) => this.values[each.name] !== undefined);
    return h(
      "form",
      { class: "form", onsubmit: (event) => (event.preventDefault(), this.submit()) },
      h("p", { class: "says" }, capital(spec.says)),
      joins ? this.field({ name: " name", kind: "name", title: "Name" }) : null,
      fields(plain),
      fields(more.slice(0, 2)),
      hidden.length ? h("details", { open: chosen }, h("summary", {}, "More"), hidden) : null,
      h("div", { class: "go" }, h("button", { type: "submit", class: "primary", disabled: this.busy, data: { key: "go" } }, this.busy ? "…" : this.title()), button("Close", () => this.drop(), { class: "quiet" })),
    );
  }

  questionNode() {
    const { need, so_far: sofar, deed, who } = this.question;
    const head = { card: need.reason ? `Which card lies at ${need.reason}?` : "Which card was drawn?", choice: "Choose", roll: need.kind === "roll" ? this.rollTitle(need) : "" }[need.kind];
    const body = { card: () => this.cardQuestion(need), roll: () => this.rollQuestion(need), choice: () => this.choiceQuestion(need) }[need.kind]();
    return h(
      "section",
      { class: "question", "aria-label": head },
      h("div", { class: "so-far", role: "status" }, sofar.map((line) => h("p", { class: line.mark === "death" ? "marked-death" : undefined }, line.text))),
      h("h2", {}, who ? `${who}: ${head}` : head),
      body,
      h(
        "div",
        { class: "go" },
        need.can_wait ? button("Roll later", () => this.answer({ wait: true }), { disabled: this.busy }) : null,
        button(`Take ${spaced((deed[0] ?? deed).do)} back`, () => this.drop(), { class: "quiet", data: { key: "back" } }),
        h("small", {}, "Nothing is written yet."),
      ),
    );
  }

  rollTitle({ count, faces, reason }) {
    return `Roll ${count > 1 ? count : ""}d${faces}${reason ? `: ${reason}` : ""}`;
  }

  cardQuestion({ cards }) {
    return pad(this.game.deck, cards, (name) => this.answer({ cards: [name] }));
  }

  // One tap a die; the next one has the focus.
  rollQuestion({ count, faces }) {
    const rolled = this.question.faces;
    const set = (place, value) => {
      rolled[place] = value;
      if ([...Array(count).keys()].every((each) => rolled[each])) this.answer({ dice: rolled.slice(0, count) });
      else {
        this.render();
        const next = [...Array(count).keys()].find((each) => !rolled[each]);
        this.region.querySelector(`[data-die="${next}"]`)?.focus();
      }
    };
    return [...Array(count).keys()].map((place) => {
      const label = count > 1 ? `Die ${place + 1} of ${count}, d${faces}` : `d${faces}`;
      const faceButton = (value) =>
        button(`${value}`, () => set(place, value), {
          class: "chip die",
          "aria-pressed": `${rolled[place] === value}`,
          disabled: this.busy,
          data: { key: `die-${place}-${value}`, ...(value === 1 ? { die: place } : {}), ...(place === 0 && value === 1 ? { first: "1" } : {}) },
        });
      const parts =
        faces <= MOST_FACES
          ? [...Array(faces).keys()].map((each) => faceButton(each + 1))
          : [
              h("input", {
                type: "number",
                inputmode: "numeric",
                class: "amount",
                min: 1,
                max: faces,
                "aria-label": label,
                value: rolled[place] ?? "",
                data: { die: place, key: `die-${place}`, ...(place === 0 ? { first: "1" } : {}) },
                onchange: (event) => event.target.value && set(place, Number(event.target.value)),
              }),
            ];
      return h("fieldset", { class: "dice" }, h("legend", {}, label), h("div", { class: "chips" }, parts));
    });
  }

  // What may be chosen: cards as themselves with what they do.
  choiceQuestion({ options }) {
    return h(
      "div",
      { class: options.some((each) => each.card) ? "choices cards" : "choices" },
      options.map((option, place) =>
        h(
          "button",
          { type: "button", class: option.card ? "choice-card" : "choice", disabled: this.busy, onclick: () => this.answer({ choice: place + 1 }), data: { key: `option-${place}`, option: `${place + 1}` } },
          option.card ? face(option.card) : [capital(option.text), option.says ? h("small", {}, h("br"), option.says) : null],
        ),
      ),
    );
  }
}

export { deckLeft, parted };
