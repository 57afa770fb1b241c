// Two answers to one question: matched claims have one number, which lights up on both sides and in the chunks.

import { ClaimsView, markOption } from "./claims_view.js";
import { childrenOf, el, find, findAll } from "./drawing.js";
import { action, fillUpTo, foldable, lengthOf, reading, showAll } from "./folding.js";
import { isTaken, movedTo, sourceOf } from "./keys.js";
import { changedParts, claimsNamed, drawPart, drawPiece, drawVerdict, heading, plural } from "./marks.js";
import { mounting } from "./mounting.js";
import { bringIntoView } from "./scrolling.js";

/** @import { ChunkRow, ClaimRow, ClaimSide, Diff, PairPayload, Place, Side, ViewData } from "./payloads.js" */
/** @import { Setter } from "./mounting.js" */

const FOLD_FROM = 420; // a chunk up to this length is shown whole
const ANSWER_LIMIT = 6000; // characters drawn of an answer before "show all"

// Claims that did not move the score are folded away from this number on, where others did.
const FOLD_CLAIMS_FROM = 2;
// So are chunks that no claim cites and whose text is the same, where others are cited or edited.
const FOLD_CHUNKS_FROM = 2;
const MOST_IDS = 3; // chunks named in a claim's line

/**
 * A claim is selected on one side: label keys label it there.
 *
 * @extends {ClaimsView<PairPayload>}
 */
