// The game master's page, shown within the studio's: it has the same worker, and the studio waits behind it.
import { dress, dressed } from "./shim.js";

const OPEN = "hackjack-table";

export function showsTables(ask, file) {
  const frame = Object.assign(document.createElement("iframe"), { title: "The table" });
  const back = Object.assign(document.createElement("button"), { type: "button", id: "leave-table", textContent: "Back to the studio" });
  const region = document.createElement("div");
  region.id = "at-table";
  region.append(back, frame);
  back.onclick = () => {
    sessionStorage.removeItem(OPEN);
    region.remove();
    document.body.classList.remove("at-table");
  };

  async function show(address) {
    sessionStorage.setItem(OPEN, address);
    document.querySelector("dialog")?.close();
    const script = await (await file("table.js")).text();
    frame.srcdoc = await (await file("table.html")).text();
    frame.onload = () => {
      const view = frame.contentWindow;
      const replace = view.history.replaceState.bind(view.history);
      dress(view, (path, more) => ask(path, more, `/${address}`));
      dressed(view);
      view.history.replaceState = (state) => replace(state, "");
      view.sessionStorage.setItem("hackjack-key", address);
      view.document.head.append(Object.assign(view.document.createElement("script"), { textContent: script }));
    };
    document.body.classList.add("at-table");
    document.getElementById("main").before(region);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href^="table/"]');
    if (!link) return;
    event.preventDefault();
    show(link.getAttribute("href"));
  });
  return {
    // A table that was open when the page was loaded again is open again.
    async ready() {
      const address = sessionStorage.getItem(OPEN);
      if (!address) return;
      const body = JSON.stringify({ campaign: decodeURIComponent(address.slice("table/".length)) });
      const answer = await ask("api/table", { method: "POST", headers: { "content-type": "application/json" }, body });
      if (answer.status === 200) show((await answer.json()).link);
      else sessionStorage.removeItem(OPEN);
    },
  };
}
