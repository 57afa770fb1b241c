// Claims in texts, one of them chosen: what the layouts of one answer (answer_view.js) and of two (pair_view.js) share.
// A layout draws the payload and says where a claim is in it.

import { dress, el, findAll, focusedBeside } from "./drawing.js";
import { sourceOf } from "./keys.js";
import { Reporter } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */
/** @import { Place, Styles, ViewData } from "./payloads.js" */
/** @typedef {{ mark: string | null, words: string, refusal: string | null }} Asked what label keys ask a view */

/** @template {{ claims: { number: number }[] }} Payload */
export class ClaimsView {
  /**
   * @param {HTMLElement} parent
   * @param {object} layout
   * @param {number} layout.rest ms that steps by key rest before they are reported
   * @param {string} layout.notThere why keys are refused while another row of the page's list is marked
   */
  constructor(parent, { rest, notThere }) {
    this.root = el("div", "view");
    this.notThere = notThere;
    this.reporter = new Reporter(rest);
    /** @type {Place | null} */
    this.selected = null;
    /** @type {number | null} */
    this.pointedAt = null;
    /** @type {string | null} */
    this.row = null; // of the list on the page
    this.subject = "";
    /** @type {string | undefined} */
    this.revision = undefined;
    /** @type {Styles} */
    this.styles = {};
    /** @type {Payload} */
    this.payload = /** @type {any} */ (undefined);
    /** @type {Setter} */
    this.setStateValue = () => {};
    this.leaving = new AbortController();
    parent.append(this.root);
    this.hear(document, "faithview:mark", (event) => this.sayMark(/** @type {CustomEvent<Asked>} */ (event).detail));
    this.hear(document, "faithview:busy", (event) => {
      this.root.classList.toggle("waiting", /** @type {CustomEvent<{ isBusy: boolean }>} */ (event).detail.isBusy);
    });
    this.hear(document, "faithview:row", () => this.followRow());
    this.hear(this.root, "click", (event) => this.clicked(sourceOf(event)));
    this.hear(this.root, "keydown", (event) => this.keyed(/** @type {KeyboardEvent} */ (event)));
    this.hear(this.root, "mouseover", (event) => this.pointed(/** @type {MouseEvent} */ (event)));
    this.hear(this.root, "mouseleave", () => this.pointAt(null));
  }

  /**
   * @param {EventTarget} target
   * @param {string} kind
   * @param {(event: Event) => void} handle
   * @param {AddEventListenerOptions} [options]
   */
  hear(target, kind, handle, options = {}) {
    target.addEventListener(kind, handle, { ...options, signal: this.leaving.signal });
  }

  destroy() {
    this.leaving.abort();
    this.reporter.stop();
    this.root.remove();
  }

  /**
   * @param {ViewData<Payload>} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.row = data.row ?? null;
    this.styles = data.styles;
    dress(this.root, data.styles);
    if (data.subject !== this.subject) this.enter(data);
    else {
      if (data.revision !== this.revision) this.redraw(data);
      // Otherwise the person has made a newer choice, which Python will receive.
      if (data.turn >= this.reporter.turn && !isSame(data.selected, this.selected)) {
        this.select(data.selected, { isReported: false });
      }
      this.reporter.follow(data.turn);
    }
    this.followRow();
  }

  /**
   * Other texts than before.
   *
   * @param {ViewData<Payload>} data
   */
  enter(data) {
    const hadFocus = this.hasFocus();
    this.subject = data.subject;
    this.revision = data.revision;
    this.payload = data.payload;
    this.selected = this.pointedAt = null;
    this.open();
    this.reporter.follow(data.turn);
    this.select(data.selected, { isReported: false });
    if (hadFocus) this.keepFocus();
  }

  /**
   * The same texts with other labels or verdicts: the person stays where they are, on the same claim.
   *
   * @param {ViewData<Payload>} data
   */
  redraw(data) {
    const { selected } = this;
    const focused = /** @type {HTMLElement | null | undefined} */ (focusedBeside(this.root)?.closest(".claim"));
    const number = focused && this.root.contains(focused) ? Number(focused.dataset.claim) : null;
    const putBack = this.noteScrolling();
    this.revision = data.revision;
    this.payload = data.payload;
    this.draw();
    this.selected = selected && this.findAgain(selected);
    if (this.selected) this.reveal(this.selected.number);
    this.light();
    putBack();
    const isChosen = number !== null && number === selected?.number && this.selected;
    if (number !== null) this.option(isChosen ? isChosen.number : number)?.focus({ preventScroll: true });
    if (!isSame(selected, this.selected)) sayMoved();
  }

