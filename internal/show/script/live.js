// What runs in the page of a run that goes on.
import { addFrame, addParts } from "./frame.js";
import { growPage } from "./growing.js";

const frame = addFrame();
addParts();
growPage(frame);
