// The panel: display, keys and buzzer.

import { Display } from "./display.js";

const PITCH_HZ = 2300;
const VOLUME = 0.04;
const KEYBOARD = { ArrowLeft: "left", ArrowRight: "right", Enter: "ok", Backspace: "back", Escape: "back" };

export class Panel {
  constructor(canvas, keys, sound, buzzer, send, mayAct) {
    this.canvas = canvas;
    this.display = new Display(canvas);
    this.buzzer = buzzer;
    this.keys = new Map([...keys.querySelectorAll("[data-key]")].map((button) => [button.dataset.key, button]));
    this.send = send;
    this.mayAct = mayAct;
    this.down = new Set();
    for (const [key, button] of this.keys) this.listenTo(key, button);
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.keyUp(event));
    addEventListener("blur", () => this.releaseAll());
    document.addEventListener("visibilitychange", () => document.hidden && this.releaseAll());
    sound.addEventListener("click", () => this.switchSound(sound));
  }

  show(state, news) {
    if (news.screen) this.canvas.setAttribute("aria-label", `${state.labels.display}: ${state.screen.join(", ")}`);
    if ("display" in news) this.display.show(state.display);
    for (const button of this.keys.values()) button.disabled = !state.may_act;
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
    if (!this.mayAct() || event.target.closest?.("input, select, textarea")) return undefined;
    const button = event.target.closest?.("button, a, summary");
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
