// Somebody at a glance: numbers, tracks as boxes, what holds of them.

import { h } from "./dom.js";

const MOST_BOXES = 24;

function gauge({ key, name, value, most }) {
  const said = most ? `${name} ${value} of ${most}` : `${name} ${value}`;
  if (key === "hp" || !most || most > MOST_BOXES || most < 3 || value > most)
    return h("div", { class: `gauge ${key === "hp" ? "hp" : ""} ${value ? "" : "none"}` }, h("b", {}, `${value}`), most ? h("small", {}, ` / ${most}`) : null, h("span", {}, ` ${name}`));
  const boxes = [...Array(most).keys()].map((place) => h("i", { class: place < value ? "on" : "" }));
  const late = value / most > 0.6 ? " late" : "";
  return h(
    "div",
    { class: `track${late}${value ? "" : " none"}` },
    h("span", { class: "track-name" }, h("b", {}, `${value}`), ` ${name}`),
    h("span", { class: "boxes", role: "img", "aria-label": said }, boxes),
  );
}

// What the line of a state says besides the numbers and marks that are shown anyway.
function rest({ gauges, marks = [], line = "" }) {
  const shown = [...gauges.map((each) => each.name), ...marks].map((each) => each.toLowerCase());
  return line
    .split(", ")
    .filter((part) => part && part !== "dead" && !shown.some((each) => part.toLowerCase().includes(each)))
    .join(", ");
}

export function glance(person) {
  const { gauges, marks = [], details = [] } = person;
  const line = rest(person);
  return [
    h("div", { class: "gauges" }, gauges.map(gauge)),
    marks.length ? h("p", { class: "marks" }, marks.map((mark) => h("span", { class: "mark" }, mark))) : null,
    line ? h("p", { class: "line" }, line) : null,
    details.length ? h("ul", { class: "details" }, details.map((each) => h("li", {}, each.trim()))) : null,
  ];
}

// What has happened: the cards that were drawn, and the sentences, each with its reason on a tap.
export function sentences(lines) {
  return lines.map((line) => {
    // A picture in letters keeps its lines.
    if (line.text.includes("\n")) return h("pre", { class: "field", tabindex: "0" }, line.text);
    const look = line.mark ? `sentence marked-${line.mark}` : "sentence";
    return line.why ? h("details", { class: look }, h("summary", {}, line.text), h("p", { class: "why" }, line.why)) : h("p", { class: look }, line.text);
  });
}
