// The Back button closes what is open, one step at a time: a dialog, the last answer, a form. Only then it leaves the page.

// `layers` are functions: each gives what closes its topmost layer, or null if nothing of it is open.
export function backCloses(...layers) {
  const topmost = () => layers.map((layer) => layer()).find(Boolean);
  // A mark in the history is what Back takes away first. It stays when all is closed otherwise.
  const isMarked = () => Boolean(history.state?.open);
  let marked = isMarked();
  const mark = () => {
    if (topmost() && !marked) history.pushState({ open: true }, "");
    marked = isMarked();
  };

  document.addEventListener("layered", mark);
  addEventListener("popstate", () => {
    const before = marked;
    marked = isMarked();
    if (marked || !before) return;
    const close = topmost();
    if (!close) return history.back();
    close();
    mark();
  });
}

export const dialogLayer = () => {
  const open = document.querySelector("dialog[open]");
  return open && (() => open.close());
};
