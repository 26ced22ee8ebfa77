// Each seat's cards, face down until somebody wants to see them.

const KEPT = "shown hands";

export class Hands {
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.shown = new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
    this.drawn = "";
    place.addEventListener("click", (event) => this.click(event));
  }

  show(state) {
    this.state = state;
    const { hands, playable, to_move, seat_names, sides, labels } = state;
    const now = JSON.stringify([hands, playable, to_move, seat_names, sides, labels, [...this.shown]]);
    if (now === this.drawn) return; // a button that is being clicked must stay the same one
    this.drawn = now;
    this.place.hidden = !Object.keys(hands).length;
    this.place.replaceChildren(...Object.keys(hands).map((seat) => this.hand(seat)));
  }

  hand(seat) {
    const { hands, to_move, seat_names, sides, labels } = this.state;
    const shown = this.shown.has(seat);
    const element = document.createElement("div");
    element.className = "hand";
    element.dataset.seat = sides[seat] ?? seat;
    element.classList.toggle("is-moving", seat === to_move);
    const head = document.createElement("h2");
    head.textContent = seat_names[seat] ?? seat;
    const cards = document.createElement("div");
    cards.className = "cards";
    cards.append(...hands[seat].map((card) => this.card(seat, card, shown)));
    if (!hands[seat].length) cards.textContent = labels.no_cards;
    element.append(head, this.toggle(seat, shown), cards);
    return element;
  }

  toggle(seat, shown) {
    const { labels, seat_names } = this.state;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.dataset.show = seat;
    button.textContent = shown ? labels.hide : labels.show;
    button.setAttribute("aria-pressed", String(shown));
    button.setAttribute("aria-label", `${button.textContent}: ${seat_names[seat] ?? seat}`);
    button.disabled = !this.state.hands[seat].length;
    return button;
  }

  card(seat, card, shown) {
    const { playable, to_move, labels, card_names } = this.state;
    const name = card_names[card] ?? card;
    const element = document.createElement("button");
    element.type = "button";
    element.className = shown ? "card" : "card is-back";
    element.disabled = !(shown && seat === to_move && card in playable);
    element.setAttribute("aria-label", shown ? `${labels.card} ${name}` : labels.card);
    if (shown) {
      element.textContent = name;
      element.classList.toggle("is-long", name.length > 2);
      element.dataset.card = card;
    }
    return element;
  }

  click(event) {
    const button = event.target.closest("button");
    if (button?.dataset.show) this.turn(button.dataset.show);
    else if (button?.dataset.card) this.send({ do: "choose", name: this.state.playable[button.dataset.card] });
  }

  turn(seat) {
    if (!this.shown.delete(seat)) this.shown.add(seat);
    sessionStorage.setItem(KEPT, JSON.stringify([...this.shown]));
    this.show(this.state);
  }
}
