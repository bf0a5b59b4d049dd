// Effects as forms: each kind is a sentence to choose, and its fields come from the server with what belongs in them.

import { button, dialog, h, show } from "./dom.js";
import { choice, labelled, later, ticked } from "./studio-base.js";

const WHOLE = /^-?\d{1,6}$/;
const number = (text) => (WHOLE.test(text) ? Number(text) : text);
const TIMED = "…";
let count = 0;

// Ask for the effects of a cell. `words` gives the sentences of effects, and `done` is given the list as it is then.
export function askEffects(title, effects, forms, words, done) {
  const editor = editorOf(structuredClone(effects), forms);
  const say = async () => {
    const legends = [...editor.node.querySelectorAll("legend")];
    const says = await words(legends.map((legend) => legend.effect)).catch(() => []);
    legends.forEach((legend, at) => (legend.textContent = says[at] ?? legend.textContent));
  };
  const soon = later(say);
  for (const event of ["input", "change"]) editor.node.addEventListener(event, () => soon(200));
  say();
  const box = dialog(title, h("form", { class: "effects", onsubmit: (event) => { event.preventDefault(); box.close(); done(editor.value()); } },
    editor.node,
    h("div", "acts", h("button", { type: "submit", class: "primary", data: { key: "effects-done" } }, "Done"))));
  box.classList.add("wide");
}

function editorOf(effects, forms) {
  const list = h("div", "effect-list");
  const known = new Map(forms.kinds.map((form) => [form.do, form]));
  const paint = () => show(list, effects.map((effect, at) => {
    const form = known.get(effect.do) ?? { do: effect.do, says: "", fields: [] };
    const fields = form.fields.map((field) => fieldOf(field, effect, forms));
    const shown = (field) => field.needed || effect[field.name] !== undefined;
    const rest = form.fields.map((field, place) => (shown(field) ? null : fields[place]));
    return h("fieldset", { class: "effect", data: { effect: effect.do } },
      Object.assign(h("legend", {}, effect.do), { effect }),
      form.fields.map((field, place) => (shown(field) ? fields[place] : null)),
      rest.some(Boolean) ? h("details", {}, h("summary", {}, "More"), rest) : null,
      button("Remove", () => { effects.splice(at, 1); paint(); }, { class: "quiet", "aria-label": `Remove ${effect.do}, number ${at + 1}` }));
  }));
  const offered = forms.kinds.filter((form) => form.begins);
  const choice = h("select", { class: "more-effects", "aria-label": "Add what happens", data: { key: `more-${(count += 1)}` }, onchange: () => {
    effects.push(structuredClone(known.get(choice.value).begins));
    choice.value = "";
    paint();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  } }, h("option", { value: "" }, offered.length ? "Add what happens …" : "Nothing more can happen in this system"), offered.map((form) => h("option", { value: form.do }, form.says)));
  paint();
  return { node: h("div", {}, list, choice), value: () => effects };
}

function fieldOf(field, effect, forms) {
  const id = `effect-field-${(count += 1)}`;
  const value = effect[field.name];
  const set = (now) => {
    if (now === undefined || now === "" || (Array.isArray(now) && !now.length && !field.needed)) delete effect[field.name];
    else effect[field.name] = now;
  };
  const common = { id, name: field.name, "aria-describedby": `${id}-says`, required: field.needed, autocomplete: "off" };
  const says = h("small", { id: `${id}-says` }, field.says);
  const withLabel = (input) => labelled(id, field.title, field.says, input);
  const names = Object.entries(forms.names[field.of] ?? {});
  switch (field.kind) {
    case "tick":
      return ticked(id, field.title, field.says, h("input", { ...common, required: false, type: "checkbox", checked: value === true, onchange: (event) => set(event.target.checked || (field.needed ? false : undefined)) }));
    case "one":
    case "name": {
      const options = field.kind === "one" ? field.values.map((each) => [each, each.replaceAll("_", " ")]) : names;
      const all = value === undefined || options.some(([each]) => each === value) ? options : [[value, value], ...options];
      return withLabel(choice(common, field.needed ? all : [["", "Default"], ...all], value, set));
    }
    case "names": {
      const chosen = () => [...box.querySelectorAll(":checked")].map((input) => input.value);
      const box = h("div", { class: "many", role: "group", "aria-label": field.title, "aria-describedby": `${id}-says` },
        names.map(([each, label]) => h("label", "tick", h("input", { type: "checkbox", value: each, checked: (value ?? []).includes(each), onchange: () => set(chosen()) }), label)));
      return h("div", "field", h("span", "label", field.title), box, says);
    }
    case "effects": {
      const inner = effect[field.name] ?? [];
      effect[field.name] = inner;
      const editor = editorOf(inner, forms);
      return h("div", { class: "field inner", role: "group", "aria-label": field.title }, h("span", "label", field.title), editor.node, says);
    }
    case "plain": {
      const input = h("textarea", { ...common, rows: 2, oninput: () => {
        try {
          set(input.value.trim() ? JSON.parse(input.value) : undefined);
          input.setCustomValidity("");
        } catch {
          input.setCustomValidity('Write it as JSON: {"name": "value"}');
        }
      } });
      input.value = value === undefined ? "" : JSON.stringify(value);
      return withLabel(input);
    }
    case "until": {
      const timed = value !== undefined && !names.some(([each]) => each === value);
      const span = h("input", { name: `${field.name}-span`, "aria-label": `${field.title}: how long`, placeholder: "2d6 days", autocomplete: "off", value: timed ? value : "", hidden: !timed, oninput: () => set(span.value.trim()) });
      const box = withLabel(choice(common, [...(field.needed ? [] : [["", "Default"]]), ...names, [TIMED, "for a time:"]], timed ? TIMED : value ?? "", (each) => {
        span.hidden = each !== TIMED;
        if (span.hidden) return set(each);
        span.focus();
        return set(span.value.trim());
      }));
      box.children[1].after(span);
      return box;
    }
    default: {
      const typed = (text) => (["number", "dice"].includes(field.kind) ? number(text) : text);
      return withLabel(h("input", { ...common, type: "text", value: value ?? "", oninput: (event) => set(typed(event.target.value.trim())) }));
    }
  }
}

// What no form has touched is not written.
export function withoutEmpty(value) {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => !Array.isArray(item) || item.length).map(([key, item]) => [key, withoutEmpty(item)]));
}
