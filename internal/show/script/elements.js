// Elements that scripts add to the page. All text goes in as text, never as markup.

// element returns a new element with attributes and children, which are elements or texts.
export function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// button returns a button that calls act.
export function button(text, act, attributes = {}) {
  const b = element("button", { type: "button", ...attributes }, text);
  b.addEventListener("click", act);
  return b;
}

// announce shows a short message for a while in place of a button's text. Screen readers say it.
export function announce(b, text) {
  const was = b.dataset.text ?? b.textContent;
  b.dataset.text = was;
  b.textContent = text;
  clearTimeout(+b.dataset.timer);
  b.dataset.timer = setTimeout(() => { b.textContent = was; }, 2000);
}
