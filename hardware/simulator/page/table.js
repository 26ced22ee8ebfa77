// The page of a table: shows what the table sends, and sends what hands do. It knows no game.

import { listen, send } from "./connection.js";
import { Board } from "./board.js";
import { Panel } from "./panel.js";
import { Hands } from "./hands.js";
import { Layers } from "./layers.js";
import { FaultDesk } from "./faults.js";

const find = (id) => document.getElementById(id);
const board = new Board(find("board"), find("tray"), send);
const panel = new Panel(find("display"), find("keys"), find("sound"), find("buzzer"), send);
const hands = new Hands(find("hands"), send);
const layers = new Layers(board, find("layers"), find("layer-text"));
const desk = new FaultDesk(find("desk"), find("desk-open"), board, send);
let state = {};

function show(news) {
  state = { ...state, ...news };
  if (news.labels) label(state.labels);
  if (news.language) document.documentElement.lang = state.language;
  if (news.game) document.title = `Underboard · ${state.game.replaceAll("_", " ")}`;
  showStatus();
  if (news.log) showLog(news.log);
  if (news.health || news.labels) showHealth(state.health ?? [], state.labels);
  if (news.screen) find("screen-text").textContent = news.screen.join("\n");
  board.show(state, news);
  find("place").hidden = !Object.keys(state.board.sites).length; // a game of cards only
  panel.show(state, news);
  hands.show(state);
  layers.show(state, news);
  find("desk-open").hidden = state.you.role !== "table";
  find("look-back").hidden = state.you.role !== "table" || Boolean(state.links);
  desk.show(state, news);
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
  find("switch-on").hidden = state.power;
  find("lift-all").hidden = !tooMany().length;
}

// Tokens that the table wants off the board, as after a game.
function tooMany() {
  return state.power && state.alert?.code === "extra" ? state.wrong.filter((space) => state.tokens[space]) : [];
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

find("switch-on").addEventListener("click", () => send({ do: "power", on: true }));
find("lift-all").addEventListener("click", () => tooMany().forEach((space) => send({ do: "lift", space })));

// Clicks do not take the focus, so that Enter stays the key OK; the Tab key still reaches everything.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest("button, #layers label, #desk label")) event.preventDefault();
});

listen(show, (lost) => {
  find("lost").hidden = !lost;
  document.body.classList.toggle("is-lost", lost);
  if (lost && !find("lost").textContent) find("lost").textContent = "The table does not answer.";
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
