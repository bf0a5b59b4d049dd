// The table: campaigns on this computer, each on a page of its own, which phones may join.

import { alone, button, h, PHONES, show, spaced } from "./dom.js";
import { choice, deleteDialog, fresh, renameDialog, post, spines, trying } from "./studio-base.js";
import { rulesOf, rulesSay } from "./studio-rules.js";

export async function playPage(system, ruled) {
  const [known, all] = await Promise.all([fresh("campaigns"), spines()]);
  const rules = ruled ? rulesOf(system) : {};
  const answer = h("div", { class: "answer", role: "status" });
  const lan = h("input", { type: "checkbox", name: "lan" });

  async function open(table, title = table.campaign) {
    show(answer, h("p", "wait", "opening the table …"));
    await trying(answer, async () => {
      const { link: to } = await post("table", { ...table, lan: lan.checked });
      list(await fresh("campaigns"));
      show(answer, h("p", {}, h("a", { class: "act", href: to, target: "_blank", rel: "noopener", data: { key: "table" } }, `Open the table “${title}”`)),
        h("p", "empty", alone ? "The game master's page, on this screen." : "The game master's page. It has a link for each player. The table stays open until the studio ends; nothing is lost then."));
      const there = answer.querySelector("a");
      if (alone) there.click();
      else there.focus();
    });
  }
  const campaigns = h("div", {});
  const change = async (campaign, title) => {
    const { says } = await post("campaign", { campaign, title });
    list(await fresh("campaigns"));
    show(answer, h("p", "saved", says));
  };
  function list(all) {
    const row = ({ name, title, system: plays, link: to }) => h("li", {}, h("span", {}, h("b", {}, title), " ", h("small", {}, plays)), h("span", "acts",
      to ? h("a", { class: "act second", href: to, target: "_blank", rel: "noopener", "aria-label": `Is open: ${title}` }, "Is open") : h("button", { type: "button", "aria-label": `Continue ${title}`, data: { campaign: name }, onclick: () => open({ campaign: name }, title) }, "Continue"),
      to && !alone ? button("Let phones join", () => { lan.checked = true; open({ campaign: name }, title); }, { class: "quiet", "aria-label": `Let phones join ${title}`, data: { key: `phones-${name}` } }) : null,
      button("Rename", () => renameDialog("the campaign", title, (typed) => change(name, typed)), { class: "quiet", "aria-label": `Rename ${title}`, data: { key: `rename-${name}` } }),
      button("Delete", () => deleteDialog("the campaign", title, "The table closes, and the campaign leaves this list. Its files are kept in a folder that you are told.", () => change(name)), { class: "quiet", "aria-label": `Delete ${title}`, data: { key: `delete-${name}` } })));
    show(campaigns, all.length ? h("ul", "campaigns", all.map(row)) : h("p", "empty", "There is no campaign yet."));
  }
  list(known);
  const name = h("input", { name: "campaign", id: "campaign", autocomplete: "off", placeholder: "Nick's Keep", maxlength: 80, required: true });
  const chosen = choice({ name: "system", id: "campaign-system" }, all.filter((told) => !told.faults).map(({ id, title }) => [id, title]), system);
  const deck = choice({ name: "deck", id: "campaign-deck" }, [["real", "Real cards and dice: tap in what you draw"], ["virtual", "The program draws and rolls"]]);
  const begin = (submitted) => {
    submitted.preventDefault();
    open({ campaign: name.value.trim(), system: chosen.value, deck: deck.value, rules: chosen.value === system ? rules : {} });
  };
  return [
    h("h1", {}, "The table"),
    h("p", "lead", alone ? "Play on this screen: each campaign has a page for the game master." : "Each campaign has a page for the game master, and one for each player's phone."),
    h("p", {}, button("See how a fight goes", () => open({ fight: true }, "A fight to try"), { data: { key: "fight" } })),
    alone ? h("p", "notice", PHONES) : h("label", "tick", lan, "Let phones on this network join. What they send can be read there: use a network that you trust."),
    answer,
    h("div", "play",
      h("section", { "aria-label": "Continue" }, h("h2", {}, "Continue"), campaigns),
      h("section", { "aria-label": "Begin" }, h("h2", {}, "Begin"), h("form", { class: "begin", onsubmit: begin },
        h("label", { for: "campaign" }, "Name"), name,
        h("label", { for: "campaign-system" }, "System"), chosen,
        h("label", { for: "campaign-deck" }, "Cards and dice"), deck,
        ruled && Object.keys(rules).length ? h("p", "with", `With your house rules for ${spaced(system)}: ${rulesSay(rules)}.`) : null,
        h("button", { type: "submit", class: "primary" }, "Begin")))),
  ];
}
