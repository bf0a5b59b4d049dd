// The players' links: each with its code, what players may do by themselves, and who is hidden.

import { alone, button, dialog, h, PHONES, spaced, svg } from "./dom.js";
import { ask } from "./net.js";

// `state` is the game master's; `remove` takes somebody off the table; `renewed` gets a new link first.
export async function showLinks({ game, state, remove, rename, renewed = "" }) {
  const { value } = renewed ? await ask("renew", { name: renewed }) : await ask("links");
  const events = new Set(state.player_events);
  const hidden = new Set(state.hidden);
  const settle = () => ask("settings", { events: [...events], hidden: [...hidden] });
  const tick = (label, on, change) => h("label", "tick", h("input", { type: "checkbox", checked: on, onchange: (event) => (change(event.target.checked), settle()) }), label);
  const put = (set, name, has) => (has ? set.add(name) : set.delete(name));
  const renewing = (name) =>
    h("details", {}, h("summary", {}, "Make a new link"), h("p", {}, `${name} gets a new link. The old link stops working, and pages that use it close.`), button(`Make a new link for ${name}`, () => (shown.close(), showLinks({ game, state, remove, rename, renewed: name })), { data: { key: `renew-${name}` } }));
  const link = ({ name, url, qr }) =>
    h(
      "section",
      { class: "link" },
      h("h3", {}, name, name === renewed ? h("small", {}, " the new link") : null),
      alone ? null : code(qr, name),
      h(
        "div",
        { class: "link-more" },
        alone ? null : [h("input", { readonly: true, value: url, "aria-label": `The link of ${name}`, onfocus: (event) => event.target.select() }),
        tick("Visible to the other players", !hidden.has(name), (on) => put(hidden, name, !on)),
        renewing(name)],
        button(`Rename ${name}`, () => (shown.close(), rename(name))),
        game.shared ? null : button(`${name} leaves the table`, () => (shown.close(), remove(name)), { class: "quiet" }),
      ),
    );
  const near = value.some(({ url }) => new URL(url).hostname === "127.0.0.1");
  const shown = dialog(
    "Players",
    alone ? h("p", "notice", PHONES) : near ? h("p", "notice", h("b", {}, "Phones cannot reach these links: "), "they open on this computer only. Under Play in the studio, press “Let phones join”.") : null,
    alone ? null : h("p", {}, "Each player opens their own link, or points a phone at the code. They see their own character, and of the others only the name and whether they live."),
    value.length ? null : h("p", "empty", "Nobody is at the table yet."),
    h("div", "links", value.map(link)),
    alone ? null : [h("h3", {}, "What players may do by themselves"),
    h("div", "ticks", game.events.filter((each) => !game.looks.includes(each.name)).map((each) => tick(spaced(each.name), events.has(each.name), (on) => put(events, each.name, on))))],
  );
}

// A QR code, in squares.
function code(rows, name) {
  const quiet = 4;
  const size = rows.length + 2 * quiet;
  let path = "";
  rows.forEach((row, y) => [...row].forEach((dark, x) => (path += dark === "1" ? `M${x + quiet} ${y + quiet}h1v1h-1z` : "")));
  return svg("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": `QR code of the link of ${name}`, "shape-rendering": "crispEdges" }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}
