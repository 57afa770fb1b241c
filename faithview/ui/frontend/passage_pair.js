// Two passages side by side, by themselves.

import { el } from "./drawing.js";
import { mounting } from "./mounting.js";
import { drawPassages } from "./passages.js";

/** @import { Passages } from "./passages.js" */

class PassagePair {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "pair-of-passages");
    this.subject = "";
    parent.append(this.root);
  }

  destroy() {
    this.root.remove();
  }

  /** @param {Passages & { subject: string }} data */
  update(data) {
    if (data.subject === this.subject) return;
    this.subject = data.subject;
    this.root.replaceChildren(drawPassages(data));
  }
}

export default mounting((parent) => new PassagePair(parent));
