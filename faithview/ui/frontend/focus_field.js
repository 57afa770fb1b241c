// Puts the focus into a field of the page that has just appeared, once for each `turn`.

import { find } from "./drawing.js";
import { mounting } from "./mounting.js";

const TRIES = 40; // frames: Streamlit may draw the field after this component

class FocusField {
  constructor() {
    this.turn = "";
    this.frame = 0;
  }

  destroy() {
    cancelAnimationFrame(this.frame);
  }

  /** @param {{ selector: string, turn: string }} data */
  update({ selector, turn }) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.look(selector, TRIES);
  }

  /**
   * @param {string} selector
   * @param {number} left
   */
  look(selector, left) {
    cancelAnimationFrame(this.frame);
    const field = find(document, selector);
    if (field) field.focus();
    else if (left) this.frame = requestAnimationFrame(() => this.look(selector, left - 1));
  }
}

export default mounting(() => new FocusField());
