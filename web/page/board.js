// The board with its overlay, and the tokens beside it: click a space, click a token, or drag.

const DRAG_FROM = 6; // pixels

export class Board {
  constructor(board, tray, send) {
    this.board = board;
    this.tray = tray;
    this.send = send;
    this.spots = new Map();
    this.picked = null; // a piece that the player picked, until the table wants another one
    this.drag = null;
    this.act = null; // what a click on a space does instead of moving a token
    for (const place of [board, tray]) {
      place.addEventListener("pointerdown", (event) => this.grab(event));
      place.addEventListener("pointermove", (event) => this.pull(event));
      place.addEventListener("pointerup", (event) => this.drop(event));
      place.addEventListener("pointercancel", () => this.forget());
      place.addEventListener("click", (event) => this.click(event));
      place.addEventListener("contextmenu", (event) => event.preventDefault());
    }
  }

  show(state, news) {
    this.state = state;
    if (news.board) this.build(state.board);
    if ("piece" in news) this.picked = null;
    if (["pieces", "piece", "seat_names", "labels"].some((key) => key in news)) this.showTray();
    this.mark();
  }

  build({ rows, columns, sensors, sites, printed }) {
    this.board.style.setProperty("--rows", rows);
    this.board.style.setProperty("--columns", columns);
    this.spots.clear();
    this.tiles = Object.entries(sites).map(([site, spaces]) => tile(site, spaces.map((space) => sensors[space]), rows, columns));
    const siteOf = Object.fromEntries(Object.entries(sites).flatMap(([site, spaces]) => spaces.map((space) => [space, site])));
    const middles = new Set(Object.values(sites).map((spaces) => String(middle(spaces.map((space) => sensors[space])))));
    for (const [space, cell] of Object.entries(sensors)) this.spots.set(space, spot(space, siteOf[space], cell, middles.has(String(cell)), printed[siteOf[space]]));
    this.board.replaceChildren(...this.tiles, ...this.spots.values());
  }

  mark() {
    const { tokens, wrong, targets, lift, winning, labels, you } = this.state;
    for (const [space, element] of this.spots) {
      const piece = this.pieceNamed(tokens[space]);
      if (element.dataset.token !== (piece?.name ?? "")) {
        element.dataset.token = piece?.name ?? "";
        element.querySelector(".token")?.remove();
        if (piece) element.append(token(piece));
      }
      element.disabled = you?.role === "watch" || (you?.role === "seat" && !("faults" in this.state)); // a real box has real tokens
      element.classList.toggle("is-target", targets.includes(space));
      element.classList.toggle("is-wrong", wrong.includes(space));
      element.classList.toggle("is-lift", lift.includes(space));
      element.setAttribute("aria-label", `${space}${printed(element)}, ${piece ? this.called(piece) : labels.free}`);
    }
    for (const element of this.tiles) element.classList.toggle("is-winning", winning.includes(element.dataset.site));
  }

