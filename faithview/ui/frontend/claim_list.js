// A list of claims: a click or Enter opens one in its answer.

import { childrenOf, dress, el, focusedBeside, icon } from "./drawing.js";
import { clamped, isTaken, letterStep, movedTo, sourceOf } from "./keys.js";
import { mounting } from "./mounting.js";
import { bringIntoView } from "./scrolling.js";

/** @import { Setter } from "./mounting.js" */
/** @import { Styles } from "./payloads.js" */

/**
 * @typedef {{ chunk: string, text: string }} Quote
 * @typedef {object} Hit
 * @property {string} id
 * @property {string} verdict
 * @property {string} words
 * @property {string} text
 * @property {string} explanation
 * @property {string | null} question
 * @property {string} run
 * @property {Quote[]} quotes
 * @property {string} outcome
 * @property {HitSide[]} sides
 * @typedef {object} HitSide
 * @property {string} when
 * @property {string} verdict
 * @property {string} words
 * @property {string} text
 * @property {string} explanation
 * @property {Quote[]} quotes
 */

class ClaimList {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "hits", { role: "list", "aria-label": "Claims", "data-faithview-hits": "" });
    this.drawn = "";
    /** @type {Setter} */
    this.setTriggerValue = () => {};
    this.leaving = new AbortController();
    parent.append(this.root);
    this.root.addEventListener("click", (event) => {
      if (String(window.getSelection() ?? "")) return; // someone is copying text
      if (sourceOf(event).closest("button")) return; // a passage is unfolded
      this.open(sourceOf(event).closest(".hit"));
    });
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("keydown", (event) => this.keyedOnPage(event), { signal: this.leaving.signal });
  }

  destroy() {
    this.leaving.abort();
    this.root.remove();
  }

  /**
   * @param {{ hits: Hit[], height: number | null, styles: Styles }} data
   * @param {Setter} _setStateValue
   * @param {Setter} setTriggerValue
   */
  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    this.root.style.height = data.height === null ? "auto" : `${data.height}px`;
    // Its lower edge fades out, so that one sees that there is more.
    this.root.toggleAttribute("data-scrolls", data.height !== null);
    dress(this.root, data.styles);
    const hits = JSON.stringify(data.hits);
    if (hits === this.drawn) return;
    this.drawn = hits;
    this.root.replaceChildren(...data.hits.map((hit, at) => drawHit(hit, at, data.hits.length, data.styles)));
    this.root.scrollTop = 0;
  }

  /** @param {HTMLElement | null} hit */
  open(hit) {
    if (hit) this.setTriggerValue("opened", hit.dataset.id);
  }

  /** @param {number} at */
  goTo(at) {
    const hits = childrenOf(this.root);
    const hit = hits[clamped(at, hits.length)];
    if (!hit) return;
    for (const one of hits) one.tabIndex = one === hit ? 0 : -1;
    hit.focus({ preventScroll: true });
    bringIntoView(this.root, hit, 4);
  }

  /**
   * Up, down, Home and End move the focus; Enter and space open.
   *
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    /** @type {HTMLElement | null} */
    const hit = sourceOf(event).closest(".hit");
    if (!hit || isTaken(event) || sourceOf(event).closest("button")) return;
    const hits = childrenOf(this.root);
    const to = movedTo(event.key, hits.indexOf(hit), hits.length);
    if (to !== undefined) this.goTo(to);
    else if (event.key === "Enter" || event.key === " ") this.open(hit);
    else return;
    event.preventDefault();
  }

  /**
   * J and K go to the next and the previous claim from anywhere on the page.
   *
   * @param {KeyboardEvent} event
   */
  keyedOnPage(event) {
    const step = letterStep(event);
    const hits = childrenOf(this.root);
    if (!step || !hits.length || isTaken(event)) return;
    event.preventDefault();
    const focused = focusedBeside(this.root)?.closest(".hit");
    const at = hits.findIndex((hit) => hit === focused);
    this.goTo(at < 0 ? (step > 0 ? 0 : hits.length - 1) : at + step);
  }
}

/**
 * @param {Hit} hit
 * @param {number} at
 * @param {number} of
 * @param {Styles} styles
 */
function drawHit(hit, at, of, styles) {
  const place = {
    role: "listitem",
    tabindex: at ? "-1" : "0",
    "aria-posinset": at + 1,
    "aria-setsize": of,
    "data-id": hit.id,
    "data-verdict": hit.verdict,
  };
  const question = hit.question ? el("bdi", "question", {}, hit.question) : null;
  const from = el("div", "from", {}, question, el("bdi", "run", {}, hit.run));
  if (hit.outcome) {
    const outcome = el("div", "outcome", {}, el("b", "", {}, hit.outcome), from);
    const sides = hit.sides.map((side) => drawSide(side, styles));
    return el("div", "hit changed", place, outcome, ...sides);
  }
  return el(
    "div",
    "hit",
    place,
    el("div", "verdict", {}, icon(styles[hit.verdict]), hit.words),
    el(
      "div",
      "body",
      {},
      el("div", "said", { dir: "auto" }, hit.text),
      ...hit.quotes.map(drawQuote),
      hit.explanation ? el("div", "why", { dir: "auto" }, hit.explanation) : null,
      from,
    ),
  );
}

/**
 * A claim in one of two answers: when, its verdict, its words, and what its verdict rests on.
 *
 * @param {HitSide} side
 * @param {Styles} styles
 */
function drawSide(side, styles) {
  const sign = side.verdict ? icon(styles[side.verdict]) : null;
  return el(
    "div",
    "side",
    { "data-verdict": side.verdict || null },
    el("div", "verdict", {}, el("span", "when", {}, side.when), sign, side.words),
    el(
      "div",
      "body",
      {},
      side.text ? el("div", "said", { dir: "auto" }, side.text) : null,
      ...side.quotes.map(drawQuote),
      side.explanation ? el("div", "why", { dir: "auto" }, side.explanation) : null,
    ),
  );
}

/** @param {Quote} quote */
function drawQuote(quote) {
  return el("div", "quote", { dir: "auto" }, el("bdi", "chunk", {}, quote.chunk), el("q", "", {}, quote.text));
}

export default mounting((parent) => new ClaimList(parent));
