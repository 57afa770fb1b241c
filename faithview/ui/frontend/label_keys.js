// Label keys: a press is sent with the mark of the claim that is marked at that moment, and kept until it is answered.
//
// Views answer the event "faithview:mark" at once: which claim is marked, or why none is. They say "faithview:moved" when
// that changes, and grey themselves out while "faithview:busy" says that the page is waiting for the server.

import { el, find, shown } from "./drawing.js";
import { isEnterOnControl, isTaken, nameOf } from "./keys.js";
import { mounting } from "./mounting.js";
import { Outbox } from "./outbox.js";

/** @import { Asked } from "./claims_view.js" */
/** @import { Setter } from "./mounting.js" */
/** @import { Answer } from "./outbox.js" */

/**
 * @typedef {object} Data
 * @property {string} page
 * @property {Record<string, string>} keys actions by key
 * @property {Record<string, string>} buttons actions by the end of a button's key
 * @property {Record<string, string>} words by action
 * @property {string} area CSS selector
 * @property {string | null} mark
 * @property {boolean} waits
 * @property {string[]} claimless
 * @property {string | null} refusal
 * @property {string} unmarked
 * @property {boolean} sticks
 * @property {number} acknowledged
 * @property {Answer[]} answers
 */

const STORED_FOR = 4000; // ms that a stored label is shown
const REFUSED_FOR = 15000; // ms that refused keys are shown after the last of them
const NOT_THERE = "the next claim was not on screen yet";

// By page: presses without an answer. They outlive the component, which Streamlit may redraw at any time.
/** @type {Map<string, Outbox>} */
const outboxes = new Map();
/** @type {Map<string, LabelKeys>} */
const onPages = new Map();

class LabelKeys {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.progress = el("div", "note", { role: "status" });
    this.refused = el("div", "note refused", { role: "alert" });
    this.root = el("div", "keys", { popover: "manual" }, this.refused, this.progress);
    this.root.dataset.refused = "0"; // all keys that were not taken since the component was drawn
    this.number = 0; // those of the note that is shown
    this.done = "";
    /** @type {Data | undefined} */
    this.data = undefined;
    this.outbox = new Outbox();
    /** @type {Setter} */
    this.setStateValue = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.progressTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.refusedTimer = undefined;
    this.leaving = new AbortController();
    parent.append(this.root);
    const { signal } = this.leaving;
    document.addEventListener("keydown", (event) => this.keyed(event), { capture: true, signal });
    document.addEventListener("click", (event) => this.clicked(event), { capture: true, signal });
    document.addEventListener("faithview:moved", () => this.fence(), { signal });
    window.addEventListener("beforeunload", (event) => {
      if (this.outbox.presses.length) event.preventDefault();
    }, { signal });
  }

  destroy() {
    this.leaving.abort();
    clearTimeout(this.progressTimer);
    clearTimeout(this.refusedTimer);
    this.root.remove();
    if (!this.data) return;
    const { area, page } = this.data;
    setInert(area, false);
    if (onPages.get(page) === this) onPages.delete(page);
    setTimeout(() => warnOfUnsent(page), 1500); // unless Streamlit only redraws the component
  }

  /**
   * @param {Data} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    const isFirst = this.data === undefined;
    this.setStateValue = setStateValue;
    this.data = data;
    this.outbox = outboxes.get(data.page) ?? new Outbox();
    outboxes.set(data.page, this.outbox);
    onPages.set(data.page, this);
    find(document, `[data-faithview-unsent="${data.page}"]`)?.remove();
    const answered = this.outbox.settle(data.acknowledged, data.answers);
    for (const { words, refusal } of answered) {
      if (refusal) this.refuse(words, refusal);
      else this.done = words;
    }
    if (answered.length) this.showProgress();
    if (isFirst && this.outbox.presses.length) this.send();
    this.fence();
  }

  // ---- pressing

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const key = nameOf(event);
    if (!this.data || !Object.hasOwn(this.data.keys, key) || isTaken(event) || isEnterOnControl(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) this.press(this.data, this.data.keys[key], askForMark());
  }

  /**
   * The page's own buttons, which take the same way as the keys.
   *
   * @param {MouseEvent} event
   */
  clicked(event) {
    if (!this.data) return;
    const { area, buttons, mark } = this.data;
    const target = /** @type {Element | null} */ (event.target);
    /** @type {HTMLButtonElement | null | undefined} */
    const button = target?.closest?.(`${area} button`);
    const holder = button?.closest('[class*="st-key-"]');
    if (!button || !holder || button.disabled) return;
    const names = [...holder.classList].filter((name) => name.startsWith("st-key-"));
    const end = Object.keys(buttons).find((end) => names.some((name) => name.endsWith(`-${end}`)));
    if (end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const marked = askForMark();
    if (!marked.refusal && marked.mark !== mark) marked.refusal = NOT_THERE;
    this.press(this.data, buttons[end], marked);
  }

  /**
   * @param {Data} data
   * @param {string} action
   * @param {Asked} marked
   */
  press(data, action, marked) {
    const words = [marked.words, data.words[action]].filter(Boolean).join(": ");
    const refusal = whyNot(data, action, marked, this.isBusy());
    if (refusal) this.refuse(words, refusal);
    else if (this.outbox.isFull) this.refuse(words, "too many labels are not stored yet");
    else {
      this.outbox.add(marked.mark, action, words);
      this.send();
      this.showProgress();
      this.fence();
    }
  }

  isBusy() {
    return Boolean(this.data?.waits) && this.outbox.presses.length > 0;
  }

  send() {
    this.setStateValue("presses", { presses: this.outbox.unanswered() });
  }

  // ---- showing

  // Buttons and fields rest while they belong to another claim than the marked one.
  fence() {
    if (!this.data) return;
    const { area, mark, sticks } = this.data;
    if (sticks) stick(area);
    // In the top layer: the sidebar would hide what stands in the page's column.
    if (this.root.isConnected && !this.root.matches(":popover-open")) this.root.showPopover();
    const isBusy = this.isBusy();
    document.dispatchEvent(new CustomEvent("faithview:busy", { detail: { isBusy } }));
    setInert(area, isBusy || (mark !== null && askForMark().mark !== mark));
  }

  showProgress() {
    clearTimeout(this.progressTimer);
    const { presses } = this.outbox;
    if (presses.length) {
      const others = presses.length > 1 ? ` and ${presses.length - 1} more` : "";
      this.progress.textContent = shown(`Storing ${presses[presses.length - 1].words}${others} …`);
      return;
    }
    this.progress.textContent = this.done ? shown(`${this.done} ✓`) : "";
    this.progressTimer = setTimeout(() => {
      this.progress.textContent = "";
    }, STORED_FOR);
  }

  /**
   * @param {string} words
   * @param {string} reason
   */
  refuse(words, reason) {
    this.number += 1;
    this.root.dataset.refused = String(Number(this.root.dataset.refused) + 1);
    const what = this.number === 1 ? "Not done" : `${this.number} presses not done, the last`;
    this.refused.textContent = shown(`${what}: ${words}. Why: ${reason.replace(/\.$/, "")}.`);
    clearTimeout(this.refusedTimer);
    this.refusedTimer = setTimeout(() => {
      this.number = 0;
      this.refused.textContent = "";
    }, REFUSED_FOR);
  }
}

