// The display: every pixel of the panel is a whole number of pixels of this screen.

const COLUMNS = 128;
const ROWS = 64;
const LIT = "#a9dcff";
const DARK = "#04070b";
const GRID = "rgb(4 7 11 / 28%)";

export class Display {
  constructor(canvas) {
    this.canvas = canvas;
    this.pixels = "";
    new ResizeObserver(() => this.draw()).observe(canvas.parentElement);
  }

  // Pixels are one bit each, row by row, in base64.
  show(pixels) {
    this.pixels = atob(pixels);
    this.draw();
  }

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
}
