// Talking to the emulator: the state, what changes, and what people do.

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

/** Follows the events; `onOpen` also comes after every reconnection, when something may have been missed. */
export function follow({ onOpen, onEvent, onLost }) {
  const source = new EventSource("/local/events");
  source.addEventListener("open", onOpen);
  source.addEventListener("error", onLost);
  source.addEventListener("message", (event) => onEvent(JSON.parse(event.data)));
}
