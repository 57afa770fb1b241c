// The answers of a run as a list: a click or Enter opens one; J and K step through it from anywhere on the page, and the
// page's own keys go to its fields and buttons. Beyond the first and the last, they turn to the list's other pages.

import { childrenOf, dress, el, find, focusedBeside, icon } from "./drawing.js";
import { isTaken, letterStep, movedTo, pressPageKey, sourceOf } from "./keys.js";
import { mounting, Reporter } from "./mounting.js";
import { bringIntoView } from "./scrolling.js";
import { WindowHeight } from "./window_height.js";

/** @import { Setter } from "./mounting.js" */
/** @import { Styles } from "./payloads.js" */

const STACKED_HEIGHT = 220; // px, above the answer: the answer is to begin on the first screen

/**
 * @typedef {object} Row
 * @property {string} key
 * @property {string | null} score
 * @property {string} state
 * @property {{ verdict: string, words: string, is_quoted: boolean } | null} fault
 * @property {string} counts
 * @property {string} title
 * @property {string | null} note
 * @property {string | null} labelled
 * @property {boolean} is_labelled
 * @typedef {object} Data
 * @property {string} subject
 * @property {number} turn
 * @property {string | null} selected
 * @property {number | null} height
 * @property {Record<string, string>} page_keys
 * @property {{ before: boolean, after: boolean }} others whether the list has another page before and after this one
 * @property {Styles} styles
 * @property {Row[]} rows
 */

const PATIENCE = 2000; // ms in which another page of the list is asked for once

class AnswerList {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "answers", { role: "listbox", "aria-label": "Answers", "data-faithview-list": "" });
    this.reporter = new Reporter(200);
    /** @type {string | null} */
    this.selected = null;
    this.drawn = "";
    this.subject = "";
    this.hadFocus = false;
    /** @type {string[]} */
    this.keys = [];
    /** @type {Record<string, string>} */
    this.pageKeys = {};
    this.others = { before: false, after: false };
    this.turnedAt = 0;
    /** @type {Setter} */
    this.setStateValue = () => {};
    /** @type {Setter} */
    this.setTriggerValue = () => {};
    this.windowHeight = new WindowHeight(this.root, STACKED_HEIGHT);
    this.leaving = new AbortController();
    parent.append(this.root);
    this.root.addEventListener("click", (event) => {
      /** @type {HTMLElement | null} */
      const row = sourceOf(event).closest(".row");
      if (row) this.choose(row.dataset.key ?? "", true);
    });
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("keydown", (event) => this.keyedOnPage(event), { signal: this.leaving.signal });
  }

  destroy() {
    this.leaving.abort();
    this.reporter.stop();
    this.windowHeight.stop();
    sayRow(null);
    this.root.remove();
  }

  /**
   * @param {Data} data
   * @param {Setter} setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, setStateValue, setTriggerValue) {
    this.setStateValue = setStateValue;
    this.setTriggerValue = setTriggerValue;
    this.others = data.others;
    this.subject = data.subject;
    this.pageKeys = data.page_keys;
    if (data.height === null) this.windowHeight.follow();
    else this.root.style.height = `${data.height}px`;
    dress(this.root, data.styles);
    const rows = JSON.stringify(data.rows);
    const isNew = rows !== this.drawn;
    if (isNew) {
      this.drawn = rows;
      this.draw(data.rows, data.styles);
    }
    // The person has made a newer choice: the list keeps it until Python has received it.
    const isCurrent = data.turn >= this.reporter.turn;
    this.reporter.follow(data.turn);
    this.reporter.hearSteps(setStateValue, data.subject);
    if (isNew || isCurrent) this.show(isCurrent ? data.selected : this.selected);
  }

  /**
   * @param {Row[]} rows
   * @param {Styles} styles
   */
  draw(rows, styles) {
    const hadFocus = this.hasFocus();
    this.turnedAt = 0;
    this.keys = rows.map((row) => row.key);
    const top = this.root.scrollTop;
    this.root.replaceChildren(...rows.map((row, at) => drawRow(row, at, rows.length, styles)));
    this.root.scrollTop = top;
    this.hadFocus = hadFocus;
  }

  hasFocus() {
    return this.root.contains(focusedBeside(this.root));
  }

  /** @param {string | null} key */
  show(key) {
    this.selected = key;
    const rows = childrenOf(this.root);
    const chosen = key === null ? undefined : rows[this.keys.indexOf(key)];
    sayRow(key, (chosen && find(chosen, ".title")?.textContent) ?? "");
    for (const row of rows) {
      row.setAttribute("aria-selected", String(row === chosen));
      row.tabIndex = row === (chosen ?? rows[0]) ? 0 : -1;
    }
    if (!chosen) return;
    bringIntoView(this.root, chosen, 4);
    if (this.hadFocus) chosen.focus({ preventScroll: true });
    this.hadFocus = false;
  }

  /**
   * @param {string} key
   * @param {boolean} [isFocused]
   */
  choose(key, isFocused = false) {
    const isOpen = key === this.selected;
    const takesFocus = isFocused || this.hasFocus();
    this.show(key);
    if (takesFocus) childrenOf(this.root)[this.keys.indexOf(key)].focus({ preventScroll: true });
    if (!isOpen) this.reporter.report(this.setStateValue, this.subject, key);
  }

  /**
   * Up, down, Home and End move the focus; Enter and space open.
   *
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    if (isTaken(event)) return;
    const rows = childrenOf(this.root);
    const at = rows.findIndex((row) => row === sourceOf(event).closest(".row"));
    const to = movedTo(event.key, at, rows.length);
    if (to !== undefined) {
      const row = rows[to];
      row?.focus({ preventScroll: true });
      if (row) bringIntoView(this.root, row, 4);
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) this.choose(this.keys[at]);
    else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  keyedOnPage(event) {
    if (pressPageKey(event, this.pageKeys)) return;
    const step = letterStep(event);
    if (!step || !this.keys.length || isTaken(event)) return;
    event.preventDefault();
    const at = this.selected === null ? -1 : this.keys.indexOf(this.selected);
    const to = at < 0 ? (step > 0 ? 0 : this.keys.length - 1) : at + step;
    if (to >= 0 && to < this.keys.length) this.choose(this.keys[to]);
    else if (to < 0 ? this.others.before : this.others.after) this.turn(step);
  }

  /** @param {number} step to the next page of the list, or to the one before */
  turn(step) {
    if (Date.now() - this.turnedAt < PATIENCE) return;
    this.turnedAt = Date.now();
    this.reporter.flush();
    this.setTriggerValue("turned", step);
  }
}

