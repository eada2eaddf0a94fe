// What runs in a finished page.
import { addFrame, addParts } from "./frame.js";
import { addOverTime } from "./overtime.js";

const { redraws } = addFrame();
addParts();
document.querySelectorAll("section[data-record]").forEach((section, number) => {
  addOverTime(section, number).then((r) => redraws.push(r));
});
