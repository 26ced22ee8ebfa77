// A playback: everything that is to be seen at each moment of a script or a journal, as the server works it out.

export class Playback {
  constructor(changed) {
    this.changed = changed; // called after each object that has come
    this.head = null; // name, kind, text, lines
    this.frames = [];
    this.error = "";
    this.isWhole = false;
  }

  // Reads a playback until it is whole, cannot be read, or is given up. `file` is undefined for the server's own.
  async read(file) {
    this.end = new AbortController();
    try {
      const answer = await fetch(file ? `playback?name=${encodeURIComponent(file.name)}` : "playback", {
        method: file ? "POST" : "GET",
        body: file,
        signal: this.end.signal,
      });
      if (answer.status === 204) this.isWhole = true;
      else if (answer.ok) await this.take(answer.body);
      else this.error = (await answer.text()).trim();
      this.isWhole = !this.error;
    } catch (error) {
      if (error.name === "AbortError") return;
      this.error = `${error.message}`;
    }
    this.changed(this);
  }

  giveUp() {
    this.end.abort();
  }

  async take(stream) {
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop();
      for (const line of lines) this.add(JSON.parse(line));
      this.changed(this);
    }
  }

  add({ playback, frame, error }) {
    if (playback) this.head = playback;
    if (frame) this.frames.push(this.whole(frame));
    if (error) this.error = error;
  }

  // Frames share what did not change, so that a long playback takes little room.
  whole(news) {
    const before = this.frames.at(-1);
    return { ...before, ...news, log: news.log ? [...(before?.log ?? []), ...news.log] : before.log };
  }
}
