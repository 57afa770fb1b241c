// One answer beside its chunks: claim, place in the answer and evidence are linked both ways.

import { AnswerPane } from "./answer_pane.js";
import { ChunkPane } from "./chunk_pane.js";
import { ClaimPane } from "./claim_pane.js";
import { ClaimsView } from "./claims_view.js";
import { el, findAll, shown } from "./drawing.js";
import { clamped, isTaken, pressPageKey, restBehindDialog, sourceOf, takesArrows } from "./keys.js";
import { claimsAt } from "./marks.js";
import { mounting } from "./mounting.js";
import { bringBoxIntoView, bringIntoView, bringToThird, scrollPane } from "./scrolling.js";
import { WindowHeight } from "./window_height.js";

/** @import { AnswerData, AnswerPayload, Place, ViewData } from "./payloads.js" */
/** @import { Setter } from "./mounting.js" */

const HOVER_REST = 140; // ms the pointer rests before the other panes scroll, so crossing the text moves nothing

/** @type {Set<AnswerView>} */
const onPage = new Set();

/** @extends {ClaimsView<AnswerPayload>} */
class AnswerView extends ClaimsView {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    super(parent, { rest: 350, notThere: "the next answer was not on screen yet" });
    this.isSingle = false; // one claim alone, always selected, chunks whole
    /** @type {Record<string, string>} */
    this.pageKeys = {};
    /** @type {(string | null)[]} */
    this.marks = []; // of the claims, for label keys
    /** @type {Record<string, string> | null} */
    /** @type {[Element, number][] | null} */
    this.topsBefore = null; // where the panes stood before the pointer made them scroll
    this.isFollowing = false; // until the person scrolls, the panes stay at the selected claim whatever changes size
    this.pointer = [-1, -1];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.hoverTimer = undefined;
    this.answerPane = new AnswerPane(() => this.light());
    this.claimPane = new ClaimPane(() => this.light());
    this.chunkPane = new ChunkPane(() => this.light());
    const name = { tabindex: "0", role: "region", "aria-label": "Answer and claims" };
    this.left = el("div", "column left", name, this.answerPane.root, this.claimPane.root);
    this.opening = el("div", "opening", { role: "status" });
    const right = el("div", "column right", {}, this.chunkPane.root);
    this.root.append(this.opening, el("div", "columns", {}, this.left, right));
    this.sizes = new ResizeObserver(() => this.keepInView());
    this.windowHeight = new WindowHeight(this.root);
    onPage.add(this);
    this.hear(document, "keydown", (event) => this.keyedOnPage(/** @type {KeyboardEvent} */ (event)));
    this.hear(document, "keydown", (event) => restBehindDialog(/** @type {KeyboardEvent} */ (event)), {
      capture: true,
    });
    for (const kind of ["wheel", "touchmove", "pointerdown"]) {
      this.hear(this.root, kind, () => this.letGo(), { passive: true });
    }
  }

  /** @override */
  destroy() {
    clearTimeout(this.hoverTimer);
    this.sizes.disconnect();
    this.windowHeight.stop();
    onPage.delete(this);
    super.destroy();
  }

  /**
   * @override
   * @param {ViewData<AnswerPayload> & AnswerData} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    this.isSingle = data.is_single ?? false;
    this.pageKeys = data.page_keys ?? {};
    this.marks = data.marks ?? [];
    if (data.height === null) this.windowHeight.follow();
    else this.root.style.height = `${data.height}px`;
    super.update(data, setStateValue);
    this.reporter.hearSteps(setStateValue, data.subject);
  }

  /** @override */
  open() {
    this.topsBefore = null;
    this.answerPane.open(this.payload, this.isSingle);
    this.claimPane.open(this.payload, this.styles, this.isSingle);
    this.chunkPane.open(this.payload, this.isSingle);
    for (const pane of [this.root, this.left, this.chunkPane.root]) pane.scrollTop = 0;
    this.watchSizes();
  }

  /** @override */
  draw() {
    this.answerPane.draw(this.payload, this.isSingle);
    this.claimPane.draw(this.payload, this.styles, this.isSingle);
    this.chunkPane.draw(this.payload, this.isSingle);
  }

  /** @override */
  noteScrolling() {
    const tops = [this.left, this.chunkPane.root].map((pane) => ({ pane, top: pane.scrollTop }));
    return () => {
      for (const { pane, top } of tops) pane.scrollTop = top;
      this.watchSizes(); // they were on their way to the claim, perhaps
    };
  }

  // A user who stepped through the last answer's claims by key continues with this one's.
  /** @override */
  keepFocus() {
    const entry = this.selected?.number ?? this.claimPane.order()[0];
    (this.option(entry) ?? this.left).focus({ preventScroll: true });
  }

  // Fonts that load late, a view that is shown late and chunks that are laid out late move everything.
  watchSizes() {
    this.sizes.disconnect();
    for (const one of [this.root, ...findAll(this.root, ".answer .reading, .list, .chunk")]) this.sizes.observe(one);
  }

  // ---- the list of answers, and label keys

  // Until the answer that the list marks is here, this says which one is on its way and greys the old one out.
  /** @override */
  followRow() {
    const { faithviewTitle = "" } = document.documentElement.dataset;
    this.opening.textContent = this.isListed() ? "" : shown(`Opening: ${faithviewTitle}`);
    super.followRow();
  }

  /**
   * @override
   * @param {Place} place
   */
  markOf({ number }) {
    return this.marks[number - 1] ?? null;
  }

  /**
   * @override
   * @param {Place} place
   */
  wordsOf(place) {
    return this.isSingle ? "" : super.wordsOf(place);
  }

  // ---- choosing

  /**
   * @override
   * @param {Place | null} place
   * @param {{ isReported?: boolean, isFocused?: boolean }} [how]
   */
  select(place, how) {
    this.isFollowing = place !== null;
    this.topsBefore = null;
    clearTimeout(this.hoverTimer);
    super.select(place, how);
  }

  /**
   * @override
   * @param {number} number
   */
  reveal(number) {
    this.answerPane.reveal(number);
    this.claimPane.reveal(number);
  }

  /** @override */
  markSelected() {
    this.claimPane.select(this.selected?.number ?? null);
  }

  /**
   * @override
   * @param {number} number
   */
  lightChunks(number) {
    this.chunkPane.light(number);
  }

  /**
   * @override
   * @param {number | null} number
   * @param {Element | null} [from]
   */
  pointAt(number, from = null) {
    if (number === this.pointedAt) return;
    super.pointAt(number);
    clearTimeout(this.hoverTimer);
    this.hoverTimer = setTimeout(() => (number === null ? this.goBack() : this.look(number, from)), HOVER_REST);
  }

  /**
   * Scrolls to the claim under the pointer.
   *
   * @param {number} number
   * @param {Element | null} from
   */
  look(number, from) {
    this.topsBefore ??= this.scrollers().map((pane) => [pane, pane.scrollTop]);
    this.bring(number, from);
  }

  // The pointer has left: the panes that it moved go back to where they stood.
  goBack() {
    const before = this.topsBefore ?? [];
    this.topsBefore = null;
    if (this.isFollowing && this.selected) this.bring(this.selected.number);
    else for (const [pane, top] of before) scrollPane(pane, top - pane.scrollTop);
  }

  // The person scrolls: nothing is moved any more until they choose a claim.
  letGo() {
    this.isFollowing = false;
    this.topsBefore = null;
  }

  keepInView() {
    if (this.isFollowing && this.selected && this.pointedAt === null) this.bring(this.selected.number, null, true);
  }

  /**
   * Scrolls every pane, except the one under the pointer, to the claim. Where the columns are stacked, that is the claim
   * in the answer: its evidence would push it out of view.
   *
   * @override
   * @param {number} number
   * @param {Element | null} [except]
   * @param {boolean} [isAtOnce]
   */
  bring(number, except = null, isAtOnce = false) {
    const left = this.scrollerOf(this.left);
    const option = this.option(number);
    if (left !== except) {
      bringTogether(left, this.answerPane.mark(number), option?.offsetParent ? option : null, isAtOnce);
    }
    const right = this.scrollerOf(this.chunkPane.root);
    const place = this.chunkPane.place(number);
    if (place && right !== left && right !== except) bringToThird(right, place, isAtOnce);
  }

  /**
   * Where the columns are stacked, the whole view scrolls in place of its panes.
   *
   * @param {Element} pane
   * @returns {Element}
   */
  scrollerOf(pane) {
    return getComputedStyle(pane).overflowY === "visible" ? this.root : pane;
  }

  scrollers() {
    return [...new Set([this.left, this.chunkPane.root].map((pane) => this.scrollerOf(pane)))];
  }

  // ---- mouse and keyboard

  /**
   * @override
   * @param {MouseEvent} event
   */
  pointed(event) {
    // A pane that scrolls under a resting pointer must not select anything.
    if (event.screenX === this.pointer[0] && event.screenY === this.pointer[1]) return;
    this.pointer = [event.screenX, event.screenY];
    /** @type {HTMLElement | null} */
    const holder = sourceOf(event).closest("[data-claim]");
    const pane = holder?.closest(".left, .chunks");
    if (!holder || !pane) {
      this.pointAt(null);
      return;
    }
    const candidates = claimsAt(holder);
    const selected = this.selected?.number;
    const number = selected !== undefined && candidates.includes(selected) ? selected : candidates[0];
    this.pointAt(number, this.scrollerOf(pane));
  }

  /**
   * @override
   * @param {HTMLElement} target
   */
  clicked(target) {
    if (target.closest("button, summary")) return;
    /** @type {HTMLElement | null} */
    const holder = target.closest("[data-claim]");
    if (!holder) return;
    if (String(window.getSelection() ?? "") && holder.closest(".reading")) return; // someone is copying text
    // Where several claims share the same words, each click selects the next of them.
    const candidates = claimsAt(holder);
    const at = candidates.indexOf(this.selected?.number ?? 0);
    this.select({ number: candidates[(at + 1) % candidates.length] }, { isFocused: true });
    /** @type {HTMLElement | null} */
    const id = target.closest(".ids .id");
    const article = id && this.chunkPane.articles.get(id.dataset.chunk ?? "");
    if (article) bringIntoView(this.scrollerOf(this.chunkPane.root), article);
  }

  /**
   * @override
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    if (["PageUp", "PageDown", " ", "Enter"].includes(event.key)) this.letGo(); // they scroll or unfold
    if (isTaken(event) || sourceOf(event).closest("button, summary, details")) return;
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
    const order = this.claimPane.order();
    if (steps[event.key] && order.length) this.step(steps[event.key]);
    else if (event.key === "Home" && order.length) this.select({ number: order[0] }, { isFocused: true });
    else if (event.key === "End" && order.length) {
      this.select({ number: order[order.length - 1] }, { isFocused: true });
    } else if (event.key === "Escape" && this.selected !== null && !this.isSingle) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * With the only view on the page, left and right step through its claims, wherever the focus is; controls that take
   * them themselves keep them. Up and down are left to scrolling and to the list.
   *
   * @param {KeyboardEvent} event
   */
  keyedOnPage(event) {
    if (pressPageKey(event, this.pageKeys)) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || onPage.size !== 1 || !this.payload.claims.length || isTaken(event)) return;
    if (takesArrows(sourceOf(event))) return;
    event.preventDefault();
    if (this.isListed()) this.step(step);
  }

  /**
   * The next claim in the order of the list.
   *
   * @param {number} by
   */
  step(by) {
    const order = this.claimPane.order();
    const at = order.indexOf(this.selected?.number ?? 0);
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : clamped(at + by, order.length);
    this.select({ number: order[next] }, { isFocused: true });
  }
}

/**
 * Scrolls a pane so that the words of a claim and its line in the list are both visible; if both do not fit, only the line.
 *
 * @param {Element} pane
 * @param {HTMLElement | null} words
 * @param {HTMLElement | null} option
 * @param {boolean} isAtOnce
 */
function bringTogether(pane, words, option, isAtOnce) {
  if (!option) {
    if (words) bringIntoView(pane, words, 24, isAtOnce);
    return;
  }
  const [outer, from, to] = [pane, words ?? option, option].map((one) => one.getBoundingClientRect());
  const both = { top: Math.min(from.top, to.top), bottom: Math.max(from.bottom, to.bottom) };
  const fits = both.bottom - both.top + 48 <= outer.height;
  bringBoxIntoView(pane, fits ? both : to, fits ? 24 : 6, isAtOnce);
}

export default mounting((parent) => new AnswerView(parent));
