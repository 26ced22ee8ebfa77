// The addresses of the seats and of those who only watch, each with its code for a phone.

import { codePicture } from "./picture.js";

export class Seats {
  constructor(place, watch) {
    this.place = place;
    this.watch = watch;
    this.drawn = "";
  }

  show({ links, seats, seat_names, sides, labels, you }) {
    this.place.hidden = !links;
    this.watch.hidden = Boolean(links) || you.role !== "table";
    this.watch.textContent = labels.watch;
    const now = JSON.stringify([links, seat_names, labels]);
    if (!links || now === this.drawn) return;
    this.drawn = now;
    const open = new Set([...this.place.querySelectorAll("details[open]")].map((one) => one.dataset.link));
    const all = [...seats.map((seat) => [seat, seat_names[seat] ?? seat, links.seats[seat], sides[seat] ?? seat]), ["watch", labels.watch, links.watch, ""]];
    this.place.querySelector("[data-part='links']").replaceChildren(...all.filter(([, , link]) => link).map((each) => entry(...each, open)));
  }
}

function entry(id, name, { url, code, others }, seat, open) {
  const whole = document.createElement("details");
  whole.dataset.link = id;
  whole.dataset.seat = seat;
  whole.open = open.has(id);
  const head = document.createElement("summary");
  head.textContent = name;
  whole.append(head, codePicture(code, `${name}: ${url}`), ...[url, ...others].map(linkTo));
  return whole;
}

function linkTo(url) {
  const link = document.createElement("a");
  return Object.assign(link, { href: url, target: "_blank", rel: "noopener noreferrer", textContent: url });
}