/**
 * @param {Pick<Data, "claimless" | "refusal" | "unmarked">} data
 * @param {string} action
 * @param {Asked} marked
 * @param {boolean} isBusy
 * @returns {string | null} Why an action is refused; null if it is not.
 */
export function whyNot({ claimless, refusal, unmarked }, action, marked, isBusy) {
  if (refusal !== null) return refusal;
  if (isBusy) return NOT_THERE;
  if (marked.refusal !== null) return marked.refusal;
  return marked.mark !== null || claimless.includes(action) ? null : unmarked;
}

/** @returns {Asked} The claim that is marked now, as the view on the page says. */
function askForMark() {
  const asked = { mark: null, words: "", refusal: null };
  document.dispatchEvent(new CustomEvent("faithview:mark", { detail: asked }));
  return asked;
}

/**
 * Buttons and fields stay at the lower edge of the window while what they belong to is longer than the window.
 *
 * @param {string} area
 */
function stick(area) {
  let bar = find(document, area); // the part of the page's column that holds nothing but the buttons and fields
  const app = find(document, '[data-testid="stApp"]');
  if (!bar || !app) return;
  while (bar.parentElement?.children.length === 1) bar = bar.parentElement;
  const { backgroundColor } = getComputedStyle(app);
  Object.assign(bar.style, { position: "sticky", bottom: "0", zIndex: "5", background: backgroundColor });
}

/**
 * @param {string} area
 * @param {boolean} isInert
 */
function setInert(area, isInert) {
  const place = find(document, area);
  if (!place || place.inert === isInert) return;
  place.inert = isInert;
  place.style.opacity = isInert ? "0.4" : "";
}

/**
 * On another page: labels that were pressed last and not answered yet are sent when the page is opened again.
 *
 * @param {string} page
 */
function warnOfUnsent(page) {
  const number = outboxes.get(page)?.presses.length ?? 0;
  if (!number || onPages.has(page)) return;
  const [labels, it] = number === 1 ? ["1 label is", "it"] : [`${number} labels are`, "them"];
  const text = `${labels} not stored yet. Go back to the page where you gave ${it}.`;
  const note = el("div", "", { role: "alert", "data-faithview-unsent": page }, text);
  note.style.cssText =
    "position:fixed;inset:auto auto 8px 8px;max-width:200px;z-index:1000000;padding:0.5rem 1rem;border-radius:8px;background:#8a1c1c;color:#fff;font:600 0.875rem sans-serif";
  document.body.append(note);
}

export default mounting((parent) => new LabelKeys(parent));
