// The claims of the page Claims. Each row is a link into Answers and has a box to tick; what is pressed over ticked rows goes
// to the server with the ids that were ticked at that moment.

import { childrenOf, dress, el, find, findAll, icon, shown } from "./drawing.js";
import { clamped, hasModifier, isDialogOpen, isTaken, letterStep, movedTo, sourceOf } from "./keys.js";
import { plural } from "./marks.js";
import { mounting } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */
/** @import { Styles } from "./payloads.js" */

/**
 * @typedef {object} Group
 * @property {string} id
 * @property {string} href
 * @property {string} verdict
 * @property {string} words
 * @property {{ text: string, isMatch: boolean }[]} parts
 * @property {string} explanation
 * @property {string} where
 * @property {string} latest
 * @property {string} state
 * @property {string} assigned
 * @property {string} question
 * @property {number} listed 0 for a row that has left the filter: it stays in its place, and cannot be ticked
 * @typedef {object} Data
 * @property {Group[]} groups
 * @property {Styles} styles
 * @property {{ value: string, word: string }[]} choices
 * @property {string[]} reviewers
 * @property {string | null} refusal
 * @property {string} summary
 */

class GroupList {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.bar = el("div", "bar");
    this.rows = el("div", "rows", { role: "list", "aria-label": "Claims" });
    this.root = el("div", "inbox", { "data-faithview-inbox": "" }, this.bar, this.rows);
    /** @type {Set<string>} */
    this.ticked = new Set();
    this.drawn = "";
    /** @type {Data} */
    this.data = { groups: [], styles: {}, choices: [], reviewers: [], refusal: null, summary: "" };
    /** @type {Setter} */
    this.setTriggerValue = () => {};
    this.leaving = new AbortController();
    parent.append(this.root);
    this.rows.addEventListener("click", (event) => this.clicked(event));
    this.rows.addEventListener("change", (event) => {
      const box = /** @type {HTMLInputElement} */ (event.target);
      this.tick(rowAround(box), box.checked);
    });
    this.rows.addEventListener("keydown", (event) => this.keyed(event));
    this.rows.addEventListener("focusin", (event) => this.hold(rowAround(sourceOf(event))));
    document.addEventListener("keydown", (event) => this.keyedOnPage(event), { signal: this.leaving.signal });
  }

  destroy() {
    this.leaving.abort();
    this.root.remove();
  }

  /**
   * @param {Data} data
   * @param {Setter} _setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    this.data = data;
    dress(this.root, data.styles);
    const drawn = JSON.stringify([data.groups, data.reviewers, data.refusal, data.summary]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const held = find(this.rows, ".row:focus-within")?.dataset.id;
    const listed = new Set(data.groups.filter((group) => group.listed).map((group) => group.id));
    this.ticked = new Set([...this.ticked].filter((id) => listed.has(id)));
    this.rows.replaceChildren(...data.groups.map((group) => drawRow(group, data.styles, this.ticked.has(group.id))));
    const rows = childrenOf(this.rows);
    const again = held === undefined ? undefined : rows.find((row) => row.dataset.id === held);
    this.hold(again ?? rows[0] ?? null);
    if (again) find(again, ".open")?.focus({ preventScroll: true });
    this.drawBar();
  }

  drawBar() {
    const { groups, summary } = this.data;
    const all = el("input", "", { type: "checkbox", "aria-label": "Tick all rows of this page" });
    all.checked = this.ticked.size > 0 && this.ticked.size === groups.filter((group) => group.listed).length;
    all.indeterminate = this.ticked.size > 0 && !all.checked;
    all.addEventListener("change", () => this.tickAll(all.checked));
    const claims = groups.filter((group) => this.ticked.has(group.id)).reduce((sum, group) => sum + group.listed, 0);
    const told = `${plural(this.ticked.size, "row")} ticked, ${plural(claims, "claim")}`;
    const status = el("span", "status", { role: "status" }, this.ticked.size ? told : summary);
    this.root.classList.toggle("some", this.ticked.size > 0);
    this.bar.replaceChildren(el("label", "all", {}, all), status, ...(this.ticked.size ? this.actions() : []));
  }

  actions() {
    const { refusal, choices, styles, reviewers } = this.data;
    if (refusal) return [el("span", "refusal", {}, refusal)];
    const buttons = choices.map(({ value, word }, at) => {
      const sign = styles[value] ? icon(styles[value]) : null;
      const key = el("kbd", "", { "aria-hidden": "true" }, String(at + 1));
      const name = { type: "button", "data-choice": value, "data-verdict": value };
      const button = el("button", "choice", name, sign, word, key);
      button.addEventListener("click", () => this.press("label", value));
      return button;
    });
    const field = el("input", "who", {
      type: "text",
      list: "reviewers",
      maxlength: "100",
      placeholder: "Reviewer",
      "aria-label": "Assign to",
    });
    const assign = el("button", "assign", { type: "button" }, "Assign");
    assign.addEventListener("click", () => this.press("assign", field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.press("assign", field.value);
    });
    const names = el("datalist", "", { id: "reviewers" }, reviewers.map((name) => el("option", "", { value: name })));
    return [
      el("span", "label", { role: "group", "aria-label": "Label the ticked claims" }, buttons),
      el("span", "label", {}, field, assign, names),
    ];
  }

  /**
   * @param {string} action
   * @param {string} value
   */
  press(action, value) {
    if (!this.ticked.size || this.data.refusal) return;
    this.setTriggerValue("pressed", { action, value, groups: [...this.ticked] });
    this.tickAll(false);
  }

  /**
   * @param {HTMLElement | null} row
   * @param {boolean} isTicked
   */
  tick(row, isTicked) {
    const box = row && /** @type {HTMLInputElement} */ (find(row, ".tick"));
    if (!row || !box || box.disabled) return;
    if (isTicked) this.ticked.add(idOf(row));
    else this.ticked.delete(idOf(row));
    box.checked = isTicked;
    row.classList.toggle("ticked", isTicked);
    this.drawBar();
  }

  /** @param {HTMLElement} row */
  turn(row) {
    this.tick(row, !this.ticked.has(idOf(row)));
  }

  /** @param {boolean} isTicked */
  tickAll(isTicked) {
    for (const row of childrenOf(this.rows)) this.tick(row, isTicked);
    this.drawBar();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = sourceOf(event);
    const link = rowAround(target)?.querySelector("a");
    if (!link || target.closest(".box") || event.defaultPrevented) return;
    if (hasModifier(event) || event.shiftKey || event.button) return; // the browser opens a new tab
    event.preventDefault();
    if (String(window.getSelection() ?? "")) return; // someone is copying text
    openPage(link.href);
  }

  /**
   * One row is reached by the Tab key, the others by the arrows.
   *
   * @param {HTMLElement | null} row
   */
  hold(row) {
    if (!row) return;
    for (const one of childrenOf(this.rows)) {
      for (const place of findAll(one, ".open, .tick")) place.tabIndex = one === row ? 0 : -1;
    }
  }

  /** @param {number} at */
  goTo(at) {
    const rows = childrenOf(this.rows);
    const row = rows[clamped(at, rows.length)];
    if (!row) return;
    this.hold(row);
    find(row, ".open")?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  /**
   * Up, down, Home and End move the focus; X ticks; a link opens by itself with Enter.
   *
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    if (hasModifier(event) || isDialogOpen()) return;
    const rows = childrenOf(this.rows);
    const at = rows.findIndex(hasFocus);
    const to = movedTo(event.key, at, rows.length);
    if (to !== undefined) this.goTo(to);
    else if (event.key === " " && sourceOf(event).matches(".open")) this.turn(rows[at]);
    else return;
    event.preventDefault();
  }

  /**
   * J and K go to the next and the previous row from anywhere on the page, X ticks it, and 1 to 5 label what is ticked.
   *
   * @param {KeyboardEvent} event
   */
  keyedOnPage(event) {
    const rows = childrenOf(this.rows);
    const isTick = sourceOf(event).matches?.(".tick");
    if (event.shiftKey || !rows.length || hasModifier(event) || (!isTick && isTaken(event))) return;
    const key = event.key.toLowerCase();
    const step = letterStep(event);
    const at = rows.findIndex(hasFocus);
    if (step) this.goTo(at < 0 ? 0 : at + step);
    else if (key === "x" && at >= 0) this.turn(rows[at]);
    else if (/^[1-5]$/.test(key) && this.ticked.size) this.press("label", this.data.choices[Number(key) - 1].value);
    else return;
    event.preventDefault();
  }
}

