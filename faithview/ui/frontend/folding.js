// Long texts: how much of one is drawn, and where it is cut.

import { el } from "./drawing.js";

/** @import { Part } from "./payloads.js" */
/** @typedef {(part: Part) => Node} Draw */

const AROUND = 180; // characters kept on each side of evidence
const LEAD = 260; // characters kept of a chunk without evidence
const NOT_WORTH_A_GAP = 60;

/**
 * The element that holds a text. A direction for each line takes seconds on a long text, so only a text with
 * right-to-left writing gets one.
 *
 * @param {{ text: string }[]} parts
 */
export function reading(parts) {
  const isMixed = parts.some(({ text }) =>
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/.test(text)
  );
  return el("div", isMixed ? "reading mixed" : "reading", { dir: "auto" });
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
export function action(text, onClick) {
  const button = el("button", "action", { type: "button" }, text);
  button.addEventListener("click", onClick);
  return button;
}

/**
 * The button that shows what is left out.
 *
 * @param {number} hidden
 * @param {string} what "characters" or "claims"
 * @param {() => void} onClick
 */
export function showAll(hidden, what, onClick) {
  return action(`Show all (${hidden.toLocaleString("en")} more ${what})`, onClick);
}

/**
 * A text that is drawn whole, or folded to its marks, and the button that opens or folds it.
 *
 * @param {Part[]} parts
 * @param {object} how
 * @param {Draw} how.draw
 * @param {boolean} how.isShort whether it is too short to fold
 * @param {boolean} how.isOpen whether the person has opened it
 * @param {(isOpen: boolean) => void} how.onToggle
 * @param {number} [how.around] characters kept on each side of a mark
 * @returns {[HTMLElement, HTMLElement | null]}
 */
export function foldable(parts, { draw, isShort, isOpen, onToggle, around }) {
  const text = reading(parts);
  if (isShort || isOpen) {
    text.append(...parts.map(draw));
    return [text, isOpen ? action("Fold", () => onToggle(false)) : null];
  }
  const hidden = folded(text, parts, draw, around);
  return [text, hidden ? showAll(hidden, "characters", () => onToggle(true)) : null];
}

/** @type {(parts: Part[]) => number} */
export const lengthOf = (parts) => parts.reduce((sum, part) => sum + part.text.length, 0);

/**
 * Draws parts until the limit of characters; returns how many are left out.
 *
 * @param {HTMLElement} target
 * @param {Part[]} parts
 * @param {number} limit
 * @param {Draw} draw
 */
export function fillUpTo(target, parts, limit, draw) {
  const fragment = document.createDocumentFragment();
  let room = limit;
  let left = 0;
  for (const part of parts) {
    const fits = room <= 0 ? "" : part.text.length <= room ? part.text : head(part.text, room);
    if (fits) fragment.append(draw({ ...part, text: fits }));
    room -= part.text.length;
    left += part.text.length - fits.length;
  }
  if (left) fragment.append(document.createTextNode(" \u2026"));
  target.append(fragment);
  return left;
}

/**
 * Draws the evidence with the text around it, or the beginning where there is none; returns how many characters it hides.
 *
 * @param {HTMLElement} target
 * @param {Part[]} parts
 * @param {Draw} draw
 * @param {number} [around]
 */
export function folded(target, parts, draw, around = AROUND) {
  const fragment = document.createDocumentFragment();
  let hidden = 0;
  const isMarked = parts.some((part) => part.marks.length);
  parts.forEach((part, at) => {
    if (part.marks.length) {
      fragment.append(draw(part));
      return;
    }
    const before = at > 0 ? head(part.text, around) : isMarked ? "" : head(part.text, LEAD);
    const after = at < parts.length - 1 ? tail(part.text, around) : "";
    const cut = part.text.length - before.length - after.length;
    if (cut < NOT_WORTH_A_GAP) {
      fragment.append(draw(part));
      return;
    }
    hidden += cut;
    const gap = `${before ? " " : ""}\u2026 `;
    fragment.append(draw({ ...part, text: before }), el("span", "gap", {}, gap), draw({ ...part, text: after }));
  });
  target.replaceChildren(fragment);
  return hidden;
}

/**
 * The beginning of a text. It is cut between words where possible, and never inside a surrogate pair.
 *
 * @param {string} text
 * @param {number} length
 */
export function head(text, length) {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  const at = space > length - 40 && space > 0 ? space : length;
  return text.slice(0, isInside(text, at) ? at - 1 : at);
}

/**
 * The end of a text, cut in the same way.
 *
 * @param {string} text
 * @param {number} length
 */
export function tail(text, length) {
  if (text.length <= length) return text;
  const from = text.length - length;
  const space = text.indexOf(" ", from);
  const at = space >= 0 && space < from + 40 ? space + 1 : from;
  return text.slice(isInside(text, at) ? at + 1 : at);
}

/**
 * @param {string} text
 * @param {number} at
 */
function isInside(text, at) {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
