// Where a person types: a line, the menu of commands, and what is being answered.

import { gist } from "./message.js";
import { make } from "./text.js";

export function composer(pane) {
  let replyTo = null;
  const input = make("input", { type: "text", placeholder: "Message or /command", autocomplete: "off", enterkeyhint: "send", maxlength: "4096" });
  const menu = make("div", { class: "menu", role: "menu", hidden: true });
  const slash = make("button", { type: "button", "aria-label": "Commands", title: "Commands", onclick: () => toggle(menu.hidden) }, "/");
  const send = make("button", { type: "submit", class: "send", "aria-label": "Send", title: "Send" }, "➤");
  const start = make("button", { type: "button", class: "start", onclick: () => pane.startPrivate() }, "Start");
  const form = make("form", { class: "composer" }, menu, slash, input, send, start);
  const quote = make("span");
  const cancel = make("button", { type: "button", "aria-label": "Do not reply", onclick: () => answerTo(null) }, "✕");
  const reply = make("div", { class: "reply", hidden: true }, quote, cancel);

  function toggle(open) {
    const prefix = input.value.startsWith("/") ? input.value.slice(1).toLowerCase() : "";
    const commands = pane.table.menu(pane.person.language_code, pane.view).filter((one) => one.command.startsWith(prefix));
    menu.replaceChildren(...commands.map(entry));
    menu.hidden = !open || commands.length === 0;
  }

  function entry({ command, description }) {
    const label = description ? `/${command}: ${description}` : `/${command}`;
    const onclick = () => submit(`/${command}`);
    return make("button", { type: "button", role: "menuitem", "aria-label": label, onclick }, make("b", {}, `/${command}`), make("span", {}, description));
  }

  function submit(text) {
    toggle(false);
    if (!text.trim()) return;
    pane.write(text, replyTo);
    input.value = "";
    answerTo(null);
  }

  function answerTo(message) {
    replyTo = message?.message_id ?? null;
    quote.textContent = message ? gist(message) : "";
    reply.hidden = !message;
    if (message) input.focus();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(input.value);
  });
  input.addEventListener("input", () => toggle(input.value.startsWith("/") && !input.value.includes(" ")));
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") toggle(false);
  });
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) toggle(false);
  });

  return {
    element: make("div", {}, reply, form),
    answerTo,
    update() {
      const closed = pane.view === "private" && !pane.person.started;
      input.setAttribute("aria-label", `Message as ${pane.person.first_name}`);
      for (const part of [slash, input, send]) part.hidden = closed;
      start.hidden = !closed;
      toggle(false);
      answerTo(null);
    },
  };
}
