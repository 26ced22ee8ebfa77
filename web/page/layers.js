// What can be laid over the board: what the sensors read, what the game expects, and where the two differ.

const KINDS = ["read", "expected", "difference"];
const KEPT = "shown layers";

export class Layers {
  constructor(board, place, text) {
    this.board = board; // a Board
    this.text = text;
    this.shown = new Set(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
    this.boxes = new Map([...place.querySelectorAll("[data-layer]")].map((box) => [box.dataset.layer, box]));
    for (const [kind, box] of this.boxes) {
      box.checked = this.shown.has(kind);
      box.addEventListener("change", () => this.turn(kind, box.checked));
    }
  }

  show(state, news) {
    this.state = state;
    if (["board", "contacts", "expected", "faults", "labels"].some((key) => key in news)) this.draw();
  }

  turn(kind, on) {
    if (on) this.shown.add(kind);
    else this.shown.delete(kind);
    sessionStorage.setItem(KEPT, JSON.stringify([...this.shown]));
    this.draw();
  }

  draw() {
    const { contacts, expected, faults, labels } = this.state;
    const found = {
      read: new Map(contacts.map((space) => [space, "●"])),
      expected: new Map(expected.map((space) => [space, "○"])),
      difference: new Map([
        ...contacts.filter((space) => !expected.includes(space)).map((space) => [space, "+"]),
        ...expected.filter((space) => !contacts.includes(space)).map((space) => [space, "−"]),
      ]),
    };
    for (const [space, element] of this.board.spots) {
      for (const kind of KINDS) mark(element, kind, this.shown.has(kind) ? found[kind].get(space) : undefined);
      element.dataset.broken = faults?.cells[space] ?? "";
    }
    this.text.replaceChildren(...KINDS.filter((kind) => this.shown.has(kind)).map((kind) => line(kind, found[kind], labels)));
  }
}

function mark(spot, kind, sign) {
  const old = spot.querySelector(`.layer.is-${kind}`);
  if ((old?.textContent ?? undefined) === sign) return;
  old?.remove();
  if (sign === undefined) return;
  const element = document.createElement("span");
  element.className = `layer is-${kind}`;
  element.dataset.sign = sign;
  element.textContent = sign;
  element.setAttribute("aria-hidden", "true");
  spot.append(element);
}

// The same in words, for whoever does not see the board.
function line(kind, spaces, labels) {
  const element = document.createElement("p");
  element.dataset.layer = kind;
  const name = document.createElement("b");
  name.textContent = `${labels[`layer_${kind}`]}: `;
  const signs = kind === "difference";
  const texts = [...spaces].map(([space, sign]) => (signs ? `${sign}${space}` : space));
  element.append(name, texts.join(" ") || labels.layer_none);
  return element;
}
