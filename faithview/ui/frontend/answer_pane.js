// The question and the answer, with the place of every claim.

import { el, find } from "./drawing.js";
import { fillUpTo, reading, showAll } from "./folding.js";
import { describing, drawPart, heading } from "./marks.js";

/** @import { AnswerPayload } from "./payloads.js" */

const ANSWER_LIMIT = 20000; // characters drawn before "show all": more takes the browser noticeably long

export class AnswerPane {
  /** @param {() => void} onDrawn */
  constructor(onDrawn) {
    this.root = el("div", "pane answer");
    this.onDrawn = onDrawn;
    this.limit = ANSWER_LIMIT;
    this.redraw = () => {};
  }

  /**
   * Another answer: it begins with as much as is drawn at once.
   *
   * @param {AnswerPayload} payload
   * @param {boolean} isSingle
   */
  open(payload, isSingle) {
    this.limit = ANSWER_LIMIT;
    this.draw(payload, isSingle);
  }

  /**
   * @param {AnswerPayload} payload
   * @param {boolean} isSingle
   */
  draw(payload, isSingle) {
    this.redraw = () => this.draw(payload, isSingle);
    this.payload = payload;
    const { question, answer } = payload;
    const text = reading(answer);
    const describe = describing(payload, isSingle);
    const numbered = isSingle ? null : new Set();
    const left = fillUpTo(text, answer, this.limit, (part) => drawPart(part, describe, numbered));
    this.root.replaceChildren(
      ...(question ? [heading("Question"), el("div", "question", { dir: "auto" }, question)] : []),
      heading("Answer"),
      text,
    );
    if (left) this.root.append(showAll(left, "characters", () => this.showAll()));
  }

  showAll() {
    this.limit = Infinity;
    this.redraw();
    this.onDrawn();
  }

  /**
   * Draws the words of a claim that "show all" still hides.
   *
   * @param {number} number
   */
  reveal(number) {
    const isHidden = this.limit !== Infinity && !find(this.root, `[data-claim="${number}"]`);
    if (isHidden && this.payload?.claims[number - 1].is_anchored) this.showAll();
  }

  /** @param {number} number */
  mark(number) {
    return find(this.root, `.mark[data-claim="${number}"]`);
  }
}
