// House rules: every switch and number, and what a change does to the odds, chart by chart as each is counted.

import { capital, h, show, spaced } from "./dom.js";
import { key } from "./net.js";
import { contents, failed, get, later, latest, link, packForm, plural, post } from "./studio-base.js";

const PAUSE = 300;
const MOST_BARS = 12;
// What was changed of each system, until the page is left.
const changes = new Map();
export const rulesOf = (system) => changes.get(system) ?? changes.set(system, {}).get(system);
export const rulesSay = (rules) => Object.entries(rules).map(([rule, value]) => `${spaced(rule)}: ${spaced(value)}`).join(", ");

export async function rulesPage(system) {
  const [told, known] = await Promise.all([contents(system), get("rules", { of: system })]);
  const rules = rulesOf(system);
  const does = h("aside", { class: "does", "aria-label": "What it changes" });
  const newest = latest();
  const recount = later(count);

  function change(rule, value, node) {
    if (value === rule.default || value === "") delete rules[rule.name];
    else rules[rule.name] = value;
    node.classList.toggle("changed", rule.name in rules);
    recount(PAUSE);
  }

  async function count() {
    const signal = newest();
    const state = h("p", { class: "state", role: "status" });
    const charts = h("div", "charts");
    const same = [];
    if (!Object.keys(rules).length) return show(does, h("h2", {}, "What it changes"), h("p", "empty", "Change a switch or a number. All that can be counted is counted under both rules."));
    show(does, h("h2", {}, "What it changes"), h("p", "changes", capital(rulesSay(rules))), keep(), state, charts);
    state.textContent = "counting …";
    try {
      for await (const part of counted(system, rules, signal)) {
        if (part.error) throw new Error(part.error);
        if (part.chart) charts.append(chart(part.chart));
        else if (part.same) same.push(part.same);
        else if (part.before) charts.append(h("p", "said", h("s", {}, part.before), " ", part.after));
        else charts.append(h("p", "empty", `${part.uncounted}: ${part.why}`));
      }
      state.textContent = charts.childElementCount ? "" : "Nothing that is counted differs.";
      if (same.length) charts.append(h("p", "same", `The same under both: ${same.join(", ")}.`));
      does.dataset.done = rulesSay(rules);
    } catch (error) {
      if (!signal.aborted) show(state, failed(error));
    }
  }

  function keep() {
    return [
      h("div", "acts", h("a", { class: "act", href: link(system, "print", told.starter ? "starter" : told.products[0].name, "rules") }, "Print with these rules"), h("a", { class: "act second", href: link("play", system, "rules") }, "Play with them")),
      packForm("pack", "Save as a pack", async (pack) => {
        const saved = await post("save", { system, rules, pack });
        return ["Saved. ", h("a", { href: link(saved.pack) }, `${saved.title} is on your shelf`), "."];
      }),
    ];
  }

  count();
  return [
    h("h1", {}, "House rules"),
    h("p", "lead", `${told.title}. Where the source leaves something open, a ruling decides. Choose another reading, or another number.`),
    h("div", "house", h("div", {},
      known.switches.map((rule) => {
        const chosen = rules[rule.name] ?? rule.value;
        const node = h("fieldset", { class: `rule ${rule.name in rules ? "changed" : ""}`, data: { rule: rule.name } }, h("legend", {}, rule.point), h("p", "source", rule.source),
          rule.readings.map(([value, says]) => h("label", "reading", h("input", { type: "radio", name: rule.name, value, checked: value === chosen, data: { key: `${rule.name}-${value}` }, onchange: () => change(rule, value, node) }), h("span", {}, says), value === rule.default ? h("em", {}, "Default") : null)));
        return node;
      }),
      known.numbers.length ? h("h2", {}, "Numbers") : null,
      h("div", "numbers", known.numbers.map((rule) => {
        const id = `number-${rule.name}`;
        const node = h("div", { class: `number ${rule.name in rules ? "changed" : ""}`, data: { rule: rule.name } },
          h("label", { for: id }, capital(spaced(rule.name))),
          h("input", { id, name: rule.name, value: rules[rule.name] ?? rule.value, autocomplete: "off", "aria-describedby": `${id}-says`, data: { key: id }, oninput: (event) => change(rule, event.target.value.trim(), node) }),
          h("small", { id: `${id}-says` }, capital([rule.does, `(${rule.bounds})`].filter(Boolean).join(" "))));
        return node;
      }))), does),
  ];
}

// The answer comes line by line. Whoever stops reading stops the counting.
async function* counted(system, rules, signal) {
  const answer = await fetch("api/compare", { method: "POST", signal, headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }, body: JSON.stringify({ system, rules }) });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
  }
}

// One colour for before and one for after: more may be good or bad.
function chart(told) {
  const amount = (figure) => figure?.p ?? figure?.value ?? 0;
  const text = (figure) => (!figure ? "–" : figure.text ?? (figure.p === undefined ? figure.value.toFixed(2) : `${(figure.p * 100).toFixed(1)} %`));
  const differ = told.figures.filter((each) => JSON.stringify(each.first) !== JSON.stringify(each.second));
  const most = Math.max(...differ.flatMap((each) => [amount(each.first), amount(each.second)]), 1e-9);
  const bar = (figure, kind) => {
    const node = h("i", { class: kind });
    node.style.width = `${(100 * amount(figure)) / most}%`;
    return node;
  };
  const row = (each) => h("tr", {}, h("th", { scope: "row" }, [each.row, each.at].filter(Boolean).join(": ")), h("td", { class: "bar", "aria-hidden": "true" }, bar(each.first, "before"), bar(each.second, "after")), h("td", "figures", text(each.first), h("span", { "aria-hidden": "true" }, " → "), h("b", {}, text(each.second))));
  const rest = differ.slice(MOST_BARS);
  return h("section", { class: "chart", data: { chart: told.title } }, h("h3", {}, told.title), h("p", "about", [told.about, told.note].filter(Boolean).join("; ")),
    h("table", {}, h("tbody", {}, differ.slice(0, MOST_BARS).map(row))),
    rest.length ? h("details", {}, h("summary", {}, plural(rest.length, "more figure")), h("table", {}, h("tbody", {}, rest.map(row)))) : null);
}
