// The panel: display, keys and buzzer.

const COLUMNS = 128;
const ROWS = 64;
const LIT = "#a9dcff";
const DARK = "#04070b";
const GRID = "rgb(4 7 11 / 28%)";
const PITCH_HZ = 2300;
const VOLUME = 0.04;
const KEYBOARD = { ArrowLeft: "left", ArrowRight: "right", Enter: "ok", Backspace: "back", Escape: "back" };

export class Panel {
  constructor(canvas, keys, sound, buzzer, send) {
    this.canvas = canvas;
    this.buzzer = buzzer;
    this.keys = new Map([...keys.querySelectorAll("[data-key]")].map((button) => [button.dataset.key, button]));
    this.send = send;
    this.down = new Set();
    this.pixels = "";
    for (const [key, button] of this.keys) this.listenTo(key, button);
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.keyUp(event));
    addEventListener("blur", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.releaseAll());
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
    sound.addEventListener("click", () => this.switchSound(sound));
  }

  show(state, news) {
    if (news.screen) this.canvas.setAttribute("aria-label", `${state.labels.display}: ${state.screen.join(", ")}`);
    if ("display" in news) {
      this.pixels = atob(state.display);
      this.draw();
    }
    if ("buzzer" in news) this.buzz(state.buzzer);
  }

  // Keys

  listenTo(key, button) {
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.press(key);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => this.release(key));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A screen reader clicks without a pointer.
    button.addEventListener("click", (event) => {
      if (event.detail === 0 && event.pointerId === -1) {
        this.press(key);
        this.release(key);
      }
    });
  }

  keyDown(event) {
    const key = this.meant(event);
    if (key === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (!event.repeat) this.press(key);
  }

  keyUp(event) {
    const key = this.meant(event);
    if (key !== undefined && this.down.has(key)) {
      event.preventDefault();
      this.release(key);
    }
  }

  // Enter and the space bar belong to the control that has the focus, if there is one; a field has all keys for itself.
  meant(event) {
    if (event.target.closest?.("input, select, textarea")) return undefined;
    const button = event.target.closest?.("button");
    if (event.key === "Enter" || event.key === " ") return button ? button.dataset.key : KEYBOARD[event.key];
    return KEYBOARD[event.key];
  }

  press(key) {
    if (this.down.has(key)) return;
    this.down.add(key);
    this.keys.get(key).classList.add("is-down");
    this.send({ do: "key", key, down: true });
  }

  release(key) {
    if (!this.down.delete(key)) return;
    this.keys.get(key).classList.remove("is-down");
    this.send({ do: "key", key, down: false });
  }

  releaseAll() {
    for (const key of [...this.down]) this.release(key);
  }

  // Display: every pixel of the panel is a whole number of pixels of this screen.

  draw() {
    const ratio = devicePixelRatio || 1;
    const scale = Math.max(1, Math.floor((this.canvas.parentElement.clientWidth * ratio) / COLUMNS));
    this.canvas.width = COLUMNS * scale;
    this.canvas.height = ROWS * scale;
    this.canvas.style.width = `${(COLUMNS * scale) / ratio}px`;
    const context = this.canvas.getContext("2d");
    context.fillStyle = DARK;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.fillStyle = LIT;
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        if (this.isLit(row, column)) context.fillRect(column * scale, row * scale, scale, scale);
      }
    }
    if (scale >= 3) this.drawGrid(context, scale);
  }

  // The dark lines between the pixels, faint enough that letters on a bright bar stay clear.
  drawGrid(context, scale) {
    context.fillStyle = GRID;
    for (let column = 1; column <= COLUMNS; column++) context.fillRect(column * scale - 1, 0, 1, ROWS * scale);
    for (let row = 1; row <= ROWS; row++) context.fillRect(0, row * scale - 1, COLUMNS * scale, 1);
  }

  isLit(row, column) {
    return (this.pixels.charCodeAt((row * COLUMNS + column) >> 3) >> (7 - (column & 7))) & 1;
  }

  // Buzzer

  switchSound(button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    this.audio?.close();
    this.audio = on ? new AudioContext() : null;
    if (!on) return;
    this.gain = new GainNode(this.audio, { gain: 0 });
    const tone = new OscillatorNode(this.audio, { type: "square", frequency: PITCH_HZ });
    tone.connect(this.gain).connect(this.audio.destination);
    tone.start();
  }

  buzz(on) {
    this.buzzer.classList.toggle("is-on", on);
    if (this.audio) this.gain.gain.value = on ? VOLUME : 0;
  }
}
