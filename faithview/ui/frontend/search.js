// Two sheets that every page can open: the search, with Ctrl+K, and the keys, with "?". Both are drawn over the page.

import { el } from "./drawing.js";
import { isTaken, movedTo } from "./keys.js";
import { mounting } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */

/**
 * @typedef {{ group: string, text: string, note: string, parameters: Record<string, string> }} Hit
 * @typedef {object} Data
 * @property {string | null} words what `hits` were looked for by; null if the server was not asked
 * @property {Hit[]} hits
 * @property {number} longest
 * @property {[string, string][]} keys
 */

const REST = 180; // ms without a key before the server is asked
// Pages with keys of their own show them in a sheet of their own.
const OWN_SHEET = ".st-key-inspect_keys button, .st-key-queue_keys button";
const OPENS_SEARCH = ".st-key-help_search button";
const OPENS_KEYS = ".st-key-help_keys button";

class Search {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.field = el("input", "field", {
      type: "search",
      role: "combobox",
      placeholder: "Search runs, answers, claims and chunk ids",
      "aria-label": "Search runs, answers, claims and chunk ids",
      "aria-expanded": "true",
      "aria-controls": "found",
      "aria-autocomplete": "list",
      autocomplete: "off",
      spellcheck: "false",
    });
    this.list = el("div", "found", { id: "found", role: "listbox", "aria-label": "Found" });
    this.said = el("div", "said", { role: "status" });
    this.search = el("dialog", "sheet search", { "aria-label": "Search" }, this.field, this.list, this.said);
    this.sheet = el("dialog", "sheet", { "aria-label": "Keys" });
    parent.append(this.search, this.sheet);
    /** @type {Hit[]} */
    this.hits = [];
    this.at = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Setter} */
    this.setStateValue = () => {};
    /** @type {Setter} */
    this.setTriggerValue = () => {};
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    // On the window and in the capture phase: before all that takes keys on the page.
    window.addEventListener("keydown", (event) => this.keyed(event), { capture: true, signal });
    document.addEventListener("click", (event) => this.clicked(event), { capture: true, signal });
    this.field.addEventListener("input", () => this.typed());
    for (const dialog of [this.search, this.sheet]) {
      dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close(); // beside it: all that is in it is another element
      });
    }
  }

  destroy() {
    this.leaving.abort();
    clearTimeout(this.timer);
    this.search.remove();
    this.sheet.remove();
  }

  /**
   * @param {Data} data
   * @param {Setter} setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, setStateValue, setTriggerValue) {
    this.setStateValue = setStateValue;
    this.setTriggerValue = setTriggerValue;
    this.field.maxLength = data.longest;
    this.sheet.replaceChildren(...keySheet(data.keys));
    // An answer to words that were changed since is not shown.
    if (data.words !== null && data.words === this.words()) this.show(data.hits);
  }

  words() {
    return this.field.value.trim().replace(/\s+/g, " ");
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      this.openSearch();
    } else if (this.search.open || this.sheet.open) {
      event.stopPropagation(); // keys of the page rest behind a sheet
      if (this.search.open) this.walk(event);
    } else if (event.key === "?" && !isTaken(event) && this.openKeys()) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = /** @type {Element | null} */ (event.target);
    const opens = [OPENS_SEARCH, OPENS_KEYS].find((selector) => target?.closest?.(selector));
    if (!opens) return;
    event.preventDefault();
    event.stopPropagation();
    if (opens === OPENS_SEARCH) this.openSearch();
    else if (!this.openKeys()) ownSheet()?.click();
  }

  openSearch() {
    this.sheet.close();
    if (!this.search.open) this.search.showModal();
    this.field.focus();
    this.field.select();
    if (!this.words()) this.show([]);
  }

  /** Whether it opened: where a page has a sheet of its own, the page takes the key. */
  openKeys() {
    if (ownSheet()) return false;
    this.sheet.showModal();
    return true;
  }

  /** @param {KeyboardEvent} event */
  walk(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") { // a search field would empty itself first
      event.preventDefault();
      this.search.close();
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      this.go(this.at);
      return;
    }
    const to = event.key === "Home" || event.key === "End" ? undefined : movedTo(event.key, this.at, this.hits.length);
    if (to === undefined || !this.hits.length) return;
    event.preventDefault();
    this.mark(to);
  }

  typed() {
    clearTimeout(this.timer);
    const words = this.words();
    if (!words) {
      this.show([]);
      return;
    }
    this.said.textContent = "Searching …";
    this.timer = setTimeout(() => this.setStateValue("words", words), REST);
  }

  /** @param {Hit[]} hits */
  show(hits) {
    this.hits = hits;
    this.list.replaceChildren(...hits.flatMap((hit, at) => {
      const row = el(
        "div",
        "hit",
        { id: `hit-${at}`, role: "option", "aria-selected": "false" },
        el("span", "text", {}, hit.text),
        el("span", "note", {}, hit.note),
      );
      row.addEventListener("click", () => this.go(at));
      row.addEventListener("pointermove", () => this.mark(at));
      const isFirst = at === 0 || hits[at - 1].group !== hit.group;
      return isFirst ? [el("div", "group", { role: "presentation" }, hit.group), row] : [row];
    }));
    this.said.textContent = hits.length ? "↑ ↓ to choose, Enter to open" : this.words() ? "Nothing found." : "";
    this.mark(hits.length ? 0 : -1);
  }

  /** @param {number} at */
  mark(at) {
    this.at = at;
    this.field.setAttribute("aria-activedescendant", at < 0 ? "" : `hit-${at}`);
    for (const row of this.list.querySelectorAll(".hit")) {
      const isMarked = row.id === `hit-${at}`;
      row.setAttribute("aria-selected", String(isMarked));
      if (isMarked) row.scrollIntoView({ block: "nearest" });
    }
  }

  /** @param {number} at */
  go(at) {
    if (at < 0 || at >= this.hits.length) return;
    this.search.close();
    this.setTriggerValue("chosen", this.hits[at].parameters);
  }
}

/** @returns {HTMLElement | null} The button of the page's own sheet. */
function ownSheet() {
  return document.querySelector(OWN_SHEET);
}

/**
 * @param {[string, string][]} keys
 * @returns {Node[]}
 */
function keySheet(keys) {
  const rows = keys.flatMap(([key, does]) => [el("dt", "", {}, key), el("dd", "", {}, does)]);
  const close = el("button", "close", { type: "button" }, "Close");
  close.addEventListener("click", () => close.closest("dialog")?.close());
  return [
    el("h2", "", {}, "Keys"),
    el("dl", "", {}, ...rows),
    el("p", "said", {}, "Keys do nothing while you type in a field."),
    close,
  ];
}

export default mounting((parent) => new Search(parent));
