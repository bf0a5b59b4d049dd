// The rules of this table to look up: its house rules, and its screen and reference as text.

import { pretty } from "./cards.js";
import { h, show } from "./dom.js";
import { ask } from "./net.js";

const cells = (tag, row, more) => row.map((cell, place) => h(place ? tag : "th", place ? {} : more, pretty(cell)));
const table = ({ caption, head, rows }) =>
  h("div", { class: "wide", role: "region", "aria-label": caption, tabindex: "0" }, h("table", {}, head.length ? h("thead", {}, h("tr", {}, cells("th", head, {}))) : null, h("tbody", {}, rows.map((row) => h("tr", {}, cells("td", row, { scope: "row" }))))));

function node(each) {
  if (each.rows) return table(each);
  if (each.items) return h("ul", {}, each.items.map((item) => h("li", {}, pretty(item))));
  return each.level ? h(`h${Math.min(each.level, 4)}`, {}, each.text) : h("p", {}, each.strong ? h("b", {}, `${each.strong} `) : null, pretty(each.text));
}

// The panels as what unfolds; what is sought in them lies open.
function panelsNode(nodes) {
  const panels = [];
  for (const each of nodes)
    if (each.level === 2) panels.push({ title: each.text, inside: [] });
    else panels.at(-1)?.inside.push(node(each));
  return panels.map(({ title, inside }) => h("details", {}, h("summary", {}, h("b", {}, title)), inside));
}

export function rulesNode() {
  const body = h("div", "rules-body", h("p", "wait", "Reading the rules …"));
  const sift = () => {
    const sought = search.value.trim().toLowerCase();
    for (const panel of body.querySelectorAll("details")) {
      panel.hidden = !panel.textContent.toLowerCase().includes(sought);
      panel.open = Boolean(sought) && !panel.hidden;
    }
  };
  const search = h("input", { type: "search", placeholder: "Find in the rules", "aria-label": "Find in the rules", oninput: sift });
  ask("rules").then(({ status, value }) => {
    if (status !== 200) return show(body, h("p", "notice error", value.error));
    show(body, value.pages.map(({ title, nodes }) => [h("h3", {}, title), panelsNode(nodes)]));
    return sift();
  });
  return h("div", "rules", search, body);
}

export const houseRules = (rules) => (rules.length ? h("details", "house-rules", h("summary", {}, h("b", {}, "House rules"), h("small", {}, ` ${rules.map((each) => each.name).join(", ")}`)), h("ul", {}, rules.map((each) => h("li", {}, each.says)))) : null);