class PairView extends ClaimsView {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    super(parent, { rest: 250, notThere: "the next answers were not on screen yet" });
    this.root.classList.add("pair");
    this.root.dataset.faithviewPair = "";
    this.scrollToken = 0;
    this.isDiff = false;
    this.isUnfolded = false;
    this.areChunksUnfolded = false;
    /** @type {Set<number>} */
    this.opened = new Set(); // chunks shown whole
    this.limits = { before: ANSWER_LIMIT, after: ANSWER_LIMIT };
    this.answers = el("div", "answers");
    this.claimPane = el("section", "claims");
    this.chunkPane = el("section", "chunks");
    /** @type {HTMLElement | null} */
    this.list = null;
    /** @type {HTMLElement[]} */
    this.articles = [];
  }

  /**
   * @override
   * @param {ViewData<PairPayload> & { scroll_into_view_token: number }} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    super.update(data, setStateValue);
    if (data.scroll_into_view_token > this.scrollToken) {
      this.scrollToken = data.scroll_into_view_token;
      this.root.scrollIntoView({ block: "end", behavior: "smooth" });
    }
  }

  /** @override */
  open() {
    this.isDiff = false;
    this.isUnfolded = false;
    this.areChunksUnfolded = false;
    this.opened = new Set();
    this.draw();
    this.root.scrollTop = 0;
  }

  /** @override */
  draw() {
    const { question } = this.payload;
    this.limits = { before: ANSWER_LIMIT, after: ANSWER_LIMIT };
    this.drawAnswers();
    this.drawClaims();
    this.drawChunks();
    this.root.replaceChildren(
      question ? el("div", "question", { dir: "auto" }, question) : "",
      this.answers,
      this.claimPane,
      this.chunkPane,
    );
  }

  /** @override */
  noteScrolling() {
    const top = this.root.scrollTop;
    return () => {
      if (this.selected) this.bring(this.selected.number);
      this.root.scrollTop = top;
    };
  }

  // ---- label keys

  /**
   * @override
   * @param {Place} place
   */
  markOf({ number, side = "after" }) {
    return this.payload.claims[number - 1]?.[side]?.mark ?? null;
  }

  /**
   * @override
   * @param {Place} place
   */
  wordsOf({ number, side }) {
    return `Claim ${number} ${side === "after" ? "now" : "before"}`;
  }

  // ---- the answers

  drawAnswers() {
    const { diff } = this.payload;
    const toggle = diff
      ? action(this.isDiff ? "Show the claims" : "Show the word difference", () => {
        this.isDiff = !this.isDiff;
        this.redrawAnswers();
      })
      : el("span", "aside", {}, "The answers are the same.");
    const sides = diff && this.isDiff
      ? [el("div", "whole", {}, drawDiff(diff))]
      : [this.drawAnswer("before", "Before"), this.drawAnswer("after", "Now")];
    this.answers.replaceChildren(el("div", "sides", {}, sides), el("div", "below", {}, toggle));
  }

  redrawAnswers() {
    this.drawAnswers();
    this.light();
  }

  /**
   * @param {Side} side
   * @param {string} word
   */
  drawAnswer(side, word) {
    const { title, score, parts, sentence, error } = this.payload[side];
    const text = reading(parts);
    const left = fillUpTo(text, parts, this.limits[side], (part) =>
      drawPart(part, ({ claim }) => {
        const { verdict, verdict_words: words } = sideOf(this.payload.claims[claim - 1], side);
        return { verdict, description: `claim ${claim}, ${words}` };
      }));
    const open = () => {
      this.limits[side] = Infinity;
      this.redrawAnswers();
    };
    const name = { role: "region", "aria-label": `Answer, ${word}`, tabindex: "0", "data-side": side };
    return el(
      "div",
      "side",
      name,
      heading(word, el("span", "score", {}, score), el("bdi", "run", {}, title)),
      text,
      left ? showAll(left, "characters", open) : null,
      sentence ? el("p", "nothing", {}, sentence) : null,
      error ? el("p", "error", { dir: "auto" }, error) : null,
    );
  }

  // ---- the claims

  drawClaims() {
    const { claims } = this.payload;
    this.list = null;
    this.claimPane.replaceChildren();
    if (!claims.length) return;
    const moved = claims.filter((claim) => claim.effect);
    const still = claims.length - moved.length;
    const isFolded = moved.length > 0 && still >= FOLD_CLAIMS_FROM && !this.isUnfolded;
    const note = moved.length ? `${moved.length} of ${claims.length} moved the score` : "none moved the score";
    const rows = (isFolded ? moved : claims).map((claim) => this.drawClaim(claim));
    this.list = el("div", "rows", { role: "listbox", "aria-label": `Claims, ${claims.length}` }, rows);
    this.claimPane.append(heading(plural(claims.length, "claim"), el("span", "aside", {}, note)), this.list);
    if (isFolded) {
      this.claimPane.append(action(`Show ${still} claims that did not move the score`, () => {
        this.unfold();
        this.light();
      }));
    }
  }

  unfold() {
    this.isUnfolded = true;
    this.drawClaims();
  }

  /** @param {ClaimRow} claim */
  drawClaim(claim) {
    const { before, after, effect, number } = claim;
    const isSaidAgain = claim.change === "same";
    return el(
      "div",
      `claim ${effect ? "moved" : ""}`,
      {
        role: "option",
        tabindex: "-1",
        "aria-selected": "false",
        "data-claim": number,
        "data-verdict": (after ?? before)?.verdict,
      },
      el("span", "number", {}, String(number)),
      this.drawCell(before, "before", true, "not claimed before"),
      this.drawCell(after, "after", !isSaidAgain, "no longer claimed"),
      el(
        "div",
        "outcome",
        {},
        effect ? el("span", effect.is_won ? "value won" : "value lost", {}, effect.value) : null,
        effect ? el("span", "cause", {}, effect.cause) : null,
        el("span", "aside", {}, claim.is_flipped ? `${claim.words}, verdict flipped` : claim.words),
      ),
    );
  }

  /**
   * @param {ClaimSide | null} side
   * @param {Side} name
   * @param {boolean} withText
   * @param {string} absent
   */
  drawCell(side, name, withText, absent) {
    if (!side) return el("div", "cell", {}, el("span", "absent", {}, absent));
    const { people } = side;
    const ids = side.chunk_ids.slice(0, MOST_IDS).map((id) => el("code", "id", { dir: "auto" }, id));
    return el(
      "div",
      "cell",
      { "data-side-of": name },
      el(
        "div",
        "line",
        { "data-verdict": side.verdict },
        drawVerdict(this.styles[side.verdict], side.verdict_words),
        el("span", "ids", {}, ids),
      ),
      people
        ? el(
          "div",
          "line people",
          { "data-verdict": people.verdict || null },
          drawVerdict(this.styles[people.verdict], people.words),
        )
        : null,
      withText ? el("div", "said", { dir: "auto" }, side.text) : null,
      side.explanation ? el("div", "why", { dir: "auto" }, side.explanation) : null,
      ...side.quotes.map((quote) =>
        el("blockquote", "quote", { dir: "auto" }, `${quote.chunk_id}: \u201c${quote.text}\u201d`)
      ),
    );
  }

  // ---- the chunks

  drawChunks() {
    const { chunks } = this.payload;
    /** @type {Record<string, number>} */
    const counts = {};
    for (const { words } of chunks) counts[words] = (counts[words] ?? 0) + 1;
    const note = Object.entries(counts).map(([words, number]) => `${number} ${words}`).join(" \u00b7 ");
    this.articles = chunks.map((chunk, at) => {
      const article = el("article", "chunk", { "aria-label": `Chunk ${chunk.id}`, "data-change": chunk.change });
      this.drawChunk(article, chunk, at);
      return article;
    });
    const title = heading(plural(chunks.length, "chunk"), el("span", "aside", {}, note));
    const kept = this.articles.filter((_, at) => isTold(chunks[at]));
    const others = chunks.length - kept.length;
    const isFolded = kept.length > 0 && others >= FOLD_CHUNKS_FROM && !this.areChunksUnfolded;
    this.chunkPane.replaceChildren(title, ...(isFolded ? kept : this.articles));
    if (isFolded) {
      this.chunkPane.append(action(`Show ${others} chunks that no claim cites`, () => {
        this.areChunksUnfolded = true;
        this.drawChunks();
        this.light();
      }));
    }
  }

  /**
   * @param {HTMLElement} article
   * @param {ChunkRow} chunk
   * @param {number} at
   */
  drawChunk(article, chunk, at) {
    const parts = chunk.diff ? changedParts(chunk.diff.parts) : chunk.parts;
    const [text, toggle] = foldable(parts, {
      draw: chunk.diff ? drawPiece : (part) => this.drawEvidence(part, chunk),
      isShort: lengthOf(parts) <= FOLD_FROM,
      isOpen: this.opened.has(at),
      onToggle: (isOpen) => {
        if (isOpen) this.opened.add(at);
        else this.opened.delete(at);
        this.drawChunk(article, chunk, at);
        this.light();
      },
    });
    const place = [
      ranks(chunk),
      cited("before", chunk.cited_before),
      cited("now", chunk.cited_after),
      chunk.diff?.words,
    ];
    article.replaceChildren(
      el(
        "div",
        "line",
        {},
        el("span", "change", {}, chunk.words),
        el("code", "id", { dir: "auto" }, chunk.other_id ? `${chunk.other_id} \u2192 ${chunk.id}` : chunk.id),
        el("span", "aside", {}, place.filter(Boolean).join(" \u00b7 ")),
      ),
      text,
      toggle ?? "",
    );
  }

  /**
   * Evidence has the verdict of the side that its text is from: now, except for a chunk that is gone.
   *
   * @param {import("./payloads.js").Part} part
   * @param {ChunkRow} chunk
   */
  drawEvidence(part, chunk) {
    return drawPart(part, ({ claim }) => {
      const side = sideOf(this.payload.claims[claim - 1], chunk.change === "removed" ? "before" : "after");
      return { verdict: side.verdict, description: `evidence for claim ${claim}` };
    });
  }

  // ---- choosing

  /**
   * The claim of a row: on the side named where the row has it, else that of the later answer.
   *
   * @param {number} number
   * @param {Side} [side]
   * @returns {Place | null}
   */
  claimOf(number, side) {
    const row = this.payload.claims[number - 1];
    if (!row) return null;
    const name = side && row[side] ? side : row.after ? "after" : "before";
    return { number, side: name, at: sideOf(row, name).at };
  }

  /**
   * @override
   * @param {Place} place
   */
  findAgain({ side = "after", at }) {
    const row = this.payload.claims.find((one) => one[side]?.at === at);
    return row ? { number: row.number, side, at } : null;
  }

  /**
   * @override
   * @param {Place} place
   */
  reported({ side, at }) {
    return `${side}:${at}`;
  }

  /**
   * @override
   * @param {number} number
   */
  reveal(number) {
    if (!this.option(number)) this.unfold();
  }

  /**
   * @override
   * @param {number} number
   */
  bring(number) {
    for (const side of findAll(this.answers, ".side")) {
      const mark = find(side, `.mark[data-claim="${number}"]`);
      if (mark) bringIntoView(side, mark, 24);
    }
  }

  /** @override */
  markSelected() {
    for (const one of findAll(this.root, ".labelled")) one.classList.remove("labelled");
    if (this.list) markOption(childrenOf(this.list), this.selected?.number ?? null);
    const option = this.selected && this.option(this.selected.number);
    if (option) find(option, `[data-side-of="${this.selected?.side}"]`)?.classList.add("labelled");
  }

  /**
   * @override
   * @param {number} number
   */
  lightChunks(number) {
    this.payload.chunks.forEach((chunk, at) => {
      if ([...chunk.cited_before, ...chunk.cited_after].includes(number)) this.articles[at].classList.add("lit");
    });
  }

  // ---- mouse and keyboard

  /**
   * @override
   * @param {MouseEvent} event
   */
  pointed(event) {
    this.pointAt(numberAt(sourceOf(event)));
  }

  /**
   * @override
   * @param {HTMLElement} target
   */
  clicked(target) {
    if (target.closest("button")) return;
    if (!getSelection()?.isCollapsed) return; // the user marks text to copy it
    const number = numberAt(target);
    if (number === null) return;
    const isRow = target.closest(".claim") !== null;
    /** @type {HTMLElement | null} */
    const holder = target.closest("[data-side-of], [data-side]");
    const side = /** @type {Side | undefined} */ (holder?.dataset.sideOf ?? holder?.dataset.side);
    this.select(this.claimOf(number, side), { isFocused: isRow });
    if (!isRow) this.option(number)?.scrollIntoView({ block: "nearest" });
  }

  /**
   * @override
   * @param {KeyboardEvent} event
   */
  keyed(event) {
    if (isTaken(event) || !this.list) return;
    const rows = childrenOf(this.list);
    const at = rows.findIndex((row) => row === sourceOf(event).closest(".claim"));
    if (at < 0) return;
    const to = movedTo(event.key, at, rows.length);
    const side = event.key === "ArrowLeft" ? "before" : event.key === "ArrowRight" ? "after" : undefined;
    if (to !== undefined) {
      this.select(this.claimOf(Number(rows[to].dataset.claim), this.selected?.side), { isFocused: true });
      bringIntoView(this.root, rows[to], 16);
    } else if (side) this.select(this.claimOf(Number(rows[at].dataset.claim), side), { isFocused: true });
    else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
  }
}

