// Print has what is folded away, but for the figures of charts, which are in the tables anyway.

// addPrint opens the page's details while it is printed.
export function addPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.figures)")];
    for (const d of opened) d.open = true;
  });
  addEventListener("afterprint", () => {
    for (const d of opened) d.open = false;
  });
}
