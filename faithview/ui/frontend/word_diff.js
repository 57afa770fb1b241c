// Two versions of a text in one: removed words struck out, added words underlined, long unchanged stretches folded.

import { el } from "./drawing.js";
import { foldable } from "./folding.js";
import { changedParts, drawPiece } from "./marks.js";
import { mounting } from "./mounting.js";

/** @import { Diff, Part } from "./payloads.js" */
/** @typedef {Diff & { subject: string, title: string }} Data */

const NEAR = 80; // characters kept on each side of a change

class WordDiff {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "diff");
    this.subject = "";
    parent.append(this.root);
  }

  destroy() {
    this.root.remove();
  }

  /** @param {Data} data */
  update(data) {
    if (data.subject === this.subject) return;
    this.subject = data.subject;
    this.draw(data, false);
  }

  /**
   * @param {Data} data
   * @param {boolean} isOpen
   */
  draw(data, isOpen) {
    const { title, words, parts } = data;
    const [text, toggle] = foldable(changedParts(parts), {
      draw: drawPiece,
      isShort: false,
      isOpen,
      around: NEAR,
      onToggle: (opens) => this.draw(data, opens),
    });
    const key = [
      title ? el("bdi", "title", {}, title) : null,
      el("span", "", {}, words),
      parts.some((part) => part.kind === "removed") ? el("del", "removed", {}, "before") : null,
      parts.some((part) => part.kind === "added") ? el("ins", "added", {}, "now") : null,
    ];
    this.root.replaceChildren(el("div", "key", {}, key), text, toggle ?? "");
  }
}

export default mounting((parent) => new WordDiff(parent));