/**
 * Says which answer is marked, to the view that may still show another one.
 *
 * @param {string | null} key
 * @param {string} [title]
 */
function sayRow(key, title = "") {
  const { dataset } = document.documentElement;
  dataset.faithviewTitle = title;
  if (key === null) delete dataset.faithviewRow;
  else dataset.faithviewRow = key;
  document.dispatchEvent(new CustomEvent("faithview:row"));
}

/**
 * @param {Row} row
 * @param {number} at
 * @param {number} of
 * @param {Styles} styles
 */
function drawRow(row, at, of, styles) {
  const { fault } = row;
  const labelled = { role: "img", "aria-label": row.labelled, title: row.labelled };
  return el(
    "div",
    fault ? "row" : "row plain",
    {
      role: "option",
      tabindex: "-1",
      "aria-selected": "false",
      "aria-posinset": at + 1,
      "aria-setsize": of,
      "data-key": row.key,
    },
    fault && drawFault(fault, row.counts, styles),
    el(
      "span",
      row.score === null ? "state" : "score",
      {},
      row.labelled ? el("span", row.is_labelled ? "labelled" : "labelled other", labelled) : null,
      row.score ?? row.state,
    ),
    el("span", "title", { dir: "auto" }, row.title),
    row.note ? el("span", "note", { dir: "auto" }, row.note) : null,
  );
}

/**
 * The sign of the worst verdict, and the words at fault.
 *
 * @param {{ verdict: string, words: string, is_quoted: boolean }} fault
 * @param {string} counts
 * @param {Styles} styles
 */
function drawFault({ verdict, words, is_quoted }, counts, styles) {
  const style = styles[verdict];
  const sign = el("span", `sign ${verdict}`, { role: "img", "aria-label": style.word, title: counts }, icon(style));
  return el("span", is_quoted ? "fault quoted" : "fault", {}, sign, el("span", "words", { dir: "auto" }, words));
}

export default mounting((parent) => new AnswerList(parent));
