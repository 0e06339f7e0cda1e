// One person's view: the group chat and their private chat with the bot.

import { act } from "./api.js";
import { composer } from "./composer.js";
import { renderMessage, nameOf } from "./message.js";
import { settingsCard } from "./settings.js";
import { harmless, isMe, make } from "./text.js";

// Telegram's apps stop waiting for an answer after this long.
const PATIENCE = 15_000;
const TOAST = 3_500;
// A board is shown whole above its buttons, but never smaller than this part of its full width.
const SMALLEST = 0.58;

export class Pane {
  constructor(table, person) {
    this.table = table;
    this.person = person;
    this.view = "group";
    this.busy = new Map();
    this.log = make("div", { class: "log", role: "log", "aria-label": "Messages", tabindex: "0" });
    this.toasts = make("div", { class: "toasts", role: "status", "aria-live": "polite" });
    this.avatar = make("span", { class: "avatar", "aria-hidden": "true" });
    this.name = make("b");
    this.detail = make("small");
    this.groupButton = this.switchButton("group", "Group");
    this.botButton = this.switchButton("private", "Bot");
    this.composer = composer(this);
    this.element = make(
      "section",
      { class: "pane", "data-person": person.id },
      make(
        "header",
        { class: "head" },
        this.avatar,
        make("div", { class: "who" }, this.name, this.detail),
        make("div", { class: "switch", role: "group", "aria-label": "Chat" }, this.groupButton, this.botButton),
        settingsCard(this),
      ),
      this.toasts,
      this.log,
      this.composer.element,
    );
    this.update(person);
    new ResizeObserver(() => this.toEnd()).observe(this.log);
  }

  get chat() {
    return this.view === "group" ? this.table.group : this.person.id;
  }

  switchButton(view, words) {
    return make("button", { type: "button", "data-view": view, onclick: () => this.show(view) }, words);
  }

  /** The person changed, or the page begins: name, language and everything below. */
  update(person) {
    this.person = person;
    const name = nameOf(person);
    this.element.setAttribute("aria-label", name);
    this.name.textContent = name;
    this.avatar.textContent = [...name][0];
    this.avatar.className = `avatar seat-${this.seatOf(person)}`;
    this.detail.textContent = this.table.languageName(person.language_code);
    this.composer.update();
    this.draw();
  }

  show(view) {
    this.view = view;
    this.composer.update();
    this.draw();
  }

  draw() {
    const inGroup = this.view === "group";
    this.groupButton.setAttribute("aria-pressed", inGroup);
    this.botButton.setAttribute("aria-pressed", !inGroup);
    (inGroup ? this.groupButton : this.botButton).classList.remove("called");
    const shown = this.table.messages(this.chat).map((one) => renderMessage(one, this));
    if (shown.length === 0) shown.push(this.hint());
    this.log.replaceChildren(...shown);
    this.toEnd();
  }

  /** What an empty chat says. */
  hint() {
    const words = this.table.description(this.person.language_code);
    return make("p", { class: "hint" }, words || "Only you and the bot see this chat.");
  }

  toEnd() {
    this.fit();
    this.log.scrollTop = this.log.scrollHeight;
  }

  /** The newest picture leaves room for its words and buttons. */
  fit() {
    const message = [...this.log.querySelectorAll(".message.photo")].at(-1);
    const image = message?.querySelector(".picture img");
    if (!image || this.log.clientHeight === 0) return;
    image.style.maxWidth = "";
    const frame = image.parentElement.clientWidth;
    const full = (frame * image.getAttribute("height")) / image.getAttribute("width");
    const rest = message.offsetHeight - image.parentElement.offsetHeight;
    const room = this.log.clientHeight - rest - 20;
    const part = Math.min(1, Math.max(SMALLEST, room / full));
    image.style.maxWidth = `${Math.floor(frame * part)}px`;
  }

  /** A message is new or has changed. */
  put(message) {
    if (message.chat.id !== this.chat) {
      if (message.chat.id === this.person.id || message.chat.id === this.table.group) {
        (message.chat.id === this.person.id ? this.botButton : this.groupButton).classList.add("called");
      }
      return;
    }
    const atEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 80;
    const old = this.find(message.message_id);
    const fresh = renderMessage(message, this);
    if (old) replaceSoftly(old, fresh);
    else {
      this.log.querySelector(".hint")?.remove();
      this.log.append(fresh);
    }
    if (atEnd || (!old && message.from.id === this.person.id)) this.toEnd();
    else this.fit();
  }

