// Two versions of a text in one: removed words struck out, added words underlined, long unchanged stretches folded.

import { el } from "./drawing.js";
import { foldable } from "./folding.js";
import { changedParts, drawPiece } from "./marks.js";
import { mountingDrawn } from "./mounting.js";

/** @import { Diff, Part } from "./payloads.js" */
/** @typedef {Diff & { title: string }} Data */

const NEAR = 80; // characters kept on each side of a change

/**
 * @param {HTMLElement} root
 * @param {Data} data
 */
function draw(root, data, isOpen = false) {
  const { title, words, parts } = data;
  const [text, toggle] = foldable(changedParts(parts), {
    draw: drawPiece,
    isShort: false,
    isOpen,
    around: NEAR,
    onToggle: (opens) => draw(root, data, opens),
  });
  const key = [
    title ? el("bdi", "title", {}, title) : null,
    el("span", "", {}, words),
    parts.some((part) => part.kind === "removed") ? el("del", "removed", {}, "before") : null,
    parts.some((part) => part.kind === "added") ? el("ins", "added", {}, "now") : null,
  ];
  root.replaceChildren(el("div", "key", {}, key), text, toggle ?? "");
}

export default mountingDrawn("diff", draw);
