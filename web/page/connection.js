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
  return last;
}

export function ask(question) {
  return post(question, "ask");
}

// Whether it was accepted, and what was answered: a refusal has a text, and the field that is to blame.
async function post(command, where = "do") {
  try {
    const answer = await fetch(where, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const value = isJson ? await answer.json() : { text: await answer.text(), field: "" };
    if (!answer.ok) console.info(value.text);
    return { ok: answer.ok, value };
  } catch (error) {
    console.info(error); // the stream says when the table is back
    return { ok: false, value: { text: String(error), field: "" } };
  }
}