/**
 * The claim of a row on one side, or on the side that it has.
 *
 * @param {ClaimRow} row
 * @param {Side} side
 */
function sideOf(row, side) {
  return /** @type {ClaimSide} */ (row[side] ?? row.after ?? row.before);
}

/** @param {HTMLElement} target */
function numberAt(target) {
  /** @type {HTMLElement | null} */
  const holder = target.closest("[data-claim]");
  return holder ? Number(holder.dataset.claim) : null;
}

/** @param {{ rank_before: number | null, rank_after: number | null }} chunk */
export function ranks({ rank_before: before, rank_after: after }) {
  if (before === null) return `rank ${after} now`;
  if (after === null) return `rank ${before} before`;
  return before === after ? `rank ${after}` : `rank ${before} \u2192 ${after}`;
}

/**
 * Whether a chunk says what changed: a claim cites it, or its text is another one.
 *
 * @param {ChunkRow} chunk
 */
function isTold(chunk) {
  return chunk.diff !== null || chunk.cited_before.length + chunk.cited_after.length > 0;
}

/**
 * @param {string} when
 * @param {number[]} numbers
 */
function cited(when, numbers) {
  return numbers.length ? `cited by ${claimsNamed(numbers)} ${when}` : null;
}

/** @param {Diff} diff */
function drawDiff(diff) {
  const text = reading(diff.parts);
  text.append(...diff.parts.map(drawPiece));
  return [heading(diff.words, el("del", "removed", {}, "before"), el("ins", "added", {}, "now")), text];
}

export default mounting((parent) => new PairView(parent));
