// Pictures: as an SVG or PNG file.
import { save, savePNG } from "./copy.js";
import { button, element } from "./elements.js";

// addPicture adds the tools of a picture.
export function addPicture(figure, number) {
  const image = figure.querySelector("img");
  if (!image) return;
  const name = `tare-${number + 1}`;
  const png = button("PNG", () => savePNG(name + ".png", image, png));
  figure.append(element("div", { class: "tools" }, button("SVG", () => save(name + ".svg", image.src)), png));
}
