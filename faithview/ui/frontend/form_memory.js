// Keeps a form's contents in this tab's session storage: across pages, and when the tab is reloaded. Only this tab
// can read it, and it is gone when the tab is closed.

import { el, find } from "./drawing.js";
import { sourceOf } from "./keys.js";
import { mounting } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */

/**
 * @typedef {Record<string, string>} Values by the names of the fields
 * @typedef {object} Data
 * @property {string} key
 * @property {Values} values
 * @property {Values} fields CSS selectors
 * @property {{ name: string, place: string, options: string[] }} choice
 * @property {string} main
 * @property {string} edited
 * @property {string[]} needed names of fields
 * @property {string} submit CSS selector of what holds the button
 */

const WRITE_AFTER = 250; // ms without another letter

class FormMemory {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "memory", { role: "status" });
    /** @type {Data | null} */
    this.data = null; // its values are the form as it was last sent or filled
    /** @type {Values} */
    this.draft = {}; // what the form contains
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.leaving = new AbortController();
    parent.append(this.root);
    const { signal } = this.leaving;
    document.addEventListener("input", (event) => this.typed(event), { capture: true, signal });
    document.addEventListener("click", (event) => this.chosen(event), { capture: true, signal });
    window.addEventListener("pagehide", () => this.write(), { signal });
  }

  destroy() {
    this.leaving.abort();
    this.write();
    this.root.remove();
    if (this.data) rest(this.data.submit, false);
  }

  /**
   * @param {Data} data
   * @param {Setter} _setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, _setStateValue, setTriggerValue) {
    const { values } = data;
    const before = this.data?.values;
    this.data = data;
    if (!before) {
      const [kept, typed] = [read(data), typedBefore(data)];
      this.draft = { ...values, ...kept, ...typed };
      if (kept && !isSame(this.draft, { ...values, ...typed })) setTriggerValue("draft", this.draft);
    } else if (!isSame(before, values)) {
      this.draft = { ...values }; // the form was sent, or filled with an example
    }
    this.write();
    this.say(data);
  }

  /** @param {Event} event */
  typed(event) {
    const target = /** @type {HTMLInputElement} */ (sourceOf(event));
    const fields = Object.entries(this.data?.fields ?? {});
    const [name] = fields.find(([, selector]) => target.matches?.(selector)) ?? [];
    if (this.data && name) this.change(this.data, name, target.value);
  }

  /** @param {Event} event */
  chosen(event) {
    const button = sourceOf(event).closest?.("button, [role=radio], label");
    if (!this.data || !button?.closest(this.data.choice.place)) return;
    const option = button.textContent.trim();
    if (this.data.choice.options.includes(option)) this.change(this.data, this.data.choice.name, option);
  }

  /**
   * @param {Data} data
   * @param {string} name
   * @param {string} value
   */
  change(data, name, value) {
    this.draft[name] = value;
    this.say(data);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), WRITE_AFTER);
  }

  /** @param {Data} data */
  say({ values, main, edited, needed, submit }) {
    rest(submit, needed.some((name) => !this.draft[name].trim()));
    const isEdited = values[main].trim() && !isSame(this.draft, values);
    this.root.replaceChildren(...(isEdited ? [el("p", "", {}, edited)] : []));
  }

  write() {
    clearTimeout(this.timer);
    if (!this.data) return;
    try {
      sessionStorage.setItem(this.data.key, JSON.stringify(this.draft));
    } catch {
      sessionStorage.removeItem(this.data.key); // too long for the browser: better nothing than an earlier text
    }
  }
}

/**
 * What was written and chosen while this component was still being loaded, which on a slow line takes seconds. A field
 * may show its default for a moment before it shows what the server says, so a default is not taken for typed.
 *
 * @param {Data} data
 * @returns {Values}
 */
function typedBefore({ fields, choice, values }) {
  const standing = Object.entries(fields).map(([name, selector]) => {
    const field = /** @type {HTMLInputElement | null} */ (find(document, selector));
    return [name, field?.value ?? ""];
  });
  const marked = find(document, `${choice.place} :is([aria-checked=true], [aria-pressed=true])`);
  const chosen = marked?.textContent.trim() ?? "";
  if (choice.options.indexOf(chosen) > 0) standing.push([choice.name, chosen]);
  return Object.fromEntries(standing.filter(([name, text]) => text && text !== values[name]));
}

/**
 * @param {Data} data
 * @returns {Values | null} What the tab has kept; null where that is nothing, or not all of this form.
 */
function read({ key, values }) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
    const isWhole = kept !== null && Object.keys(values).every((name) => typeof kept[name] === "string");
    return isWhole ? kept : null;
  } catch {
    return null;
  }
}

/**
 * Streamlit owns the button's own attribute, so what holds the button rests.
 *
 * @param {string} submit
 * @param {boolean} isResting
 */
function rest(submit, isResting) {
  const place = find(document, submit);
  if (!place) return;
  place.inert = isResting;
  place.style.opacity = isResting ? "0.45" : "";
}

/** @type {(one: Values, other: Values) => boolean} */
function isSame(one, other) {
  return Object.keys(other).every((name) => one[name] === other[name]);
}

export default mounting((parent) => new FormMemory(parent));
