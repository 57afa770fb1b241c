// The facets of the inbox: a row of buttons, each with a menu of values to tick. Menus lie in the browser's top layer.

import { el, focusedBeside, shown } from "./drawing.js";
import { clamped } from "./keys.js";
import { mounting } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */

/**
 * @typedef {{ value: string, words: string, count: string, isChosen: boolean }} Value
 * @typedef {object} Facet
 * @property {string} name
 * @property {string} title
 * @property {string} note
 * @property {string} standing what is shown where nothing is chosen
 * @property {Value[]} values
 */

class FacetBar {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.clear = el("button", "clear", { type: "button" }, "Clear all");
    this.root = el(
      "div",
      "facets",
      { role: "group", "aria-label": "Filters", "data-faithview-facets": "" },
      this.clear,
    );
    /** @type {Map<string, FacetMenu>} */
    this.menus = new Map();
    this.drawn = "";
    /** @type {Setter} */
    this.setTriggerValue = () => {};
    this.leaving = new AbortController();
    parent.append(this.root);
    this.clear.addEventListener("click", () => this.choose("", []));
    const { signal } = this.leaving;
    window.addEventListener("scroll", () => this.place(), { capture: true, signal });
    window.addEventListener("resize", () => this.place(), { signal });
  }

  destroy() {
    this.leaving.abort();
    this.root.remove();
  }

  /**
   * @param {{ facets: Facet[], isFiltered: boolean }} data
   * @param {Setter} _setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    const drawn = JSON.stringify(data);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    for (const facet of data.facets) this.menuOf(facet.name).draw(facet);
    this.clear.hidden = !data.isFiltered;
  }

  /** @param {string} name */
  menuOf(name) {
    const known = this.menus.get(name);
    if (known) return known;
    const menu = new FacetMenu(name, (values) => this.choose(name, values));
    this.menus.set(name, menu);
    this.clear.before(menu.button, menu.panel);
    return menu;
  }

  /**
   * @param {string} facet
   * @param {string[]} values
   */
  choose(facet, values) {
    this.setTriggerValue("chosen", { facet, values });
  }

  place() {
    for (const menu of this.menus.values()) menu.place();
  }
}

class FacetMenu {
  /**
   * @param {string} name
   * @param {(values: string[]) => void} choose
   */
  constructor(name, choose) {
    const opens = { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", "data-facet": name };
    this.button = el("button", "facet", opens);
    this.panel = el("div", "menu", { popover: "auto", role: "dialog", "data-faithview-menu": name });
    this.button.addEventListener("click", () => this.panel.togglePopover());
    this.panel.addEventListener("toggle", (event) => {
      const isOpen = /** @type {ToggleEvent} */ (event).newState === "open";
      this.button.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) return;
      this.place();
      this.panel.querySelector("input")?.focus({ preventScroll: true });
    });
    this.panel.addEventListener("change", () => {
      choose(this.inputs().filter((input) => input.checked).map((input) => input.value));
    });
    this.panel.addEventListener("keydown", (event) => this.keyed(event));
  }

  /** @param {Facet} facet */
  draw(facet) {
    const chosen = facet.values.filter((value) => value.isChosen);
    const told = chosen.length > 1 ? `${chosen.length} chosen` : (chosen[0]?.words ?? facet.standing);
    this.button.classList.toggle("chosen", chosen.length > 0);
    this.button.replaceChildren(facet.title, ...(told ? [el("span", "told", {}, ": ", el("bdi", "", {}, told))] : []));
    this.button.setAttribute("title", told ? `${facet.title}: ${shown(told)}` : facet.title);
    this.panel.setAttribute("aria-label", facet.title);
    /** @type {HTMLElement | null | undefined} */
    const label = focusedBeside(this.panel)?.closest("label");
    const at = label?.dataset.value;
    this.panel.replaceChildren(
      ...facet.values.map(drawValue),
      ...(facet.values.length ? [] : [el("div", "none", {}, "Nothing to choose from.")]),
      ...(facet.note ? [el("div", "note", {}, facet.note)] : []),
    );
    if (at !== undefined) this.inputs().find((input) => input.value === at)?.focus({ preventScroll: true });
  }

  inputs() {
    return [...this.panel.querySelectorAll("input")];
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const inputs = this.inputs();
    const at = inputs.findIndex((input) => input === focusedBeside(this.panel));
    inputs[clamped(at + step, inputs.length)]?.focus();
  }

  // Under the button, inside the window.
  place() {
    if (!this.panel.matches(":popover-open")) return;
    const button = this.button.getBoundingClientRect();
    const left = Math.min(button.left, window.innerWidth - this.panel.offsetWidth - 8);
    this.panel.style.left = `${Math.max(8, left)}px`;
    this.panel.style.top = `${button.bottom + 4}px`;
    this.panel.style.maxHeight = `${Math.max(120, window.innerHeight - button.bottom - 16)}px`;
  }
}

/** @param {Value} value */
function drawValue({ value, words, count, isChosen }) {
  const input = el("input", "", { type: "checkbox" });
  input.value = value;
  input.checked = isChosen;
  const name = el("bdi", "words", {}, words);
  return el("label", "value", { "data-value": value }, input, name, el("span", "count", {}, count));
}

export default mounting((parent) => new FacetBar(parent));
