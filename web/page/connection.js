// The connection to the table: a stream of what is to be seen, and commands, one after the other.
//
// A link can go silent without a word: a phone sleeps, a router restarts. So silence is measured, by clocks and not by counted ticks,
// since a page that sleeps counts none. A page that has heard nothing for long is cut off: it takes no input, forgets what was not
// sent yet, and connects again until it gets the whole present state.

const SILENCE_MS = 5000; // the table says something every two seconds
const CHECK_MS = 500;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const ANSWER_MS = 8000; // longer than the table takes for a command, whatever happens there
const TAKEN = 4409; // the table's code for a seat that another browser holds
const NOTHING = { ok: false, value: { text: "", field: "" } };

let socket = null;
let heard = clocks();
let isLost = false;
let retryMs = FIRST_RETRY_MS;
let retry = 0; // the timer of the next attempt
let ended = new AbortController(); // of what belongs to the connection
let asked = {}; // the run and the question that the page shows
let number = 0; // of the last command
const page = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16)).join("-");
let last = Promise.resolve();
let show = () => {};
let lost = () => {};

// `show(news, gone, isWhole)` gets what has changed, `lost(isLost, why)` whether the page is cut off, and the label that says why.
export function listen(showNews, sayLost) {
  [show, lost] = [showNews, sayLost];
  connect();
  setInterval(check, CHECK_MS);
  document.addEventListener("visibilitychange", () => !document.hidden && wakeUp());
  for (const event of ["pageshow", "online", "focus"]) addEventListener(event, wakeUp);
  addEventListener("pagehide", () => cutOff("lost"));
}

// One monotonic clock stops while some computers sleep, and the time of day is set now and then.
function clocks() {
  return [Date.now(), performance.now()];
}

function silenceMs() {
  return Math.max(...clocks().map((now, clock) => now - heard[clock]));
}

function connect() {
  clearTimeout(retry);
  const address = new URL("events", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = (socket = new WebSocket(address));
  heard = clocks();
  mine.onmessage = (event) => mine === socket && hear(JSON.parse(event.data));
  mine.onclose = ({ code }) => mine === socket && tryLater(code === TAKEN ? "seat_taken" : "lost");
}

function hear({ run, state, question, news, gone }) {
  heard = clocks();
  if (question !== undefined) asked = { run: run ?? asked.run, question };
  retryMs = FIRST_RETRY_MS;
  socket.send(String(state));
  if (news) show(news, gone ?? [], run !== undefined);
  if (isLost) lost((isLost = false));
}

function check() {
  if (socket && silenceMs() > SILENCE_MS) tryLater();
}

// Back from sleep, in sight again, in the network again: no need to wait for the next attempt.
function wakeUp() {
  check();
  if (socket) return;
  retryMs = FIRST_RETRY_MS;
  connect();
}

function tryLater(why = "lost") {
  cutOff(why);
  retry = setTimeout(connect, retryMs * (0.75 + Math.random() / 2)); // not all pages at the same moment
  retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
}

function cutOff(why) {
  const old = socket;
  socket = null;
  old?.close();
  clearTimeout(retry);
  ended.abort();
  ended = new AbortController();
  isLost = true;
  lost(isLost, why);
}

// A command says what it answers: what was to be seen when it was given. A key must not go up before it went down, so each waits for
// the one before; none outlives its connection.
export function send(command) {
  const connection = ended.signal;
  const content = { ...asked, page, number: ++number, command };
  last = last.then(() => (isLost || connection.aborted ? NOTHING : post("do", content, connection)));
  return last;
}

export function ask(question) {
  return post("ask", question, ended.signal);
}

// Whether it was accepted, and what was answered: a refusal has a text, and the field that is to blame.
async function post(where, content, connection) {
  const given = new AbortController();
  const giveUp = () => given.abort();
  connection.addEventListener("abort", giveUp);
  const timer = setTimeout(giveUp, ANSWER_MS);
  try {
    const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(content) };
    const answer = await fetch(where, { ...request, signal: given.signal });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json");
    const value = isJson ? await answer.json() : { text: await answer.text(), field: "" };
    if (!answer.ok) console.info(value.text);
    return { ok: answer.ok, value };
  } catch (error) {
    console.info(error);
    if (!connection.aborted) tryLater(); // nobody knows whether it was done: the whole state tells
    return NOTHING;
  } finally {
    clearTimeout(timer);
    connection.removeEventListener("abort", giveUp);
  }
}