  drop(chat, id) {
    if (chat === this.chat) this.find(id)?.remove();
  }

  find(id) {
    return this.log.querySelector(`[data-message="${id}"]`);
  }

  mentions(message) {
    const text = message.text ?? message.caption ?? "";
    return (message.entities ?? message.caption_entities ?? []).some((entity) => isMe(entity, text, this.person));
  }

  // -- what messages ask of their pane

  seatOf(user) {
    return user.is_bot ? "bot" : this.table.seatOf(user.id);
  }

  isBusy(message, data) {
    return data !== undefined && this.busy.has(`${message.chat.id}/${message.message_id}/${data}`);
  }

  async command(text) {
    await this.write(text);
  }

  answerTo(message) {
    this.composer.answerTo(message);
  }

  async write(text, replyTo) {
    try {
      await act(this.person.id, "write", { chat: this.chat, text, reply_to: replyTo ?? null });
    } catch (error) {
      this.toast(error.message);
    }
  }

  async startPrivate(payload) {
    await act(this.person.id, "start");
    this.view = "private";
    await this.write(payload ? `/start ${payload}` : "/start");
    this.show("private");
  }

  /** A link to the bot's own chat is followed here; others are left to the browser. */
  open(url) {
    const link = URL.canParse(url) ? new URL(url) : null;
    const bot = this.table.bot.username.toLowerCase();
    if (link?.host !== "t.me" || link.pathname.slice(1).toLowerCase() !== bot) return false;
    if (link.searchParams.has("startgroup")) this.toast("The bot is in the group already.");
    else this.startPrivate(link.searchParams.get("start"));
    return true;
  }

  async press(message, row, column, data) {
    const name = `${message.chat.id}/${message.message_id}/${data}`;
    if (this.busy.has(name)) return;
    const timer = setTimeout(() => this.rest(name), PATIENCE);
    this.busy.set(name, { timer, query: null });
    this.mark(message.message_id);
    try {
      const place = { chat: message.chat.id, message: message.message_id, row, column, data };
      const { query } = await act(this.person.id, "press", place);
      const waiting = this.busy.get(name);
      if (waiting) waiting.query = query;
      if (this.table.takeEarly(query)) this.rest(name);
    } catch (error) {
      this.rest(name);
      this.toast(error.message);
    }
  }

  /** The bot answered one of this person's presses. */
  answered({ query, text, alert, url }) {
    for (const [name, waiting] of this.busy) if (waiting.query === query) this.rest(name);
    if (url) this.open(url) || (harmless(url) && window.open(url, "_blank", "noopener"));
    if (!text) return;
    if (alert) this.alert(text);
    else this.toast(text);
  }

  rest(name) {
    const waiting = this.busy.get(name);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.busy.delete(name);
    this.mark(Number(name.split("/")[1]));
  }

  /** Show on the buttons of a message which of them wait. */
  mark(id) {
    const chat = this.chat;
    for (const key of this.find(id)?.querySelectorAll("[data-callback]") ?? []) {
      const busy = this.busy.has(`${chat}/${id}/${key.dataset.callback}`);
      if (busy) key.setAttribute("aria-busy", "true");
      else key.removeAttribute("aria-busy");
    }
  }

  toast(text) {
    const toast = make("div", { class: "toast" }, text);
    this.toasts.replaceChildren(toast);
    setTimeout(() => toast.remove(), TOAST + text.length * 20);
  }

  alert(text) {
    const close = () => veil.remove();
    const button = make("button", { type: "button", onclick: close }, "OK");
    const box = make("div", { class: "alert", role: "alertdialog", "aria-label": "Alert", "aria-modal": "true" }, make("p", {}, text), button);
    const veil = make("div", { class: "veil", onkeydown: (event) => event.key === "Escape" && close() }, box);
    this.element.append(veil);
    button.focus({ preventScroll: true });
  }
}

// A picture that changes stays in view until the new one can be shown.
function replaceSoftly(old, fresh) {
  const before = old.querySelector(".picture img");
  const after = fresh.querySelector(".picture img");
  if (before && after && before.getAttribute("src") === after.getAttribute("src")) {
    after.replaceWith(before);
  } else if (before && after) {
    const holder = after.parentElement;
    before.setAttribute("width", after.getAttribute("width"));
    before.setAttribute("height", after.getAttribute("height"));
    holder.replaceChildren(before);
    const swap = () => {
      after.style.maxWidth = before.style.maxWidth;
      before.replaceWith(after);
    };
    after.decode().then(swap, swap);
  }
  old.replaceWith(fresh);
}
