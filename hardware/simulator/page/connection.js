// The two ways to the table: a stream of what is to be seen, and commands, one after the other.

const RETRY_MS = 1000;
let last = Promise.resolve();

export function listen(show, lost) {
  const source = new EventSource("events");
  source.onopen = () => lost(false);
  source.onmessage = (event) => show(JSON.parse(event.data));
  source.onerror = () => {
    lost(true);
    // The browser tries again by itself unless it was answered with something else than a stream.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(show, lost), RETRY_MS);
  };
}

// A key must not go up before it went down, so each command waits for the one before.
export function send(command) {
  last = last.then(() => post(command));
}

async function post(command) {
  try {
    const answer = await fetch("do", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
    if (!answer.ok) console.warn(await answer.text());
  } catch (error) {
    console.warn(error); // the stream says when the table is back
  }
}
