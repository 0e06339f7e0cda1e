// What can be changed about a person.

import { act } from "./api.js";
import { make } from "./text.js";

export function settingsCard(pane) {
  const change = async (deed, given) => {
    try {
      await act(pane.person.id, deed, given);
    } catch (error) {
      pane.toast(error.message);
    }
  };
  const rename = () => {
    if (name.value.trim()) return change("change", { name: name.value });
    name.value = pane.person.first_name;
    return pane.toast("A name cannot be empty");
  };
  const name = make("input", { type: "text", maxlength: "64", onchange: rename });
  const language = make(
    "select",
    { onchange: () => change("change", { language: language.value }) },
    ...pane.table.languages.map((code) => make("option", { value: code }, pane.table.languageName(code))),
  );
  const block = make("button", { type: "button", onclick: () => change(pane.person.started ? "block" : "start") });
  const leave = make("button", { type: "button", class: "leave", onclick: () => change("remove") }, "Leave the group");
  const card = make("div", { class: "card" }, make("label", {}, "Name", name), make("label", {}, "Language of the app", language), block, leave);
  const details = make("details", { class: "settings" }, make("summary", { "aria-label": "Settings", title: "Settings" }, "⋯"), card);
  details.addEventListener("toggle", () => {
    name.value = pane.person.first_name;
    language.value = pane.person.language_code;
    block.textContent = pane.person.started ? "Block the bot" : "Start the bot";
    leave.disabled = pane.table.people.length <= pane.table.fewest;
  });
  details.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
  });
  document.addEventListener("pointerdown", (event) => {
    if (!details.contains(event.target)) details.open = false;
  });
  return details;
}