  showTray() {
    const chosen = this.chosen();
    const buttons = this.state.pieces.map((piece) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.piece = piece.name;
      button.setAttribute("role", "radio");
      button.setAttribute("aria-checked", String(piece.name === chosen));
      button.setAttribute("aria-label", `${this.called(piece)}${piece.left === null ? "" : `, ${piece.left}`}`);
      button.append(token(piece), piece.left === null ? "" : `${piece.left}`);
      return button;
    });
    this.tray.replaceChildren(...buttons);
  }

  pieceNamed(name) {
    if (name === undefined) return undefined;
    return this.state.pieces.find((piece) => piece.name === name) ?? { name, seat: "", kind: "" }; // one of another game
  }

  called({ seat, kind }) {
    return [this.state.seat_names[seat] ?? seat, this.state.labels[kind]].filter(Boolean).join(" ");
  }

  chosen() {
    return this.picked ?? this.state.piece ?? this.state.pieces[0]?.name;
  }

  // A missing token is put back as it was, unless the player picked another one.
  pieceFor(space) {
    return this.picked ?? this.state.put_back[space] ?? this.chosen();
  }

  // From now on a click on a space does this, and no token moves; null: tokens move again.
  meddle(act) {
    this.act = act ?? null;
    this.board.classList.toggle("is-meddled", Boolean(act));
  }

  click(event) {
    const { space, piece } = at(event.target);
    if (this.dragged && event.detail !== 0) return;
    if (space && this.act) this.act(space);
    else if (piece) this.pick(piece);
    else if (space && this.state.tokens[space]) this.send({ do: "lift", space });
    else if (space) this.send({ do: "place", space, token: this.pieceFor(space) });
  }

  pick(piece) {
    this.picked = piece;
    this.showTray();
  }

  grab(event) {
    const { space, piece } = at(event.target);
    const name = piece ?? (space && this.state.tokens[space]);
    this.dragged = false;
    if (event.button === 0 && name && !(space && this.act)) this.drag = { space: piece ? null : space, name, x: event.clientX, y: event.clientY };
  }

  pull(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
      this.begin(event);
    }
    drag.ghost.style.left = `${event.clientX}px`;
    drag.ghost.style.top = `${event.clientY}px`;
    this.hover(at(document.elementFromPoint(event.clientX, event.clientY)).space);
  }

  begin(event) {
    const drag = this.drag;
    this.dragged = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.ghost = token(this.pieceNamed(drag.name));
    drag.ghost.classList.add("is-dragged");
    drag.ghost.style.setProperty("--size", `${this.board.clientWidth / this.state.board.columns}px`);
    document.body.append(drag.ghost);
    if (drag.space) this.spots.get(drag.space).classList.add("is-leaving");
  }

  hover(space) {
    for (const [name, element] of this.spots) element.classList.toggle("is-hovered", name === space && !this.state.tokens[name]);
  }

  drop(event) {
    const drag = this.drag;
    if (drag?.ghost) {
      const { space } = at(document.elementFromPoint(event.clientX, event.clientY));
      if (space && !this.state.tokens[space]) {
        this.send(drag.space ? { do: "move", space: drag.space, to: space } : { do: "place", space, token: drag.name });
      } else if (drag.space && !space) {
        this.send({ do: "lift", space: drag.space });
      }
    }
    this.forget();
  }

  forget() {
    this.drag?.ghost?.remove();
    if (this.drag?.space) this.spots.get(this.drag.space)?.classList.remove("is-leaving");
    this.hover(null);
    this.drag = null;
  }
}

function at(element) {
  const button = element?.closest("[data-space], [data-piece]");
  return { space: button?.dataset.space, piece: button?.dataset.piece };
}

function tile(site, cells, rows, columns) {
  const [top, bottom] = range(cells.map(([row]) => row));
  const [left, right] = range(cells.map(([, column]) => column));
  const element = document.createElement("div");
  element.className = cells.length > 1 ? "tile is-large" : "tile";
  element.dataset.site = site;
  element.textContent = cells.length > 1 ? site : "";
  element.style.top = `${((top - 1) / rows) * 100}%`;
  element.style.left = `${((left - 1) / columns) * 100}%`;
  element.style.height = `${((bottom - top + 1) / rows) * 100}%`;
  element.style.width = `${((right - left + 1) / columns) * 100}%`;
  element.setAttribute("aria-hidden", "true");
  return element;
}

function range(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function middle(cells) {
  return [0, 1].map((axis) => range(cells.map((cell) => cell[axis])).reduce((first, last) => (first + last) / 2));
}

function spot(space, site, [row, column], isUnder, printed) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "spot";
  element.classList.toggle("is-bare", site === undefined);
  element.classList.toggle("is-under", isUnder);
  element.dataset.space = space;
  element.dataset.token = "";
  element.style.gridArea = `${row} / ${column}`;
  const name = document.createElement("span");
  name.className = "name";
  name.textContent = site === undefined ? "" : space === site ? space : space.slice(site.length);
  name.classList.toggle("is-long", name.textContent.length > 3);
  element.append(name);
  if (printed !== undefined) {
    const text = document.createElement("span");
    text.className = "printed";
    text.textContent = printed;
    element.append(text);
    element.classList.add("is-printed");
  }
  if (site === undefined) element.tabIndex = -1;
  return element;
}

function printed(element) {
  const text = element.querySelector(".printed");
  return text ? ` (${text.textContent})` : "";
}

function token({ seat, kind }) {
  const element = document.createElement("span");
  element.className = kind ? `token is-${kind}` : "token";
  element.dataset.seat = seat;
  return element;
}
