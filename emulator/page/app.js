// The page: everybody's panes, kept up to date.

import { addPerson, follow, loadState } from "./api.js";
import { Pane } from "./pane.js";
import { make } from "./text.js";

const panesElement = document.querySelector(".panes");
const tabsElement = document.querySelector(".tabs");
const addButton = document.querySelector(".add");
const heading = document.querySelector("h1");
const offline = document.querySelector(".offline");

/** What all panes share: the people, the messages by chat, the menus. */
const table = {
  people: [],
  chats: new Map(),
  early: new Set(),
  take(state) {
    Object.assign(this, { bot: state.bot, group: state.group, menus: state.menus, most: state.most });
    Object.assign(this, { fewest: state.fewest, languages: state.languages });
    this.chats = new Map(Object.entries(state.chats).map(([id, messages]) => [Number(id), byId(messages)]));
  },
  messages(chat) {
    return [...(this.chats.get(chat)?.values() ?? [])];
  },
  menu(language, view) {
    return (this.menus[language] ?? this.menus.en)[view];
  },
  description(language) {
    return (this.menus[language] ?? this.menus.en).description;
  },
  // As the language calls itself.
  languageName(code) {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
    return name[0].toLocaleUpperCase(code) + name.slice(1);
  },
  // People keep their colour after others have left.
  seatOf(id) {
    return (id - 1) % 8;
  },
  // An answer can overtake the reply to the press that it answers.
  takeEarly(query) {
    return this.early.delete(query);
  },
};
const panes = new Map();
let current = null;
let loaded = false;
let waiting = [];

function byId(messages) {
  return new Map(messages.map((message) => [message.message_id, message]));
}

/** A person comes to the fore, with what was said last in view. */
function choose(id) {
  select(id);
  panes.get(id)?.toEnd();
}

function select(id) {
  current = id;
  for (const [key, pane] of panes) pane.element.classList.toggle("current", key === id);
  for (const tab of tabsElement.children) {
    const chosen = Number(tab.dataset.person) === id;
    tab.setAttribute("aria-selected", chosen);
    if (chosen) {
      tab.classList.remove("called");
      tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}

// Where all panes fit side by side nobody needs tabs.
function measure() {
  document.body.classList.toggle("crowded", panesElement.scrollWidth > panesElement.clientWidth);
}

function seat(people) {
  table.people = people;
  for (const [id, pane] of panes) {
    if (people.some((one) => one.id === id)) continue;
    pane.element.remove();
    panes.delete(id);
  }
  for (const person of people) {
    const known = panes.get(person.id);
    if (!known) {
      const pane = new Pane(table, person);
      panes.set(person.id, pane);
      panesElement.append(pane.element);
      pane.element.addEventListener("pointerdown", () => select(person.id));
      pane.toEnd();
    } else if (JSON.stringify(known.person) !== JSON.stringify(person) || !loaded) {
      known.update(person);
    }
  }
  tabsElement.replaceChildren(...people.map(tab));
  addButton.hidden = people.length >= table.most;
  measure();
  choose(panes.has(current) ? current : people[0]?.id);
}

function visit(id) {
  choose(id);
  panes.get(id).element.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function tab(person) {
  const face = make("span", { class: `avatar seat-${table.seatOf(person.id)}`, "aria-hidden": "true" }, [...person.first_name][0]);
  const called = tabsElement.querySelector(`[data-person="${person.id}"].called`) ? "tab called" : "tab";
  return make("button", { type: "button", role: "tab", class: called, "data-person": person.id, onclick: () => visit(person.id) }, face, person.first_name);
}

function hear(event) {
  switch (event.kind) {
    case "message": {
      const messages = table.chats.get(event.chat) ?? table.chats.set(event.chat, new Map()).get(event.chat);
      const isNew = !messages.has(event.shown.message_id);
      messages.set(event.shown.message_id, event.shown);
      for (const [id, pane] of panes) {
        pane.put(event.shown);
        if (isNew && id !== current && pane.mentions(event.shown)) call(id);
      }
      break;
    }
    case "deleted":
      table.chats.get(event.chat)?.delete(event.message);
      for (const pane of panes.values()) pane.drop(event.chat, event.message);
      break;
    case "answer": {
      const pane = panes.get(event.person);
      if (!pane) break;
      const known = [...pane.busy.values()].some((one) => one.query === event.query);
      if (!known) table.early.add(event.query);
      pane.answered(event);
      break;
    }
    case "people":
      seat(event.people);
      break;
    case "menus":
      table.menus = event.menus;
      break;
  }
}

function call(id) {
  tabsElement.querySelector(`[data-person="${id}"]`)?.classList.add("called");
}

async function load() {
  loaded = false;
  try {
    const state = await loadState();
    table.take(state);
    document.title = heading.textContent = state.title;
    seat(state.people);
  } catch {
    return;
  }
  loaded = true;
  offline.hidden = true;
  document.body.dataset.ready = "true";
  for (const event of waiting.splice(0)) hear(event);
}

addButton.addEventListener("click", async () => {
  const { person } = await addPerson();
  const show = () => {
    if (!panes.has(person)) return requestAnimationFrame(show);
    choose(person);
    panes.get(person).element.scrollIntoView({ behavior: "smooth", inline: "end" });
  };
  show();
});

new ResizeObserver(measure).observe(panesElement);

follow({
  onOpen: load,
  onLost: (refused) => {
    offline.textContent = refused ? "Open the address that the command has printed" : "Reconnecting…";
    offline.hidden = false;
  },
  onEvent: (event) => {
    if (loaded) hear(event);
    else waiting.push(event);
  },
});
