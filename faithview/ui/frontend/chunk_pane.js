// The chunks of an answer. Evidence is drawn for the claim that is looked at; the others have their number in the margin.

import { el, find } from "./drawing.js";
import { foldable, lengthOf } from "./folding.js";
import { claimsNamed, describing, drawPart, heading, lead, plural } from "./marks.js";

/** @import { AnswerPayload, Chunk } from "./payloads.js" */

const FOLD_FROM = 600; // a chunk up to this length is shown whole
const MANY_CHUNKS = 50; // from here on, chunks out of sight are not laid out, which makes their heights guesses
const MOST_NAMED = 8; // claims that are named as citing a chunk

export class ChunkPane {
  /** @param {() => void} onDrawn */
  constructor(onDrawn) {
    this.root = el("div", "pane chunks", { tabindex: "0", role: "region", "aria-label": "Chunks" });
    this.onDrawn = onDrawn;
    /** @type {Set<string>} */
    this.opened = new Set(); // chunks shown whole
    /** @type {Map<string, HTMLElement>} */
    this.articles = new Map();
  }

  /**
   * @param {AnswerPayload} payload
   * @param {boolean} isSingle
   */
  open(payload, isSingle) {
    this.opened = new Set();
    this.draw(payload, isSingle);
  }

  /**
   * @param {AnswerPayload} payload
   * @param {boolean} isSingle
   */
  draw(payload, isSingle) {
    this.payload = payload;
    const { chunks } = payload;
    const [cited, others] = citedFirst(chunks);
    this.articles = new Map();
    for (const chunk of [...cited, ...others]) {
      const article = el("article", "chunk", { "data-chunk": chunk.id, "aria-label": `Chunk ${chunk.id}` });
      this.articles.set(chunk.id, article);
      this.drawChunk(article, chunk, payload, isSingle);
    }
    const none = chunks.length ? [] : [el("p", "nothing", {}, "This answer has no chunks.")];
    this.root.classList.toggle("many", chunks.length >= MANY_CHUNKS);
    const articles = [...this.articles.values()];
    const divider = cited.length && others.length ? [el("div", "divider", {}, `Not cited (${others.length})`)] : [];
    this.root.replaceChildren(
      heading(plural(chunks.length, "chunk")),
      ...none,
      ...articles.slice(0, cited.length),
      ...divider,
      ...articles.slice(cited.length),
    );
  }

  /**
   * @param {HTMLElement} article
   * @param {Chunk} chunk
   * @param {AnswerPayload} payload
   * @param {boolean} isSingle
   */
  drawChunk(article, chunk, payload, isSingle) {
    const describe = describing(payload, isSingle);
    const numbered = isSingle ? null : new Set();
    const [text, toggle] = foldable(chunk.parts, {
      draw: (part) => drawPart(part, describe, numbered),
      isShort: isSingle || lengthOf(chunk.parts) <= FOLD_FROM,
      isOpen: this.opened.has(chunk.id),
      onToggle: (isOpen) => {
        if (isOpen) this.opened.add(chunk.id);
        else this.opened.delete(chunk.id);
        this.drawChunk(article, chunk, payload, isSingle);
        this.onDrawn();
      },
    });
    text.classList.toggle("record", chunk.is_record);
    const score = chunk.score === null ? null : `retrieval score ${chunk.score}`;
    const place = [`rank ${chunk.rank}`, score, isSingle ? null : citedBy(chunk.cited_by)];
    const unverified = chunk.unverified.map((quote) =>
      el(
        "div",
        "quote",
        { "data-claim": quote.claim, "data-verdict": payload.claims[quote.claim - 1].verdict },
        el("span", "warning", {}, `claim ${quote.claim} quotes words that are not in this chunk:`),
        " ",
        el("q", "", { dir: "auto" }, quote.text),
      )
    );
    article.replaceChildren(
      el(
        "div",
        "line",
        {},
        el("span", "name", {}, lead([chunk.id]), " ", el("code", "id", { dir: "auto" }, chunk.id)),
        el("span", "aside", {}, place.filter(Boolean).join(" · ")),
      ),
      text,
      toggle ?? "",
      ...unverified,
      chunk.metadata.length ? drawMetadata(chunk.metadata) : "",
    );
  }

  /**
   * Where the evidence of a claim is: in the chunk that counts most for it, else in the first that has any.
   *
   * @param {number} number
   */
  place(number) {
    const evidence = `.mark[data-claim="${number}"], .quote[data-claim="${number}"]`;
    const best = this.articles.get(this.payload?.claims[number - 1].chunk_ids[0] ?? "");
    return (best && find(best, evidence)) ?? find(this.root, evidence) ?? best;
  }

  /** @param {number} number */
  light(number) {
    for (const { id, cited_by } of this.payload?.chunks ?? []) {
      const article = cited_by?.includes(number) ? this.articles.get(id) : undefined;
      if (!article || !this.payload) continue;
      article.classList.add("lit");
      article.dataset.verdict = this.payload.claims[number - 1].verdict;
    }
  }
}

/**
 * The chunks that some claim rests on, and the others, each in the order of their ranks; while the judge is hidden, all
 * are of the first kind.
 *
 * @param {Chunk[]} chunks
 * @returns {[Chunk[], Chunk[]]}
 */
export function citedFirst(chunks) {
  /** @type {(chunk: Chunk) => boolean} */
  const isCited = ({ cited_by }) => cited_by === null || cited_by.length > 0;
  return [chunks.filter(isCited), chunks.filter((chunk) => !isCited(chunk))];
}

/**
 * @param {number[] | null} numbers
 * @returns {string | null}
 */
export function citedBy(numbers) {
  if (numbers === null) return null;
  if (!numbers.length) return "not cited";
  const rest = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : "";
  return `cited by ${claimsNamed(numbers.slice(0, MOST_NAMED))}${rest}`;
}

/** @param {[string, string][]} metadata */
function drawMetadata(metadata) {
  const rows = metadata.flatMap(([name, value]) => [
    el("dt", "", { dir: "auto" }, name),
    el("dd", "", { dir: "auto" }, value),
  ]);
  return el("details", "metadata", {}, el("summary", "", {}, "Metadata"), el("dl", "", {}, rows));
}
