// Taking figures and pictures out of the page: to the clipboard, or as a file.
import { announce, element } from "./elements.js";

// copyText puts a text on the clipboard and says at the button whether it could.
export async function copyText(text, b) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not allowed here: the older way needs no permission
    const area = element("textarea", { class: "aside", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    done = document.execCommand("copy");
    area.remove();
    b.focus();
  }
  announce(b, done ? "copied" : "the browser does not allow it");
}

// save offers the content of an address as a file.
export function save(name, address) {
  const a = element("a", { href: address, download: name });
  document.body.append(a);
  a.click();
  a.remove();
}

// savePNG offers an image as a PNG file, with 2 pixels for each of its own.
export function savePNG(name, image, b) {
  const canvas = element("canvas");
  canvas.width = 2 * image.naturalWidth;
  canvas.height = 2 * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (!blob) {
      announce(b, "too large for this browser");
      return;
    }
    const address = URL.createObjectURL(blob);
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }, "image/png");
}
