// Each seat's cards as far as this page may know them; the others are backs. A seat can cover its own hand on its own page.

const KEPT = "covered hand";

export class Hands {
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.isCovered = sessionStorage.getItem(KEPT) === "yes";
    this.drawn = "";
    place.addEventListener("click", (event) => this.click(event));
  }

  show(state) {
    this.state = state;
    const { hands, playable, to_move, seat_names, sides, labels, card_names, figures, curtain, may_act } = state;
    const now = JSON.stringify([hands, playable, to_move, seat_names, sides, labels, card_names, figures, curtain, may_act, this.isCovered]);
    if (now === this.drawn) return; // a button that is being clicked must stay the same one
    this.drawn = now;
    this.place.hidden = !Object.keys(hands).length;
    this.place.replaceChildren(...(curtain ? [this.curtain()] : []), ...this.seatsInOrder().map((seat) => this.hand(seat)));
  }

  // A seat's own hand comes first on its own page.
  seatsInOrder() {
    const seats = Object.keys(this.state.hands);
    return seats.sort((one, other) => this.isOwn(other) - this.isOwn(one));
  }

  isOwn(seat) {
    return this.state.you.seat === seat;
  }

  curtain() {
    const button = document.createElement("button");
    return Object.assign(button, { type: "button", className: "curtain", textContent: this.state.curtain });
  }

  hand(seat) {
    const { hands, to_move, seat_names, sides, labels, figures } = this.state;
    const element = document.createElement("div");
    element.className = "hand";
    element.dataset.seat = sides[seat] ?? seat;
    element.dataset.hand = seat;
    element.classList.toggle("is-moving", seat === to_move);
    element.classList.toggle("is-own", this.isOwn(seat));
    element.classList.toggle("is-shown", hands[seat].some((card) => card !== null && !(card in figures) && !card.startsWith("[")));
    const head = document.createElement("h2");
    head.textContent = `${seat_names[seat] ?? seat}${this.isOwn(seat) ? ` · ${labels.you}` : ""}`;
    const cards = document.createElement("div");
    cards.className = "cards";
    const isRow = hands[seat].some((card) => card in figures);
    cards.classList.toggle("is-row", isRow);
    cards.append(...(isRow ? this.row(seat) : hands[seat].map((card) => this.shownCard(seat, card))));
    if (!hands[seat].length) cards.textContent = labels.no_cards;
    element.append(head, ...(this.isOwn(seat) && hands[seat].length ? [this.toggle()] : []), cards);
    return element;
  }

  toggle() {
    const { labels } = this.state;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "plain cover", textContent: this.isCovered ? labels.show : labels.hide });
    button.setAttribute("aria-pressed", String(this.isCovered));
    return button;
  }

  // Cards in a row in which a figure stands: a gap before each card, one of them taken.
  row(seat) {
    const row = [this.gap()];
    for (const card of this.state.hands[seat]) {
      if (card in this.state.figures) row.splice(-1, 1, this.gap(card));
      else row.push(this.shownCard(seat, card), this.gap());
    }
    return row.slice(0, -1);
  }

  gap(figure = "") {
    const element = document.createElement("span");
    element.className = "gap";
    element.textContent = figure;
    element.classList.toggle("is-taken", Boolean(figure));
    if (!figure) return element;
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", this.state.figures[figure]);
    return element;
  }

  shownCard(seat, card) {
    return this.card(seat, this.isOwn(seat) && this.isCovered ? null : card);
  }

  card(seat, card) {
    const { playable, to_move, labels, card_names, may_act } = this.state;
    const [, opening, code, , star] = card === null ? [] : card.match(/^(\[?)(.*?)(\]?)(\*?)$/);
    const name = card === null ? labels.face_down : (card_names[code] ?? code);
    const canPlay = card !== null && may_act && seat === to_move && card in playable;
    const element = document.createElement(canPlay ? "button" : "span");
    element.className = card === null ? "card is-back" : "card";
    const marks = [opening && labels.lies_open, star && labels.is_lit].filter(Boolean);
    element.setAttribute("aria-label", card === null ? name : [`${labels.card} ${name}`, ...marks].join(", "));
    if (canPlay) element.type = "button";
    else element.setAttribute("role", "img");
    if (card === null) return element;
    element.textContent = name;
    element.classList.toggle("is-long", name.length > 2);
    element.classList.toggle("is-open", Boolean(opening));
    element.classList.toggle("is-lit", Boolean(star));
    element.dataset.card = card;
    return element;
  }

  click(event) {
    const button = event.target.closest("button");
    if (button?.classList.contains("curtain")) this.open();
    else if (button?.classList.contains("cover")) this.cover();
    else if (button?.dataset.card) this.send({ do: "choose", name: this.state.playable[button.dataset.card] });
  }

  // The key OK, pressed and let go.
  open() {
    for (const down of [true, false]) this.send({ do: "key", key: "ok", down });
  }

  cover() {
    this.isCovered = !this.isCovered;
    sessionStorage.setItem(KEPT, this.isCovered ? "yes" : "no");
    this.show(this.state);
  }
}