  hasFocus() {
    return this.root.contains(focusedBeside(this.root));
  }

  // ---- the list on the page, and label keys

  // Whether the list on the page, where there is one, marks what is drawn here.
  isListed() {
    const listed = document.documentElement.dataset.faithviewRow;
    return this.row === null || listed === undefined || listed === this.row;
  }

  followRow() {
    this.root.classList.toggle("leaving", !this.isListed());
    sayMoved();
  }

  /**
   * Says which claim is marked at this moment; nothing if none is, and the page then says how to select one.
   *
   * @param {Asked} asked
   */
  sayMark(asked) {
    if (!this.isListed()) asked.refusal = this.notThere;
    else if (this.selected !== null) {
      asked.mark = this.markOf(this.selected);
      asked.words = this.wordsOf(this.selected);
      asked.refusal = asked.mark === null ? "this claim cannot be labelled here" : null;
    }
  }

  // ---- choosing

  /**
   * @param {Place | null} place
   * @param {{ isReported?: boolean, isFocused?: boolean }} [how]
   */
  select(place, { isReported = true, isFocused = false } = {}) {
    const isNew = !isSame(place, this.selected);
    this.selected = place;
    this.pointedAt = null;
    if (place) this.reveal(place.number);
    this.light();
    if (place) this.bring(place.number);
    if (place && isFocused) this.option(place.number)?.focus({ preventScroll: true });
    if (isNew && isReported) this.reporter.report(this.setStateValue, this.subject, place && this.reported(place));
    if (isNew) sayMoved();
  }

  // Highlights everything of the claim under the pointer, else of the selected claim.
  light() {
    const number = this.pointedAt ?? this.selected?.number ?? null;
    for (const lit of findAll(this.root, ".lit")) lit.classList.remove("lit");
    this.markSelected();
    if (number === null) return;
    for (const one of findAll(this.root, `[data-claim="${number}"]`)) one.classList.add("lit");
    this.lightChunks(number);
  }

  /**
   * @param {number | null} number
   * @param {Element | null} [_from] the pane under the pointer
   */
  pointAt(number, _from = null) {
    if (number === this.pointedAt) return;
    this.pointedAt = number;
    this.light();
  }

  /**
   * @param {number} number
   * @returns {HTMLElement | null} The claim's line in the list.
   */
  option(number) {
    return this.root.querySelector(`.claim[data-claim="${number}"]`);
  }

  // ---- what a layout does

  // Draws other texts than before, from their beginning.
  open() {}

  // Redraws the texts.
  draw() {}

  /** @type {() => () => void} Returns what puts the panes back to where they are now. */
  noteScrolling() {
    return () => {};
  }

  // Another answer was opened while the focus was in this view.
  keepFocus() {}

  /**
   * @param {Place} place
   * @returns {Place | null} The same claim, after its texts were redrawn.
   */
  findAgain({ number }) {
    return number <= this.payload.claims.length ? { number } : null;
  }

  /** @type {(place: Place) => string | null} What label keys send for a claim; null where it cannot be labelled. */
  markOf(_place) {
    return null;
  }

  /** @type {(place: Place) => string} What label keys call a claim. */
  wordsOf({ number }) {
    return `Claim ${number}`;
  }

  /** @type {(place: Place) => number | string} What Python is told of a choice. */
  reported({ number }) {
    return number;
  }

  /** @type {(number: number) => void} Draws what is still folded of a claim. */
  reveal(_number) {}

  /** @type {(number: number) => void} Scrolls to a claim. */
  bring(_number) {}

  // Marks the selected claim in the list.
  markSelected() {}

  /** @type {(number: number) => void} */
  lightChunks(_number) {}

  /** @type {(target: HTMLElement) => void} */
  clicked(_target) {}

  /** @type {(event: KeyboardEvent) => void} */
  keyed(_event) {}

  /** @type {(event: MouseEvent) => void} */
  pointed(_event) {}
}

/** @type {(one: Place | null, other: Place | null) => boolean} */
export function isSame(one, other) {
  return one?.side === other?.side && one?.at === other?.at && one?.number === other?.number;
}

/**
 * Marks one option of a list as selected; the list can be entered with the Tab key at the selected one, else at its first.
 *
 * @param {HTMLElement[]} options
 * @param {number | null} number
 */
export function markOption(options, number) {
  const entry = options.find((option) => Number(option.dataset.claim) === number) ?? options[0];
  for (const option of options) {
    option.setAttribute("aria-selected", String(Number(option.dataset.claim) === number));
    option.tabIndex = option === entry ? 0 : -1;
  }
}

function sayMoved() {
  document.dispatchEvent(new CustomEvent("faithview:moved"));
}
