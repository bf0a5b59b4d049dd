// The button for a dark room.

import { button } from "./dom.js";

// Night: as the device has it, or as somebody chose.
export function night() {
  const kept = () => {
    try {
      return localStorage.getItem("hackjack-night") ?? "";
    } catch {
      return "";
    }
  };
  const dark = () => kept() === "dark" || (!kept() && matchMedia("(prefers-color-scheme: dark)").matches);
  const paint = () => (document.documentElement.dataset.theme = dark() ? "dark" : "light");
  const node = button("☾", () => {
    try {
      localStorage.setItem("hackjack-night", dark() ? "light" : "dark");
    } catch {
      // Without a memory the choice holds until the page is left.
    }
    paint();
    node.setAttribute("aria-pressed", `${dark()}`);
  }, { class: "quiet night", "aria-label": "Night", "aria-pressed": `${dark()}` });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  paint();
  return node;
}
