// Text with entities as elements. Offsets count UTF-16 units, and so do JavaScript's strings.

const TAGS = {
  bold: "b",
  italic: "i",
  underline: "u",
  strikethrough: "s",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  expandable_blockquote: "blockquote",
};

/** An element with a class, attributes and children. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The address, if following it leads elsewhere and runs nothing here. */
export function harmless(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  return ["http:", "https:", "tg:"].includes(url?.protocol) ? address : null;
}

export function isMe(entity, text, person) {
  if (entity.type === "text_mention") return entity.user.id === person.id;
  if (entity.type !== "mention" || !person.username) return false;
  return text.substr(entity.offset + 1, entity.length - 1).toLowerCase() === person.username.toLowerCase();
}

/** The nodes of a text; `onCommand` gets a command that is clicked. */
export function renderText(text, entities, person, onCommand) {
  return renderSpan(text, 0, text.length, entities ?? [], person, onCommand);
}

// Entities nest and come sorted, the outer before the inner.
function renderSpan(text, start, end, entities, person, onCommand) {
  const nodes = [];
  let at = start;
  let rest = entities;
  while (rest.length) {
    const [entity, ...later] = rest;
    const last = entity.offset + entity.length;
    const inner = later.filter((one) => one.offset < last);
    rest = later.filter((one) => one.offset >= last);
    if (entity.offset > at) nodes.push(text.slice(at, entity.offset));
    const content = renderSpan(text, entity.offset, last, inner, person, onCommand);
    nodes.push(wrap(entity, text, content, person, onCommand));
    at = last;
  }
  if (at < end) nodes.push(text.slice(at, end));
  return nodes;
}

function wrap(entity, text, content, person, onCommand) {
  const words = text.substr(entity.offset, entity.length);
  switch (entity.type) {
    case "text_link":
    case "url":
      return make("a", { href: harmless(entity.url ?? words), target: "_blank", rel: "noopener" }, ...content);
    case "text_mention":
    case "mention":
      return make("span", { class: isMe(entity, text, person) ? "mention me" : "mention" }, ...content);
    case "bot_command":
      return make("button", { type: "button", class: "command", onclick: () => onCommand(words) }, ...content);
    case "spoiler":
      return make("span", { class: "spoiler", tabindex: "0" }, ...content);
    default:
      return make(TAGS[entity.type] ?? "span", {}, ...content);
  }
}
