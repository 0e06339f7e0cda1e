// Talking to the emulator: the state, what changes, and what people do.

// Between two attempts to be let in, in milliseconds.
const PAUSE = 2_000;

export async function loadState() {
  const answer = await fetch("/local/state");
  if (!answer.ok) throw new Error(`state: ${answer.status}`);
  return answer.json();
}

/** A person does something; rejects with Telegram's words when they may not. */
export async function act(person, deed, given = {}) {
  return post(`/local/people/${person}/${deed}`, given);
}

export async function addPerson() {
  return post("/local/people", {});
}

async function post(path, given) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(given),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.description ?? `error ${answer.status}`);
  return body;
}

/**
 * Follows the events; `onOpen` also comes after every reconnection, when something may have been missed.
 * `onLost` is told whether this browser has no key (any more). It may get it in another tab, so asking goes on.
 */
export function follow({ onOpen, onEvent, onLost }) {
  const source = new EventSource("/local/events");
  source.addEventListener("open", onOpen);
  source.addEventListener("error", () => {
    const refused = source.readyState === EventSource.CLOSED;
    onLost(refused);
    if (refused) setTimeout(follow, PAUSE, { onOpen, onEvent, onLost });
  });
  source.addEventListener("message", (event) => onEvent(JSON.parse(event.data)));
}
