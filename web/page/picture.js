// Small drawings: the board of a game, a fan of cards for a game without one, a QR code.

const SVG = document.createRange().createContextualFragment("<svg></svg>").firstChild.namespaceURI;
const CELL = 10;
const FEW = 12; // places that are large enough for their names
const QUIET = 4; // light modules around a QR code

function make(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export function boardPicture({ rows, columns, sensors, sites, printed }) {
  const places = Object.entries(sites);
  const picture = make("svg", { viewBox: `-4 -4 ${columns * CELL + 8} ${rows * CELL + 8}`, class: "picture", "aria-hidden": "true" });
  picture.append(make("rect", { x: -4, y: -4, width: columns * CELL + 8, height: rows * CELL + 8, rx: 4, class: "wood" }));
  picture.append(make("rect", { x: 0, y: 0, width: columns * CELL, height: rows * CELL, rx: 2, class: "field" }));
  if (!places.length) picture.append(...fan(columns, rows));
  for (const [site, spaces] of places) picture.append(...place(site, spaces.map((space) => sensors[space]), printed[site], places.length));
  return picture;
}

function place(site, cells, print, count) {
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])) - 1);
  const [bottom, right] = [0, 1].map((axis) => Math.max(...cells.map((cell) => cell[axis])));
  const [x, y, width, height] = [left * CELL, top * CELL, (right - left) * CELL, (bottom - top) * CELL];
  const text = print ?? (count <= FEW ? site : "");
  const size = count <= FEW ? height * 0.6 : CELL * 0.5;
  const middle = { x: x + width / 2, y: y + height / 2, "font-size": size, class: "text" };
  return [
    make("rect", { x: x + 0.6, y: y + 0.6, width: width - 1.2, height: height - 1.2, rx: 1.5, class: "site" }),
    ...(text ? [make("text", middle, text)] : cells.map(([row, column]) => make("circle", { cx: (column - 0.5) * CELL, cy: (row - 0.5) * CELL, r: 2.4, class: "hole" }))),
  ];
}

function fan(columns, rows) {
  const [x, y] = [(columns * CELL) / 2, (rows * CELL) / 2];
  return [-24, -8, 8, 24].map((angle) => make("rect", { x: x - 12, y: y - 26, width: 24, height: 36, rx: 3, class: "face", transform: `rotate(${angle} ${x} ${y + 40})` }));
}

export function codePicture(rows, name) {
  const size = rows.length + 2 * QUIET;
  const picture = make("svg", { viewBox: `0 0 ${size} ${size}`, class: "code", role: "img", "aria-label": name, "shape-rendering": "crispEdges" });
  picture.append(make("rect", { x: 0, y: 0, width: size, height: size, fill: "#fff" }));
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")));
  picture.append(make("path", { d: dark.join(""), fill: "#000" }));
  return picture;
}
