// Two versions of an answer side by side. A mark's line and number tell its verdict, also without colour.

import { dress, el, icon, shown } from "./drawing.js";
import { reading } from "./folding.js";
import { mounting } from "./mounting.js";

/** @import { Styles } from "./payloads.js" */

/**
 * @typedef {object} VersionPart
 * @property {string} text
 * @property {"" | "removed" | "added"} change
 * @property {string} verdict
 * @property {number[]} numbers
 * @property {string} words
 * @typedef {{ title: string, note: string, parts: VersionPart[] }} Version
 */

class BeforeAfter {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "versions");
    this.subject = "";
    parent.append(this.root);
  }

  destroy() {
    this.root.remove();
  }

  /** @param {{ subject: string, styles: Styles, sides: Version[] }} data */
  update({ subject, styles, sides }) {
    dress(this.root, styles);
    if (subject === this.subject) return;
    this.subject = subject;
    this.root.replaceChildren(...sides.map((side) => drawVersion(side, styles)));
    this.root.dataset.sides = String(sides.length);
  }
}

/**
 * @param {Version} version
 * @param {Styles} styles
 */
function drawVersion({ title, note, parts }, styles) {
  const text = reading(parts);
  text.append(...parts.map((part) => drawPart(part, styles)));
  const name = el("div", "title", { role: "heading", "aria-level": "2" }, title);
  const head = el("div", "head", {}, name, el("div", "note", {}, note));
  return el("section", "version", { "aria-label": title }, head, text);
}

/**
 * @param {VersionPart} part
 * @param {Styles} styles
 */
function drawPart({ text, change, verdict, numbers, words }, styles) {
  const node = change
    ? el(change === "removed" ? "del" : "ins", change, {}, text)
    : document.createTextNode(shown(text));
  if (!verdict) return node;
  const number = numbers.length
    ? el("span", "number", { "aria-hidden": "true" }, icon(styles[verdict]), numbers.join(" "))
    : null;
  return el("mark", "problem", { "data-verdict": verdict, "aria-description": words, title: words }, number, node);
}

export default mounting((parent) => new BeforeAfter(parent));
