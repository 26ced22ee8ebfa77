// The start page: a game that was kept, or a new one with its form. It asks the table's program what a form consists of.

import { boardPicture } from "./picture.js";

const KEPT = "answers";
const DATE = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

export class StartPage {
  constructor(place, post, ask) {
    this.post = post;
    this.ask = ask;
    this.find = (part) => place.querySelector(`[data-part="${part}"]`);
    this.game = null;
    this.answers = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    this.find("games").addEventListener("click", (event) => this.choose(event.target.closest("[data-game]")?.dataset.game));
    this.find("games").addEventListener("keydown", (event) => this.step(event));
    this.find("kept").addEventListener("click", (event) => this.goOn(event.target.closest("[data-kept]")?.dataset.kept));
    this.find("language").addEventListener("change", (event) => this.post({ do: "speak", language: event.target.value }));
    this.find("form").addEventListener("change", () => this.fill());
    this.find("form").addEventListener("submit", (event) => this.open(event));
  }

  show(state, news) {
    this.state = state;
    if (!["place", "games", "kept", "labels", "problem"].some((key) => key in news)) return;
    this.showLanguages();
    this.showKept();
    this.find("games").replaceChildren(...state.games.map((game) => this.card(game)));
    this.blame("", state.problem);
    this.choose(this.game ?? state.games[0].id);
  }

  showLanguages() {
    const options = Object.entries(this.state.languages).map(([value, name]) => option(value, name, value === this.state.language));
    this.find("language").replaceChildren(...options);
  }

  showKept() {
    const { kept, language } = this.state;
    const items = kept.map(({ name, title, status, actions, when }) => {
      const button = element("button", { type: "button", className: "kept" });
      button.dataset.kept = name;
      const date = when ? new Date(when * 1000).toLocaleString(language, DATE) : "";
      const more = [status, actions, date].filter(Boolean).join(" · ");
      button.append(element("b", { textContent: title }), element("span", { textContent: more }));
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
    this.find("kept").replaceChildren(...items);
    this.find("kept-section").hidden = !items.length;
  }

  card({ id, title, about, board }) {
    const button = element("button", { type: "button", className: "game" });
    button.dataset.game = id;
    button.setAttribute("role", "radio");
    if (board) button.append(boardPicture(board));
    button.append(element("b", { textContent: title }), element("span", { textContent: about }));
    return button;
  }

  choose(game) {
    if (!game) return;
    this.game = game;
    for (const card of this.find("games").children) {
      const chosen = card.dataset.game === game;
      card.setAttribute("aria-checked", String(chosen));
      card.tabIndex = chosen ? 0 : -1;
    }
    this.fields({});
  }

  // Arrow keys run through the games, as in any group of radio buttons.
  step(event) {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const cards = [...this.find("games").children];
    const next = cards[(cards.findIndex((card) => card.dataset.game === this.game) + way + cards.length) % cards.length];
    next.focus();
    this.choose(next.dataset.game);
  }

  fill() {
    this.fields(Object.fromEntries(new FormData(this.find("form"))));
  }

  // The questions of the game with these answers; the answers of each game are kept while the browser is open.
  async fields(given) {
    const game = this.game;
    this.answers[game] = { ...this.answers[game], ...given };
    const question = (this.question = { game, answers: this.answers[game] });
    const { ok, value } = await this.ask(question);
    if (!ok || question !== this.question) return; // another answer was given meanwhile
    const wiring = { option: "wiring", label: this.state.labels.wiring, value: this.answers[game].wiring ?? this.state.wirings[0], values: this.state.wirings.map((name) => [name, this.state.labels[`wiring_${name}`]]) };
    for (const { option: name, value: answer } of value.fields) this.answers[game][name] = answer;
    sessionStorage.setItem(KEPT, JSON.stringify(this.answers));
    this.showFields([...value.fields, wiring]);
    this.find("title").textContent = this.state.games.find(({ id }) => id === game).title;
    this.find("picture").replaceChildren(...(value.board ? [boardPicture(value.board)] : []));
    this.find("replaces").hidden = !this.state.kept.some((kept) => kept.game === game);
    if (value.problem) this.blame(value.problem.field, value.problem.text);
    else if (!this.state.problem) this.blame("", "");
  }

  // A list that is just being opened must stay the same one, so fields are made anew only if there are others.
  showFields(fields) {
    const kind = JSON.stringify(fields.map(({ option: name, label, values }) => [name, label, values]));
    if (kind !== this.kind) {
      this.kind = kind;
      const focused = document.activeElement?.name;
      this.find("fields").replaceChildren(...fields.map((field) => select(field)));
      if (focused) this.find("fields").querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
    }
    for (const { option: name, value } of fields) this.find("fields").querySelector(`[name="${CSS.escape(name)}"]`).value = value;
  }

  async open(event) {
    event.preventDefault();
    const answers = Object.fromEntries(new FormData(this.find("form")));
    const { ok, value } = await this.post({ do: "open", game: this.game, options: answers });
    if (!ok) this.blame(value.field, value.text);
  }

  async goOn(name) {
    if (!name) return;
    const { ok, value } = await this.post({ do: "go_on", name });
    if (!ok) this.blame("", value.text);
  }

  // What cannot be played is said below the field that is to blame, or below all of them.
  blame(field, text) {
    for (const old of this.find("form").querySelectorAll(".problem.is-field")) old.remove();
    for (const control of this.find("fields").querySelectorAll("select")) control.removeAttribute("aria-invalid");
    const control = field && this.find("fields").querySelector(`[name="${CSS.escape(field)}"]`);
    this.find("problem").textContent = control ? "" : text;
    if (!control || !text) return;
    const problem = element("p", { className: "problem is-field", id: "field-problem", textContent: text });
    problem.setAttribute("role", "alert");
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", problem.id);
    control.closest("label").after(problem);
  }
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function option(value, name, selected) {
  return element("option", { value, textContent: name, selected });
}

function select({ option: name, label, values }) {
  const control = element("select", { name });
  control.append(...values.map(([value, called]) => option(value, called, false)));
  const whole = document.createElement("label");
  whole.append(element("span", { textContent: label }), control);
  return whole;
}
