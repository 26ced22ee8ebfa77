// Looking back: a script or a journal is stepped through, forwards and backwards, with the board and the panel of each moment.

import { Board } from "./board.js";
import { Display } from "./display.js";
import { Playback } from "./playback.js";
import { Hands } from "./hands.js";
import { Layers } from "./layers.js";

const SHORTEST_MS = 250;
const LONGEST_MS = 2500;
const find = (id) => document.getElementById(id);
const nothing = () => {};
const board = new Board(find("board"), find("tray"), nothing);
const display = new Display(find("display"));
const hands = new Hands(find("hands"), nothing);
const layers = new Layers(board, find("layers"), find("layer-text"));
let playback = null;
let at = 0;
let seen = null; // the frame that is shown
let timer = 0;

board.meddle(nothing); // tokens cannot be moved here

// What has been read

function open(file) {
  playback?.giveUp();
  stop();
  [at, seen] = [0, null];
  playback = new Playback(showPlayback);
  for (const element of [find("error"), find("welcome"), find("control"), find("table")]) element.hidden = true;
  find("save").disabled = true;
  find("status").textContent = "";
  playback.read(file);
}

function showPlayback(one) {
  if (one !== playback) return;
  find("error").hidden = !playback.error;
  find("error").textContent = playback.error;
  find("welcome").hidden = Boolean(playback.head);
  if (!playback.head) return;
  if (!seen) showScript();
  const [count, all] = [playback.frames.length, playback.head.lines.length];
  find("moment").max = Math.max(0, count - 1);
  find("progress").hidden = playback.isWhole || Boolean(playback.error);
  find("progress").max = all;
  find("progress").value = count;
  for (const [index, frame] of playback.frames.entries()) if (frame.failure) find("lines").children[index].classList.add("is-failed");
  if (count > 0) show();
}

function showScript() {
  document.title = `Underboard · ${playback.head.name}`;
  find("lines").replaceChildren(
    ...playback.head.lines.map(({ number, text }, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.tabIndex = -1;
      button.dataset.moment = index;
      const place = document.createElement("i");
      place.textContent = number;
      button.append(place, text);
      item.append(button);
      return item;
    }),
  );
  find("save").disabled = false;
}

// One moment

function show() {
  at = Math.min(Math.max(at, 0), playback.frames.length - 1);
  const frame = playback.frames[at];
  if (frame === seen) return showTime(frame);
  const news = seen ? Object.fromEntries(Object.entries(frame).filter(([key, value]) => seen[key] !== value)) : frame;
  seen = frame;
  find("table").hidden = find("control").hidden = false;
  if (news.labels) label(frame.labels);
  if (news.language) document.documentElement.lang = frame.language;
  if ("display" in news) display.show(frame.display);
  if (news.screen) find("screen-text").textContent = frame.screen.join("\n");
  board.show(frame, news);
  find("place").hidden = !Object.keys(frame.board.sites).length; // a game of cards only
  hands.show(frame);
  layers.show(frame, news);
  showStatus(frame);
  if (news.log) showLog(frame);
  showTime(frame);
}

function showTime(frame) {
  find("moment").value = at;
  find("clock").textContent = `${time(frame.t)} · ${at + 1}/${playback.head.lines.length}`;
  find("moment").setAttribute("aria-valuetext", `${playback.head.lines[at].text}, ${time(frame.t)}`);
  const before = find("lines").querySelector("[aria-current]");
  const now = find("lines").children[at];
  if (before === now) return;
  before?.removeAttribute("aria-current");
  now.setAttribute("aria-current", "step");
  const list = find("lines");
  if (now.offsetTop < list.scrollTop || now.offsetTop + now.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = now.offsetTop - list.clientHeight / 3;
}

function time(ms) {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = `${String(seconds % 60).padStart(2, "0")}.${Math.floor((ms % 1000) / 100)}`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

function label(labels) {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = labels[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", labels[element.dataset.label]);
    if (element.tagName === "BUTTON") element.title = labels[element.dataset.label];
  }
}

function showStatus(frame) {
  const alert = frame.power ? frame.alert?.text : frame.labels.power_off;
  find("status").textContent = frame.status;
  find("status").dataset.seat = frame.outcome?.winner ?? frame.sides[frame.to_move] ?? frame.to_move;
  find("status").hidden = Boolean(alert);
  find("alert").hidden = !alert;
  find("alert-text").textContent = alert ?? "";
  find("failure").hidden = !frame.failure;
  find("failure").textContent = frame.failure ? `${playback.head.name}, line ${frame.line}: ${frame.failure}` : "";
}

function showLog({ log, sides }) {
  const items = log.map(({ kind, seat, text }) => {
    const item = document.createElement("li");
    item.dataset.kind = kind;
    item.dataset.seat = sides[seat] ?? seat;
    item.textContent = text;
    return item;
  });
  find("log").replaceChildren(...items.reverse());
}

// Going through it

function go(moment) {
  at = moment;
  if (playback?.frames.length) show();
}

const STEPS = { first: () => 0, back: () => at - 1, on: () => at + 1, last: () => Infinity };

function step(name) {
  stop();
  go(STEPS[name]());
}

function run() {
  if (timer) return stop();
  if (at >= playback.frames.length - 1 && playback.isWhole) go(0);
  find("run").setAttribute("aria-pressed", "true");
  next();
}

// As long between two moments as it was at the table, within what one likes to wait.
function next() {
  const [now, then] = [playback.frames[at], playback.frames[at + 1]];
  if (!then && playback.isWhole) return stop();
  const pause = then ? Math.min(Math.max(then.t - now.t, SHORTEST_MS), LONGEST_MS) / Number(find("speed").value) : SHORTEST_MS;
  timer = setTimeout(() => {
    if (then) go(at + 1);
    next();
  }, pause);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  find("run").setAttribute("aria-pressed", "false");
}

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

addEventListener("keydown", (event) => {
  if (!playback?.frames.length || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input[type=checkbox]")) return;
  if (KEYS[event.key]) step(KEYS[event.key]);
  else if (event.key === " " && !event.target.closest("button")) run();
  else return;
  event.preventDefault();
});

document.querySelectorAll("[data-step]").forEach((button) => button.addEventListener("click", () => step(button.dataset.step)));
find("run").addEventListener("click", run);
find("moment").addEventListener("input", () => {
  stop();
  go(Number(find("moment").value));
});
find("lines").addEventListener("click", (event) => {
  const button = event.target.closest("[data-moment]");
  if (!button) return;
  stop();
  go(Number(button.dataset.moment));
});

// Clicks do not take the focus, so that the keys keep their meaning.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("button, #layers label")) event.preventDefault();
});

// Files

find("open").addEventListener("click", () => find("file").click());
find("file").addEventListener("change", () => {
  if (find("file").files.length) open(find("file").files[0]);
  find("file").value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) open(event.dataTransfer.files[0]);
});

find("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([playback.head.text], { type: "text/plain" }));
  link.download = playback.head.name.replace(/(\.(table|sqlite3|txt))?$/, ".table");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
});

// What there is to be seen without a file: the game on the server's table, or the file that it was started with.
find("home").hidden = !new URLSearchParams(location.search).has("table");
open();
