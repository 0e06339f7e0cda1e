// One message as an element.

import { harmless, isMe, make, renderText } from "./text.js";

const clock = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/**
 * The element of a message in somebody's pane.
 * `pane` gives: person, seatOf(user), command(text), press(message, row, column), open(url), answerTo(message).
 */
export function renderMessage(message, pane) {
  const service = serviceWords(message);
  const common = { "data-message": message.message_id, "data-chat": message.chat.id };
  if (service) return make("p", { ...common, class: "service" }, service);
  const text = message.text ?? message.caption ?? "";
  const entities = message.entities ?? message.caption_entities ?? [];
  const rows = message.reply_markup?.inline_keyboard ?? [];
  const own = message.from.id === pane.person.id;
  const kinds = ["message"];
  if (own) kinds.push("own");
  if (message.from.is_bot) kinds.push("bot");
  if (message.photo) kinds.push("photo");
  if (rows.length) kinds.push("has-keys");
  if (!message.photo && !rows.length) kinds.push("plain");
  if (entities.some((entity) => isMe(entity, text, pane.person))) kinds.push("mentioned");
  const author = nameOf(message.sender_chat ?? message.from);
  return make(
    "article",
    { ...common, class: kinds.join(" "), "aria-label": `Message from ${author}` },
    make(
      "div",
      { class: "bubble" },
      own ? null : make("span", { class: `name seat-${pane.seatOf(message.from)}` }, author),
      message.reply_to_message ? make("span", { class: "quote" }, gist(message.reply_to_message)) : null,
      message.photo ? picture(message) : null,
      message.document ? documentLink(message.document) : null,
      make("div", { class: "text" }, words(text, entities, pane), stamp(message)),
    ),
    rows.length ? keyboard(message, rows, pane) : null,
    answerButton(message, author, pane),
  );
}

function words(text, entities, pane) {
  return text ? make("span", { class: "words" }, ...renderText(text, entities, pane.person, pane.command)) : null;
}

export function nameOf(user) {
  return user.title ?? ([user.first_name, user.last_name].filter(Boolean).join(" ") || "Deleted account");
}

/** A line that stands for a message where it is quoted. */
export function gist(message) {
  return message.text ?? message.caption ?? (message.photo ? "Photo" : message.document?.file_name ?? "Message");
}

function picture(message) {
  const size = message.photo.at(-1);
  const address = `/local/files/${size.file_id}`;
  const image = make("img", { src: address, width: size.width, height: size.height, alt: "Picture from the bot" });
  return make("a", { class: "picture", href: address, target: "_blank", rel: "noopener" }, image);
}

function documentLink(file) {
  return make("a", { class: "file", href: `/local/files/${file.file_id}`, download: file.file_name }, `📄 ${file.file_name}`);
}

function stamp(message) {
  const time = clock.format(new Date(message.date * 1000));
  return make("small", { class: "stamp" }, message.edit_date ? `edited ${time}` : time);
}

function answerButton(message, author, pane) {
  const label = `Reply to ${author}`;
  return make("button", { type: "button", class: "answer", "aria-label": label, title: label, onclick: () => pane.answerTo(message) }, "↩");
}

function keyboard(message, rows, pane) {
  const lines = rows.map((row, r) => make("div", { class: "row" }, ...row.map((button, c) => key(message, button, r, c, pane))));
  return make("div", { class: "keys", role: "group", "aria-label": "Buttons" }, ...lines);
}

function key(message, button, row, column, pane) {
  const look = { class: ["key", button.style].filter(Boolean).join(" "), "data-row": row, "data-column": column };
  const label = make("span", {}, button.text);
  if (button.url) {
    const onclick = (event) => pane.open(button.url) && event.preventDefault();
    return make("a", { ...look, role: "button", href: harmless(button.url), target: "_blank", rel: "noopener", title: button.url, onclick }, label);
  }
  const onclick = () => {
    if (button.copy_text) navigator.clipboard.writeText(button.copy_text.text);
    else if (button.callback_data) pane.press(message, row, column, button.callback_data);
  };
  const busy = pane.isBusy(message, button.callback_data);
  const marks = { "aria-label": button.text, "aria-busy": busy ? "true" : null, "data-callback": button.callback_data };
  return make("button", { type: "button", ...look, ...marks, title: button.text, onclick }, label);
}

function serviceWords(message) {
  const actor = nameOf(message.sender_chat ?? message.from);
  if (message.new_chat_members) return `${message.new_chat_members.map(nameOf).join(", ")} joined the group`;
  if (message.left_chat_member) return `${nameOf(message.left_chat_member)} left the group`;
  if (message.pinned_message) return `${actor} pinned “${gist(message.pinned_message)}”`;
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return "The group became a supergroup";
  if (message.forum_topic_created) return `Topic “${message.forum_topic_created.name}” was opened`;
  return null;
}
