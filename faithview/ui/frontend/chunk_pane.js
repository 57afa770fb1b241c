// The chunks of an answer. Evidence is drawn for the claim that is looked at; the others have their number in the margin.

const FOLD_FROM = 600; // a chunk up to this length is shown whole
const MANY_CHUNKS = 50; // from here on, chunks out of sight are not laid out, which makes their heights guesses

class ChunkPane {
  constructor(onDrawn) {
    this.root = el("div", "pane chunks", { tabindex: "0", role: "region", "aria-label": "Chunks" });
    this.onDrawn = onDrawn;
  }

  open(payload, isSingle) {
    this.opened = new Set(); // chunks shown whole
    this.draw(payload, isSingle);
  }

  draw(payload, isSingle) {
    Object.assign(this, { payload, isSingle });
    const { chunks } = payload;
    this.articles = new Map(chunks.map((chunk) => [chunk.id, el("article", "chunk", { "data-chunk": chunk.id, "aria-label": `Chunk ${chunk.id}` })]));
    for (const chunk of chunks) this.drawChunk(chunk);
    const title = heading(chunks.length === 1 ? "1 chunk" : `${chunks.length.toLocaleString("en")} chunks`);
    const none = chunks.length ? [] : [el("p", "nothing", {}, "This answer has no chunks.")];
    this.root.classList.toggle("many", chunks.length >= MANY_CHUNKS);
    this.root.replaceChildren(title, ...none, ...this.articles.values());
  }

  drawChunk(chunk) {
    const { payload, isSingle } = this;
    const length = chunk.parts.reduce((sum, part) => sum + part.text.length, 0);
    const isOpen = isSingle || length <= FOLD_FROM || this.opened.has(chunk.id);
    const text = reading(chunk.parts);
    text.classList.toggle("record", chunk.is_record);
    const numbered = new Set();
    const draw = (part) => drawPart(part, payload, { isSingle, numbered });
    const hidden = isOpen ? 0 : folded(text, chunk.parts, draw);
    if (isOpen) text.replaceChildren(...chunk.parts.map(draw));
    const toggle = (open) => () => {
      if (open) this.opened.add(chunk.id);
      else this.opened.delete(chunk.id);
      this.drawChunk(chunk);
      this.onDrawn();
    };
    const place = [`rank ${chunk.rank}`, chunk.score === null ? null : `retrieval score ${chunk.score}`, isSingle ? null : citedBy(chunk.cited_by)];
    this.articles.get(chunk.id).replaceChildren(
      el("div", "line", {},
        el("span", "name", {}, lead([chunk.id]), " ", el("code", "id", { dir: "auto" }, chunk.id)),
        el("span", "aside", {}, place.filter(Boolean).join(" · ")),
      ),
      text,
      hidden ? action(`Show all (${hidden.toLocaleString("en")} more characters)`, toggle(true)) : "",
      !hidden && length > FOLD_FROM && this.opened.has(chunk.id) ? action("Fold", toggle(false)) : "",
      ...chunk.unverified.map((quote) =>
        el("div", "quote", { "data-claim": quote.claim, "data-verdict": payload.claims[quote.claim - 1].verdict },
          el("span", "warning", {}, `claim ${quote.claim} quotes what this chunk does not say:`), " ", el("q", "", { dir: "auto" }, quote.text)),
      ),
      chunk.metadata.length ? drawMetadata(chunk.metadata) : "",
    );
  }

  // Where the evidence of a claim is: in the chunk that counts most for it, else in the first that has any.
  place(number) {
    const first = (within) => within.querySelector(`.mark[data-claim="${number}"], .quote[data-claim="${number}"]`);
    const best = this.articles.get(this.payload.claims[number - 1].chunk_ids[0]);
    return (best && first(best)) ?? first(this.root) ?? best;
  }

  light(number) {
    for (const chunk of this.payload.chunks) {
      if (!chunk.cited_by?.includes(number)) continue;
      const article = this.articles.get(chunk.id);
      article.classList.add("lit");
      article.dataset.verdict = this.payload.claims[number - 1].verdict;
    }
  }
}

function citedBy(numbers) {
  if (numbers === null) return null;
  if (!numbers.length) return "not cited";
  const rest = numbers.length > 8 ? ` and ${numbers.length - 8} more` : "";
  return `cited by ${numbers.length === 1 ? "claim" : "claims"} ${numbers.slice(0, 8).join(", ")}${rest}`;
}

function drawMetadata(metadata) {
  const rows = metadata.flatMap(([name, value]) => [el("dt", "", { dir: "auto" }, name), el("dd", "", { dir: "auto" }, value)]);
  return el("details", "metadata", {}, el("summary", "", {}, "Metadata"), el("dl", "", {}, rows));
}
