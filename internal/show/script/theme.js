// The switch between light and dark. Until the reader chooses, the page follows the system.
import { button } from "./elements.js";
import { choice, choose } from "./state.js";

const themes = ["", "light", "dark"];

// addTheme adds the switch to an element, and calls changed after each change.
export function addTheme(to, changed) {
  const b = button("", () => {
    choose("theme", themes[(themes.indexOf(choice("theme")) + 1) % themes.length]);
    show();
    changed();
  });
  function show() {
    const theme = choice("theme");
    document.documentElement.dataset.theme = themes.includes(theme) ? theme : "";
    b.textContent = "colours: " + (theme || "as the system");
  }
  show();
  to.append(b);
}
