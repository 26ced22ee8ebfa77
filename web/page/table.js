// The page: shows what comes from the table, or from the start page, and sends what hands do. It knows no game.

import { ask, listen, send } from "./connection.js";
import { Board } from "./board.js";
import { Panel } from "./panel.js";
import { Hands } from "./hands.js";
import { CardReader } from "./reader.js";
import { Seats } from "./seats.js";
import { StartPage } from "./start.js";
import { Layers } from "./layers.js";
import { FaultPanel } from "./faults.js";

const REFUSAL_MS = 6000;
const find = (id) => document.getElementById(id);
const act = (command) => mayAct() && sendOrSay(command);
const board = new Board(find("board"), find("tray"), act);
const panel = new Panel(find("display"), find("keys"), find("sound"), find("buzzer"), act, mayAct);
const hands = new Hands(find("hands"), act);
const reader = new CardReader(find("reader"), act);
const seats = new Seats(find("links"), find("watch-link"));
const start = new StartPage(find("start"), order, ask);
const layers = new Layers(board, find("layers"), find("layer-text"));
const faultPanel = new FaultPanel(find("fault-panel"), find("faults-open"), board, act);
let state = {};
let isLost = false;
let refusal = 0; // the timer that takes away why something was refused
let focused = null; // what had the focus before the page was cut off

// Hands act at a table; who only watches has none, and nobody acts on what may be long past.
function mayAct() {
  return !isLost && state.place === "table" && state.may_act;
}

function show(news, gone, isWhole) {
  state = isWhole ? news : { ...state, ...news };
  for (const key of gone) delete state[key];
  if (news.labels) label(state.labels);
  if (news.language) document.documentElement.lang = state.language;
  showPlace();
  if (state.place === "table") showTable(news);
  else if (state.you.role === "table") start.show(state, news);
}

// Which part of the page is there: the start page, a table, or for others than the table's own page a sentence instead.
function showPlace() {
  const { place, you, labels } = state;
  const atTable = place === "table";
  const own = you.role === "table";
  find("table").hidden = !atTable;
  find("start").hidden = atTable || !own;
  const noSeat = you.role === "seat" && !you.seat;
  find("waiting").textContent = atTable ? (noSeat ? labels.no_seat : "") : own ? "" : labels.being_set;
  find("waiting").hidden = !find("waiting").textContent;
  for (const id of ["news", "sound"]) find(id).hidden = !atTable;
  for (const id of ["leave", "faults-open", "look-back"]) find(id).hidden = !atTable || !own;
  document.body.dataset.role = you.role;
  document.body.classList.toggle("is-choosing", !atTable && own);
  if (!atTable) document.title = "Underboard";
}

function showTable(news) {
  const seat = state.you.seat && (state.seat_names[state.you.seat] ?? state.you.seat);
  document.title = [seat, "Underboard", state.game.replaceAll("_", " ")].filter(Boolean).join(" · ");
  showStatus();
  showWhoseTurn();
  if (news.log) showLog(news.log);
  if (news.health || news.labels) showHealth(state.health ?? [], state.labels);
  if (news.screen) find("screen-text").textContent = news.screen.join("\n");
  board.show(state, news);
  panel.show(state, news);
  hands.show(state);
  showFacts(state.facts);
  reader.show(state);
  seats.show(state);
  find("place").hidden = !Object.keys(state.board.sites).length; // a game of cards only
  find("table").classList.toggle("is-boardless", find("place").hidden);
  layers.show(state, news);
  find("faults-open").hidden = state.you.role !== "table";
  find("look-back").hidden = state.you.role !== "table" || Boolean(state.links) || state.secret;
  faultPanel.show(state, news);
}

function label(labels) {
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = labels[element.dataset.text];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", labels[element.dataset.label]);
    if (["A", "BUTTON"].includes(element.tagName)) element.title = labels[element.dataset.label];
  }
}

function showStatus() {
  find("status").textContent = state.status;
  find("status").dataset.seat = state.outcome.winner ?? state.sides[state.to_move] ?? state.to_move;
  const alert = state.power ? state.alert?.text : state.labels.power_off;
  find("status").hidden = Boolean(alert);
  find("alert").hidden = !alert;
  find("alert-text").textContent = alert ?? "";
  find("switch-on").hidden = state.power || state.you.role !== "table";
  find("lift-all").hidden = !tooMany().length;
}

// On a seat's own page whether it is asked is to be seen at once.
function showWhoseTurn() {
  document.body.classList.toggle("is-your-turn", state.you.role === "seat" && state.may_act);
}

// Tokens that the table wants off the board, as after a game.
function tooMany() {
  return state.power && state.alert?.code === "extra" ? state.wrong.filter((space) => state.tokens[space]) : [];
}

function showFacts(facts) {
  find("facts").hidden = !facts.length;
  find("facts").replaceChildren(...facts.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
}

function showLog(entries) {
  const items = entries.map(({ kind, seat, text }) => {
    const item = document.createElement("li");
    item.dataset.kind = kind;
    item.dataset.seat = state.sides[seat] ?? seat;
    item.textContent = text;
    return item;
  });
  find("log").replaceChildren(...items.reverse());
}

// Sends a command; one that comes too late is refused in words that are known here.
async function order(command) {
  const answer = await send(command);
  if (answer.value.label) answer.value.text = state.labels[answer.value.label];
  return answer;
}

async function sendOrSay(command) {
  const { ok, value } = await order(command);
  if (ok || !value.text) return;
  find("refused").textContent = value.text;
  find("refused").hidden = false;
  clearTimeout(refusal);
  refusal = setTimeout(() => (find("refused").hidden = true), REFUSAL_MS);
}

find("leave").addEventListener("click", () => sendOrSay({ do: "leave" }));
find("switch-on").addEventListener("click", () => act({ do: "power", on: true }));
find("lift-all").addEventListener("click", () => tooMany().forEach((space) => act({ do: "lift", space })));

// Clicks do not take the focus, so that Enter stays the key OK; the Tab key still reaches everything.
document.addEventListener("mousedown", (event) => {
  if (state.place === "table" && event.target.closest("button, #layers label, #fault-panel label")) event.preventDefault();
});

// A page that is cut off says so, and what is on it takes no input until all of it is known again.
listen(show, (lost, why) => {
  if (lost && !isLost) focused = document.activeElement;
  isLost = lost;
  find("lost").hidden = !lost;
  document.body.classList.toggle("is-lost", lost);
  if (lost) find("lost").textContent = state.labels?.[why] ?? "The table does not answer.";
  for (const part of document.querySelectorAll("header, main")) part.inert = lost;
  if (!lost && focused?.isConnected) focused.focus();
});

// Each device: its state, why, what it has counted.
function showHealth(devices, labels) {
  const items = devices.map((device) => {
    const item = document.createElement("li");
    item.dataset.state = device.state;
    const name = document.createElement("b");
    name.textContent = `${labels[device.device]}: ${labels[device.state]}`;
    const counted = Object.entries(device.counters).map(([what, count]) => `${what} ${count}`);
    const more = document.createElement("span");
    more.textContent = [device.reason, device.faulty.join(" "), counted.join(", ")].filter(Boolean).join(" · ");
    item.append(name, " ", more);
    return item;
  });
  find("health").replaceChildren(...items);
}
