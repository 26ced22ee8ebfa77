// The fault panel: a drawer in which parts of the box are broken and repaired. What is broken is what the table says.

const CHATTER = "20s";
const ERRORS = 999999; // transfers that fail; long enough for anybody
const TOOLS = { closed: "stuck=closed", open: "stuck=open", chatter: `chatter=${CHATTER}`, ok: "ok" };
const SWITCHES = {
  diodes: { broken: ({ diodes }) => !diodes, on: "matrix diodes=off", off: "matrix diodes=on" },
  noise: { broken: ({ noise }) => noise > 0, on: "matrix noise=1%", off: "matrix noise=0%" },
  unplug_board: { there: ({ board }) => board !== null, broken: ({ board }) => board === false, on: "board unplug", off: "board replug" },
  unplug_reader: { there: ({ reader }) => reader !== null, broken: ({ reader }) => reader === false, on: "reader unplug", off: "reader replug" },
  unplug_oled: { broken: ({ oled }) => !oled, on: "oled detach", off: "oled attach" },
  bus: { broken: ({ bus }) => !bus, on: `oled errno=121 times=${ERRORS}`, off: "oled errno=0 times=0" },
  jump: { broken: ({ clock }) => clock !== 0, on: "clock +14d", off: "clock -14d" },
};

export class FaultPanel {
  constructor(drawer, opener, board, send) {
    this.drawer = drawer;
    this.opener = opener;
    this.board = board; // a Board
    this.send = send;
    this.tools = [...drawer.querySelectorAll("[data-tool]")];
    this.switches = new Map([...drawer.querySelectorAll("[data-switch]")].map((box) => [box.dataset.switch, box]));
    opener.addEventListener("click", () => this.open(drawer.hidden));
    drawer.querySelector("[data-close]").addEventListener("click", () => this.open(false));
    drawer.querySelector("[data-repair]").addEventListener("click", () => this.send({ do: "repair" }));
    for (const tool of this.tools) tool.addEventListener("change", () => this.take(tool.dataset.tool));
    for (const [name, box] of this.switches) box.addEventListener("change", () => this.turn(name, box.checked));
  }

  show(state, news) {
    this.state = state;
    if (!state.faults || !("faults" in news || "power" in news)) return; // a real box is not broken here
    for (const [name, box] of this.switches) {
      const fault = SWITCHES[name];
      box.disabled = fault?.there ? !fault.there(state.faults) : false;
      box.checked = fault ? fault.broken(state.faults) : !state.power;
    }
    this.opener.classList.toggle("is-broken", this.isBroken());
  }

  isBroken() {
    const { faults, power } = this.state;
    return !power || Object.keys(faults.cells).length > 0 || Object.values(SWITCHES).some(({ broken }) => broken(faults));
  }

  open(open) {
    this.drawer.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
    document.body.classList.toggle("has-faults", open);
    if (open) this.drawer.querySelector("h2").focus(); // which also brings it into sight
    else this.take("play");
  }

  // With a tool in the hand a click on the board breaks or repairs a sensor and moves no token.
  take(name) {
    for (const tool of this.tools) tool.checked = tool.dataset.tool === name;
    this.drawer.querySelector("[data-tool-hint]").textContent = this.state.labels[`cell_${name}_hint`];
    const words = TOOLS[name];
    this.board.meddle(words && ((space) => this.send({ do: "fault", fault: `cell ${space} ${words}` })));
  }

  turn(name, broken) {
    const fault = SWITCHES[name];
    this.send(fault ? { do: "fault", fault: broken ? fault.on : fault.off } : { do: "power", on: !broken });
  }
}
