// The Back button closes what is open, one step at a time: a dialog, the last answer, a form. Only then it leaves the page.

// `layers` are functions: each gives what closes its topmost layer, or null if nothing of it is open.
export function backCloses(...layers) {
  let leaving = false; // our own way back is under way
  const topmost = () => layers.map((layer) => layer()).find(Boolean);

  function settle() {
    if (leaving) return;
    const marked = Boolean(history.state?.open);
    if (topmost()) marked || history.pushState({ open: true }, "");
    else if (marked) {
      leaving = true;
      history.back();
    }
  }

  document.addEventListener("layered", settle);
  addEventListener("popstate", () => {
    if (leaving) leaving = false;
    else if (!history.state?.open) topmost()?.();
    settle();
  });
}

export const dialogLayer = () => {
  const open = document.querySelector("dialog[open]");
  return open && (() => open.close());
};