/** @type {(row: HTMLElement) => string} */
const idOf = (row) => row.dataset.id ?? "";

/** @type {(row: HTMLElement) => boolean} */
const hasFocus = (row) => row.matches(":focus-within");

/** @type {(target: Element) => HTMLElement | null} */
const rowAround = (target) => target.closest(".row");

/**
 * @param {Group} group
 * @param {Styles} styles
 * @param {boolean} isTicked
 */
function drawRow(group, styles, isTicked) {
  const words = group.parts.map((part) => part.text).join("");
  const tick = el("input", "tick", { type: "checkbox", tabindex: "-1", "aria-label": `Tick: ${shown(words)}` });
  tick.checked = isTicked;
  tick.disabled = !group.listed;
  const text = group.parts.map((part) => (part.isMatch ? el("mark", "found", {}, part.text) : part.text));
  const sign = styles[group.verdict] ? icon(styles[group.verdict]) : null;
  const facts = el(
    "div",
    "facts",
    {},
    el("bdi", "where", {}, group.where),
    group.latest ? el("bdi", "latest", {}, group.latest) : null,
    group.state ? el("span", "state", {}, group.state) : null,
    group.assigned ? el("bdi", "assigned", {}, group.assigned) : null,
    group.question ? el("bdi", "question", {}, group.question) : null,
  );
  return el(
    "div",
    `row${isTicked ? " ticked" : ""}${group.listed ? "" : " done"}`,
    { role: "listitem", "data-id": group.id, "data-verdict": group.verdict },
    el("label", "box", {}, tick),
    el("div", "verdict", {}, sign, group.words),
    el(
      "div",
      "body",
      {},
      el("a", "open", { href: group.href, dir: "auto", tabindex: "-1" }, text),
      group.explanation ? el("div", "why", { dir: "auto" }, group.explanation) : null,
      facts,
    ),
  );
}

/**
 * Opens a page of the dashboard as one step of the browser's history, as a link would but without loading the dashboard
 * anew. Streamlit follows the address after every step back or forward, so it is told of one; what the address of this
 * page says stays as it is, which `st.switch_page` does not leave so.
 *
 * @param {string} href
 */
function openPage(href) {
  window.history.pushState(null, "", new URL(href, document.baseURI));
  window.dispatchEvent(new PopStateEvent("popstate"));
}

export default mounting((parent) => new GroupList(parent));
