// The card reader with the deck beside it: the top card is dragged onto the reader, or clicked.

const DRAG_FROM = 6; // pixels

export class CardReader {
  constructor(place, send) {
    this.place = place;
    this.send = send;
    this.pad = place.querySelector("[data-part='pad']");
    this.faces = place.querySelector("[data-part='faces']");
    this.drag = null;
    this.drawn = "";
    place.addEventListener("click", (event) => this.click(event));
    place.addEventListener("pointerdown", (event) => this.grab(event));
    place.addEventListener("pointermove", (event) => this.pull(event));
    place.addEventListener("pointerup", (event) => this.drop(event));
    place.addEventListener("pointercancel", () => this.forget());
  }

  show({ reader, labels }) {
    this.place.hidden = !reader;
    if (!reader) return;
    this.pad.classList.toggle("is-busy", reader.busy);
    const now = JSON.stringify([reader.cards, labels.card]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.faces.replaceChildren(...reader.cards.map((card) => face(card, labels)));
  }

  click(event) {
    const card = event.target.closest("[data-lay]")?.dataset.lay;
    if (card !== undefined && !(this.dragged && event.detail !== 0)) this.send({ do: "lay", card });
  }

  grab(event) {
    const source = event.target.closest("[data-lay]");
    this.dragged = false;
    if (event.button === 0 && source) this.drag = { source, x: event.clientX, y: event.clientY };
  }

  pull(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
      this.dragged = true;
      this.place.setPointerCapture(event.pointerId);
      drag.ghost = document.createElement("span");
      drag.ghost.className = "card is-back is-dragged";
      document.body.append(drag.ghost);
    }
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    this.pad.classList.toggle("is-hovered", this.isOver(event));
  }

  drop(event) {
    if (this.drag?.ghost && this.isOver(event)) this.send({ do: "lay", card: this.drag.source.dataset.lay });
    this.forget();
  }

  isOver(event) {
    return Boolean(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-part='pad']"));
  }

  forget() {
    this.drag?.ghost?.remove();
    this.pad.classList.remove("is-hovered");
    this.drag = null;
  }
}

function face(card, labels) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = card.length > 2 ? "card is-long" : "card";
  button.dataset.lay = card;
  button.textContent = card;
  button.setAttribute("aria-label", `${labels.card} ${card}`);
  return button;
}
