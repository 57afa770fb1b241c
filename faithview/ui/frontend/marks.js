// Claims in texts: a part of a text with the marks of its claims, and the small parts that the views of answers share.

import { el, icon, shown } from "./drawing.js";

/** @import { AnswerPayload, Mark, Part, Style } from "./payloads.js" */

const MOST_LANES = 3;

/**
 * What a mark says of its claim: the verdict that it has the colour of, and words for screen readers.
 *
 * @typedef {(mark: Mark) => { verdict: string, description: string }} Describe
 */

/**
 * A part with its claims' marks: one element per claim, nested.
 *
 * @param {Part} part
 * @param {Describe} describe
 * @param {Set<number> | null} [numbered] the claims that have their number in this text already; null for a text
 *   without numbers
 * @returns {HTMLElement | Text}
 */
export function drawPart(part, describe, numbered = null) {
  /** @type {HTMLElement | Text} */
  let node = document.createTextNode(shown(part.text));
  if (part.role) node = el("span", part.role, { "data-indent": part.indent }, node);
  if (part.role === "syntax") return node; // it is not shown, so it has no mark that one could look for
  for (const one of [...part.marks].reverse()) {
    const { claim, lane, boxed, nearest } = one;
    const { verdict, description } = describe(one);
    const mark = el("span", `mark${boxed ? " boxed" : ""}${nearest ? " nearest" : ""}`, {
      role: "mark",
      "aria-description": description,
      "data-claim": claim,
      "data-verdict": verdict,
    }, node);
    mark.style.setProperty("--lane", String(Math.min(lane, MOST_LANES)));
    if (numbered && !numbered.has(claim)) {
      numbered.add(claim);
      if (nearest) mark.dataset.lead = "Nearest passage: ";
      else mark.dataset.number = String(claim);
    }
    node = mark;
  }
  if (part.more && "dataset" in node) {
    // Not a part of the text: neither copied with it nor counted by offsets into it.
    const many = part.more.toLocaleString("en");
    node.dataset.more = `+${many}`;
    node.setAttribute("title", `${many} more claims are about these words.`);
  }
  if (part.given) {
    const { verdict, words } = part.given;
    node = el("span", "given", { "data-verdict": verdict, title: `The data set: ${words}` }, node);
  }
  return node;
}

/**
 * What the marks of an answer and of its chunks say of their claims.
 *
 * @param {AnswerPayload} payload
 * @param {boolean} isSingle
 * @returns {Describe}
 */
export function describing({ claims }, isSingle) {
  return ({ claim, nearest }) => {
    const { verdict, words } = claims[claim - 1];
    if (nearest) return { verdict, description: `the nearest passage to claim ${claim}, which it does not support` };
    return { verdict, description: isSingle ? "the claim" : `claim ${claim}, ${words}` };
  };
}

/**
 * A piece of a word difference: words that were removed or added, or the same in both.
 *
 * @param {{ text: string, kind?: string }} piece
 */
export function drawPiece({ text, kind }) {
  if (kind !== "removed" && kind !== "added") return document.createTextNode(shown(text));
  return el(kind === "removed" ? "del" : "ins", kind, {}, text);
}

/**
 * The pieces of a word difference as parts of a text, so folding keeps the changes.
 *
 * @param {{ kind: string, text: string }[]} pieces
 * @returns {Part[]}
 */
export function changedParts(pieces) {
  return pieces.map((piece) => ({ ...piece, marks: piece.kind === "same" ? [] : [{ claim: 0, lane: 0 }] }));
}

/**
 * The claims of an element and of the marks around it, innermost first.
 *
 * @param {HTMLElement} holder
 */
export function claimsAt(holder) {
  const numbers = [];
  /** @type {HTMLElement | null | undefined} */
  let at = holder;
  for (; at; at = at.parentElement?.closest(".mark")) numbers.push(Number(at.dataset.claim));
  return [...new Set(numbers)];
}

/**
 * A verdict with its sign.
 *
 * @param {Style | undefined} style
 * @param {string} words
 */
export function drawVerdict(style, words) {
  const note = { title: style?.note || null };
  return el("span", "verdict", note, style ? icon(style) : null, el("span", "word", {}, words));
}

/**
 * @param {string} text
 * @param {import("./drawing.js").Child[]} rest
 */
export function heading(text, ...rest) {
  return el("div", "heading", { role: "heading", "aria-level": "2" }, text, ...rest);
}

/**
 * An id that starts with a digit needs the word "chunk" before it.
 *
 * @param {string[]} ids
 */
export function lead(ids) {
  if (!ids.length || !/^\d/.test(ids[0])) return null;
  return el("span", "aside", {}, ids.length === 1 ? "chunk" : "chunks");
}

/**
 * "1 claim", "1,200 chunks".
 *
 * @param {number} number
 * @param {string} noun
 */
export function plural(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/**
 * @param {number[]} numbers
 * @returns {string} "claim 1" or "claims 1, 2"
 */
export function claimsNamed(numbers) {
  return `${numbers.length === 1 ? "claim" : "claims"} ${numbers.join(", ")}`;
}
