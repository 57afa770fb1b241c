// One claim next to the sentence of a chunk that speaks against it, with the words at fault boxed in both.

import { ClaimsView } from "./claims_view.js";
import { el } from "./drawing.js";
import { reading } from "./folding.js";
import { drawPart } from "./marks.js";
import { mounting } from "./mounting.js";

/** @import { CardPayload, CardSide, CardData, ViewData } from "./payloads.js" */
/** @import { Setter } from "./mounting.js" */

const MOST_TOGETHER = 24; // characters

/** @extends {ClaimsView<CardPayload>} */
class ClaimCard extends ClaimsView {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    super(parent, { rest: 0, notThere: "the next claim was not on screen yet" });
    this.root.classList.add("card");
    /** @type {string | null} */
    this.mark = null;
  }

  /**
   * @override
   * @param {ViewData<CardPayload> & CardData} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    this.mark = data.mark;
    super.update(data, setStateValue);
  }

  /** @override */
  open() {
    this.draw();
  }

  /** @override */
  draw() {
    const { answer, chunk, note } = this.payload;
    const against = chunk ? drawSide(chunk, "against", this.payload) : el("p", "against none", { dir: "auto" }, note);
    this.root.replaceChildren(el("div", "sides", {}, drawSide(answer, "says", this.payload), against));
  }

  /** @override */
  markOf() {
    return this.mark;
  }

  /** @override */
  wordsOf() {
    return "The claim";
  }
}

/**
 * @param {CardSide} side
 * @param {string} kind
 * @param {CardPayload} payload
 */
function drawSide({ heading, parts }, kind, { claims: [{ verdict, words }] }) {
  const text = reading(parts);
  text.append(...parts.map((part) => {
    const node = drawPart(part, () => ({ verdict, description: words }));
    // A box around two or three words is read as one, so it is not broken between lines.
    const isBox = part.marks.some((mark) => mark.boxed) && part.text.length <= MOST_TOGETHER;
    if (isBox && "style" in node) node.style.whiteSpace = "nowrap";
    return node;
  }));
  return el("div", kind, { "data-verdict": verdict }, el("div", "heading", { dir: "auto" }, heading), text);
}

export default mounting((parent) => new ClaimCard(parent));
