// A passage of a document before and after an update, side by side. What differs is marked by a line, also without colour.

import { el } from "./drawing.js";
import { foldable } from "./folding.js";
import { changedParts, drawPiece } from "./marks.js";

/**
 * @typedef {object} Passage
 * @property {string} title
 * @property {string} name
 * @property {string} note
 * @property {{ kind: string, text: string }[]} parts
 * @typedef {{ sides: Passage[] }} Passages
 */

const NEAR = 120; // characters kept on each side of what is marked
const SHORT = 640; // characters of a text that is drawn whole

/** @param {Passages} passages */
export function drawPassages({ sides }) {
  return el("div", "passages", {}, ...sides.map((side) => drawPassage(side, false)));
}

/**
 * @param {Passage} passage
 * @param {boolean} isOpen
 * @returns {HTMLElement}
 */
function drawPassage(passage, isOpen) {
  const { title, name, note, parts } = passage;
  const head = el(
    "div",
    "passage-head",
    {},
    el("span", "passage-title", {}, title),
    name ? el("bdi", "passage-name", {}, name) : null,
    note ? el("bdi", "", {}, note) : null,
  );
  const length = parts.reduce((sum, part) => sum + part.text.length, 0);
  /** @type {HTMLElement} */
  const side = el("div", "passage", {}, head);
  if (!length) return side;
  const [text, toggle] = foldable(changedParts(parts), {
    draw: drawPiece,
    isShort: length <= SHORT,
    isOpen,
    around: NEAR,
    onToggle: (opens) => side.replaceWith(drawPassage(passage, opens)),
  });
  side.append(text, toggle ?? "");
  return side;
}
