// The page of a run that goes on. Its server sends what the record has, and then what is written to it: lines of a load run,
// which charts are drawn from, and the rest of the page, which is put in the place of what was there.
import { save } from "./copy.js";
import { button, element } from "./elements.js";
import { addParts } from "./frame.js";
import { LoadRun } from "./loadrun.js";
import { growOverTime } from "./overtime.js";
import { choice } from "./state.js";

const drawEvery = 1000; // ms; a hidden window is not drawn

// growPage has the page grow until its run has ended.
export function growPage({ tools, redraws }) {
  const said = element("p", { class: "live" }, "connecting");
  document.querySelector("header").append(said);
  const load = new Charts();
  redraws.push(() => load.redraw());
  const file = { name: "", address: "save" };
  tools.append(button("save", () => save(file.name, file.address)));

  const owner = choice("owner"); // what only the address has that tare prints; for the owner there is always a place
  const source = new EventSource(owner ? "events?owner=" + encodeURIComponent(owner) : "events");
  const listen = (name, act) => source.addEventListener(name, (e) => act(e.data));
  const say = (text, state) => { said.textContent = text; said.dataset.state = state; };
  let status = "";
  listen("begin", () => load.begin());
  listen("lines", (data) => load.add(data));
  listen("main", (data) => replaceMain(data));
  listen("status", (data) => say(status = data, "on"));
  listen("end", async () => {
    await fetchFile(file);
    source.close();
    say(status, "over");
  });
  source.addEventListener("open", () => say(status || "connected", "on"));
  source.addEventListener("error", () => say((status ? status + " · " : "") + "the connection is lost", "lost"));
}

// fetchFile fetches the finished page, so that it can be saved later: the server ends with the run.
async function fetchFile(file) {
  try {
    const answer = await fetch("save");
    if (!answer.ok) return;
    file.address = URL.createObjectURL(await answer.blob());
    file.name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))?.[1] ?? "tare.html";
  } catch {
    // The server has ended before: the address stays what it was.
  }
}

// replaceMain shows a newer main part. What the reader has opened stays open, and charts stay as they are.
function replaceMain(markup) {
  const main = document.querySelector("main");
  if (main.contains(document.activeElement) && document.activeElement.matches("input[type=search]")) return; // the next one will do
  const now = new DOMParser().parseFromString(markup, "text/html").body;
  const opened = [...main.querySelectorAll("details")].map((d) => d.open);
  now.querySelectorAll("details").forEach((d, n) => { d.open = opened[n] ?? false; });
  const live = main.querySelector("[data-live]"), place = now.querySelector("[data-live]");
  if (live && place) place.replaceWith(live);
  main.replaceChildren(...now.childNodes);
  addParts();
}

// Charts draws a load run as its lines come.
class Charts {
  constructor() {
    this.begin();
    document.addEventListener("visibilitychange", () => this.draw());
  }

  begin() {
    this.run = new LoadRun();
  }

  add(data) {
    this.run.add(data.split("\n").map((line) => JSON.parse(line)));
    this.later ??= setTimeout(() => this.draw(), drawEvery);
  }

  async draw() {
    this.later = null;
    const section = document.querySelector("[data-live]");
    if (!section || document.hidden) return;
    const intervals = await this.run.intervals();
    if (this.chart?.section !== section) this.chart = growOverTime(section, 0);
    this.chart.show(intervals);
  }

  redraw() {
    this.chart?.redraw();
  }
}
