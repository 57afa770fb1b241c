// Long texts: how much of one is drawn, and where it is cut.

import { childrenOf, el } from "./drawing.js";

/** @import { Part } from "./payloads.js" */
/** @typedef {(part: Part) => Node} Draw */

const AROUND = 180; // characters kept on each side of evidence
const LEAD = 260; // characters kept of a chunk without evidence
const NOT_WORTH_A_GAP = 60;
const FIRST_ROWS = 3; // of a table in a chunk without evidence
const GAP = "gap";

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
    text.append(...drawAll(parts, draw));
    return [text, isOpen ? action("Fold", () => onToggle(false)) : null];
  }
  const hidden = folded(text, parts, draw, around);
  return [text, hidden ? showAll(hidden, "characters", () => onToggle(true)) : null];
}

/**
 * The parts in order, those of a table as a table. Its text stays as it is: what stands between cells is in them, hidden.
 *
 * @param {Part[]} parts
 * @param {Draw} draw
 * @returns {Node[]}
 */
export function drawAll(parts, draw) {
  /** @type {Node[]} */
  const nodes = [];
  /** @type {HTMLElement | null} */
  let table = null;
  let [row, column] = [-1, -1];
  for (const part of parts) {
    const node = draw(part);
    if (!part.cell) {
      table = null;
      nodes.push(node);
      continue;
    }
    const [toRow, toColumn] = part.cell;
    if (!table || toRow < row) {
      nodes.push(table = el("table", "table"));
      row = -1;
    }
    if (toRow !== row) table.append(el("tr"));
    const line = childrenOf(table)[table.children.length - 1];
    if (toRow !== row || toColumn !== column) line.append(el(toRow ? "td" : "th"));
    childrenOf(line)[line.children.length - 1].append(node);
    [row, column] = [toRow, toColumn];
  }
  return nodes;
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
  /** @type {Part[]} */
  const kept = [];
  let hidden = 0;
  const isMarked = parts.some((part) => part.marks.length);
  const rows = keptRows(parts, isMarked);
  parts.forEach((part, at) => {
    if (part.cell) {
      if (rows.has(part.cell[0])) kept.push(part);
      else hidden += part.text.length;
      return;
    }
    if (part.marks.length) {
      kept.push(part);
      return;
    }
    const before = at > 0 ? head(part.text, around) : isMarked ? "" : head(part.text, LEAD);
    const after = at < parts.length - 1 ? tail(part.text, around) : "";
    const cut = part.text.length - before.length - after.length;
    if (cut < NOT_WORTH_A_GAP) {
      kept.push(part);
      return;
    }
    hidden += cut;
    kept.push({ ...part, text: before }, { text: `${before ? " " : ""}… `, marks: [], kind: GAP }, {
      ...part,
      text: after,
    });
  });
  const drawKept = (/** @type {Part} */ part) => (part.kind === GAP ? el("span", "gap", {}, part.text) : draw(part));
  const fragment = document.createDocumentFragment();
  fragment.append(...drawAll(kept, drawKept));
  target.replaceChildren(fragment);
  return hidden;
}

/**
 * The rows of tables that are not folded away: heads, those with evidence, and the first where nothing is evidence.
 *
 * @param {Part[]} parts
 * @param {boolean} isMarked
 */
function keptRows(parts, isMarked) {
  const rows = new Set([0]);
  for (const { cell, marks } of parts) {
    if (cell && (isMarked ? marks.length : cell[0] <= FIRST_ROWS)) rows.add(cell[0]);
  }
  return rows;
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
