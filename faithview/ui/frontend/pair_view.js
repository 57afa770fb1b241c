// Two answers to one question: matched claims have one number, which lights up on both sides and in the chunks.

const FOLD_FROM = 420; // a chunk up to this length is shown whole
const ANSWER_LIMIT = 6000; // characters drawn of an answer before "show all"

// Claims that did not move the score are folded away from this number on, where others did.
const FOLD_CLAIMS_FROM = 2;

class PairView {
  constructor(parent) {
    this.root = el("div", "view pair", { "data-faithview-pair": "" });
    this.reporter = reporter(250);
    this.selected = null; // { number, side, at }: the claim that label keys label
    this.scrollToken = 0;
    parent.append(this.root);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    this.root.addEventListener("mouseover", (event) => this.pointAt(numberAt(event.target)));
    this.root.addEventListener("mouseleave", () => this.pointAt(null));
    this.onAsked = (event) => this.sayMark(event.detail);
    this.onBusy = (event) => this.root.classList.toggle("waiting", event.detail.isBusy);
    this.onRow = () => this.followRow();
    document.addEventListener("faithview:mark", this.onAsked);
    document.addEventListener("faithview:busy", this.onBusy);
    document.addEventListener("faithview:row", this.onRow);
  }

  destroy() {
    document.removeEventListener("faithview:mark", this.onAsked);
    document.removeEventListener("faithview:busy", this.onBusy);
    document.removeEventListener("faithview:row", this.onRow);
    this.reporter.stop();
    this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.row = data.row;
    dress(this.root, data.styles);
    if (data.subject !== this.subject) this.open(data);
    else {
      const isCurrent = data.turn >= this.reporter.turn;
      this.reporter.follow(data.turn);
      if (data.revision !== this.revision) this.redraw(data);
      else if (isCurrent && !isSame(data.selected, this.selected)) this.select(data.selected, { report: false });
    }
    this.followRow();
    if (data.scroll_into_view_token > this.scrollToken) {
      this.scrollToken = data.scroll_into_view_token;
      this.root.scrollIntoView({ block: "end", behavior: "smooth" });
    }
  }

  // Two other answers than before.
  open(data) {
    this.subject = data.subject;
    this.revision = data.revision;
    this.styles = data.styles;
    this.payload = data.payload;
    this.isDiff = false;
    this.isUnfolded = false;
    this.opened = new Set();
    this.selected = null;
    this.draw();
    this.reporter.follow(data.turn);
    this.select(data.selected, { report: false });
    this.root.scrollTop = 0;
  }

  // The same answers with another label or verdict: the person stays where they are, on the same claim.
  redraw(data) {
    const top = this.root.scrollTop;
    const focused = this.root.getRootNode().activeElement?.closest?.(".claim");
    const wasFocused = this.root.contains(focused ?? null);
    const claim = this.selected;
    this.revision = data.revision;
    this.payload = data.payload;
    this.selected = null;
    this.draw();
    const row = claim && this.payload.claims.find((one) => one[claim.side]?.at === claim.at);
    this.select(row ? { ...claim, number: row.number } : null, { report: false, focus: wasFocused });
    this.root.scrollTop = top;
  }

  // ---- label keys

  // Whether the list of changes on the page marks the answers that are drawn here.
  isListed() {
    const listed = document.documentElement.dataset.faithviewRow;
    return listed === undefined || listed === this.row;
  }

  followRow() {
    this.root.classList.toggle("leaving", !this.isListed());
    document.dispatchEvent(new CustomEvent("faithview:moved"));
  }

  // Says which claim is marked at this moment; nothing where none is, and the page then says how to select one.
  sayMark(asked) {
    if (!this.isListed()) asked.refusal = "the next answers were not on screen yet";
    else if (this.selected !== null) {
      const { number, side } = this.selected;
      asked.mark = this.payload.claims[number - 1]?.[side]?.mark ?? null;
      asked.words = `Claim ${number} ${side === "after" ? "now" : "before"}`;
      asked.refusal = asked.mark === null ? "this claim cannot be labelled here" : null;
    }
  }

  draw() {
    const { question } = this.payload;
    this.answers = el("div", "answers");
    this.limits = { before: ANSWER_LIMIT, after: ANSWER_LIMIT };
    this.drawAnswers();
    this.chunkPane = el("section", "chunks");
    this.drawChunks();
    this.root.replaceChildren(
      question ? el("div", "question", { dir: "auto" }, question) : "",
      this.answers,
      this.drawClaims(),
      this.chunkPane,
    );
  }

  // ---- the answers

  drawAnswers() {
    const { diff } = this.payload;
    const toggle = diff
      ? action(this.isDiff ? "Show the claims" : "Show the word difference", () => {
          this.isDiff = !this.isDiff;
          this.drawAnswers();
          this.light();
        })
      : el("span", "aside", {}, "The answers are the same.");
    const body = this.isDiff
      ? [el("div", "whole", {}, drawDiff(diff, true))]
      : [this.drawAnswer("before", "Before"), this.drawAnswer("after", "Now")];
    this.answers.replaceChildren(el("div", "sides", {}, body), el("div", "below", {}, toggle));
  }

  drawAnswer(side, word) {
    const { title, score, parts, sentence, error } = this.payload[side];
    const text = reading(parts);
    const left = fillUpTo(text, parts, this.limits[side], (part) => this.drawPart(part, side));
    return el("div", "side", { role: "region", "aria-label": `Answer, ${word}`, tabindex: "0", "data-side": side },
      el("div", "heading", {}, word, el("span", "score", {}, score), el("bdi", "run", {}, title)),
      text,
      left
        ? action(`Show all (${left.toLocaleString("en")} more characters)`, () => {
            this.limits[side] = Infinity;
            this.drawAnswers();
            this.light();
          })
        : null,
      sentence ? el("p", "nothing", {}, sentence) : null,
      error ? el("p", "error", { dir: "auto" }, error) : null,
    );
  }

  drawPart(part, side) {
    let node = document.createTextNode(shown(part.text));
    for (const { claim, lane } of [...part.marks].reverse()) {
      const { verdict, verdict_words: words } = this.payload.claims[claim - 1][side];
      const mark = el("span", "mark", { role: "mark", "aria-description": `claim ${claim}, ${words}`, "data-claim": claim, "data-verdict": verdict });
      mark.style.setProperty("--lane", Math.min(lane, 3));
      mark.append(node);
      node = mark;
    }
    return node;
  }

  // ---- the claims

  drawClaims() {
    const { claims } = this.payload;
    this.claimPane = el("section", "claims");
    if (!claims.length) return this.claimPane;
    const moved = claims.filter((claim) => claim.effect);
    const still = claims.length - moved.length;
    const isFolded = moved.length > 0 && still >= FOLD_CLAIMS_FROM && !this.isUnfolded;
    const note = moved.length ? `${moved.length} of ${claims.length} moved the score` : "none moved the score";
    const rows = (isFolded ? moved : claims).map((claim) => this.drawClaim(claim));
    this.list = el("div", "rows", { role: "listbox", "aria-label": `Claims, ${claims.length}` }, rows);
    const heading = el("div", "heading", {}, claims.length === 1 ? "1 claim" : `${claims.length} claims`, el("span", "aside", {}, note));
    const unfold = isFolded ? action(`Show ${still} claims that did not move the score`, () => this.unfold()) : null;
    this.claimPane.append(heading, this.list, ...(unfold ? [unfold] : []));
    return this.claimPane;
  }

  unfold() {
    this.isUnfolded = true;
    this.claimPane.replaceWith(this.drawClaims());
    this.light();
  }

  drawClaim(claim) {
    const { before, after, effect, change } = claim;
    const isSaidAgain = change === "same";
    const verdict = (after ?? before).verdict;
    return el("div", `claim ${effect ? "moved" : ""}`, { role: "option", tabindex: "-1", "aria-selected": "false", "data-claim": claim.number, "data-verdict": verdict },
      el("span", "number", {}, String(claim.number)),
      this.drawCell(before, "before", true, "not said before"),
      this.drawCell(after, "after", !isSaidAgain, "no longer claimed"),
      el("div", "outcome", {},
        effect ? el("span", effect.is_won ? "value won" : "value lost", {}, effect.value) : null,
        effect ? el("span", "cause", {}, effect.cause) : null,
        el("span", "aside", {}, claim.is_flipped ? `${claim.words}, verdict flipped` : claim.words),
      ),
    );
  }

  drawCell(side, name, withText, absent) {
    if (!side) return el("div", "cell", {}, el("span", "absent", {}, absent));
    return el("div", "cell", { "data-side-of": name }, this.drawSide(side, withText));
  }

  drawSide(side, withText) {
    const { people } = side;
    return [
      el("div", "line", { "data-verdict": side.verdict },
        el("span", "verdict", {}, icon(this.styles[side.verdict]), el("span", "word", {}, side.verdict_words)),
        el("span", "ids", {}, side.chunk_ids.slice(0, 3).map((id) => el("code", "id", { dir: "auto" }, id)))),
      people
        ? el("div", "line people", { "data-verdict": people.verdict || null },
            el("span", "verdict", {}, people.verdict ? icon(this.styles[people.verdict]) : null, el("span", "word", {}, people.words)))
        : null,
      withText ? el("div", "said", { dir: "auto" }, side.text) : null,
      side.explanation ? el("div", "why", { dir: "auto" }, side.explanation) : null,
      ...side.quotes.map((quote) => el("blockquote", "quote", { dir: "auto" }, `${quote.chunk_id}: \u201c${quote.text}\u201d`)),
    ];
  }

  // ---- the chunks

  drawChunks() {
    const { chunks } = this.payload;
    const counts = {};
    for (const { words } of chunks) counts[words] = (counts[words] ?? 0) + 1;
    const note = Object.entries(counts).map(([words, number]) => `${number} ${words}`).join(" \u00b7 ");
    this.articles = chunks.map((chunk, at) => {
      const article = el("article", "chunk", { "aria-label": `Chunk ${chunk.id}`, "data-change": chunk.change });
      this.drawChunk(article, chunk, at);
      return article;
    });
    const title = el("div", "heading", {}, chunks.length === 1 ? "1 chunk" : `${chunks.length} chunks`, el("span", "aside", {}, note));
    this.chunkPane.replaceChildren(title, ...this.articles);
  }

  drawChunk(article, chunk, at) {
    const parts = chunk.diff ? chunk.diff.parts.map((part) => ({ ...part, marks: part.kind === "same" ? [] : [part.kind] })) : chunk.parts;
    const length = parts.reduce((sum, part) => sum + part.text.length, 0);
    const isOpen = length <= FOLD_FROM || this.opened.has(at);
    const draw = chunk.diff ? drawPiece : (part) => this.drawEvidence(part, chunk);
    const text = reading(parts);
    const hidden = isOpen ? 0 : folded(text, parts, draw);
    if (!hidden) text.replaceChildren(...parts.map(draw));
    const toggle = (open) => () => {
      if (open) this.opened.add(at);
      else this.opened.delete(at);
      this.drawChunk(article, chunk, at);
      this.light();
    };
    article.replaceChildren(
      el("div", "line", {},
        el("span", "change", {}, chunk.words),
        el("code", "id", { dir: "auto" }, chunk.other_id ? `${chunk.other_id} \u2192 ${chunk.id}` : chunk.id),
        el("span", "aside", {}, [ranks(chunk), cited("before", chunk.cited_before), cited("now", chunk.cited_after), chunk.diff?.words].filter(Boolean).join(" \u00b7 ")),
      ),
      text,
      hidden ? action(`Show all (${hidden.toLocaleString("en")} more characters)`, toggle(true)) : "",
      !hidden && length > FOLD_FROM ? action("Fold", toggle(false)) : "",
    );
  }

  // Evidence has the verdict of the side that the text is of: now, but for a chunk that is gone.
  drawEvidence(part, chunk) {
    let node = document.createTextNode(shown(part.text));
    for (const { claim, lane } of [...part.marks].reverse()) {
      const row = this.payload.claims[claim - 1];
      const side = chunk.change === "removed" ? row.before : row.after ?? row.before;
      const mark = el("span", "mark", { role: "mark", "aria-description": `evidence for claim ${claim}`, "data-claim": claim, "data-verdict": side.verdict });
      mark.style.setProperty("--lane", Math.min(lane, 3));
      mark.append(node);
      node = mark;
    }
    return node;
  }

  // ---- choosing

  // The claim of a row that is selected when only the row is known: that of the later answer, where it has one.
  claimOf(number, side) {
    const row = this.payload.claims[number - 1];
    if (!row) return null;
    const name = side && row[side] ? side : row.after ? "after" : "before";
    return { number, side: name, at: row[name].at };
  }

  select(claim, { report = true, focus = false } = {}) {
    const isNew = !isSame(claim, this.selected);
    this.selected = claim;
    this.pointedAt = null;
    if (claim !== null && !this.option(claim.number)) this.unfold();
    this.light();
    if (claim !== null) {
      for (const side of this.answers.querySelectorAll(".side")) {
        const mark = side.querySelector(`.mark[data-claim="${claim.number}"]`);
        if (mark) bringIntoView(side, mark, 24);
      }
      if (focus) this.option(claim.number)?.focus({ preventScroll: true });
    }
    if (isNew) document.dispatchEvent(new CustomEvent("faithview:moved"));
    if (isNew && report) this.reporter.report(this.setStateValue, this.subject, claim && `${claim.side}:${claim.at}`);
  }

  pointAt(number) {
    if (number === this.pointedAt) return;
    this.pointedAt = number;
    this.light();
  }

  light() {
    const number = this.pointedAt ?? this.selected?.number ?? null;
    for (const lit of this.root.querySelectorAll(".lit, .labelled")) lit.classList.remove("lit", "labelled");
    for (const option of this.list?.children ?? []) {
      const isSelected = Number(option.dataset.claim) === this.selected?.number;
      option.setAttribute("aria-selected", String(isSelected));
      option.tabIndex = isSelected || (this.selected === null && option === this.list.firstChild) ? 0 : -1;
      if (isSelected) option.querySelector(`[data-side-of="${this.selected.side}"]`)?.classList.add("labelled");
    }
    if (number === null) return;
    for (const one of this.root.querySelectorAll(`[data-claim="${number}"]`)) one.classList.add("lit");
    this.payload.chunks.forEach((chunk, at) => {
      if ([...chunk.cited_before, ...chunk.cited_after].includes(number)) this.articles[at].classList.add("lit");
    });
  }

  option(number) {
    return this.list?.querySelector(`[data-claim="${number}"]`);
  }

  clicked(event) {
    if (event.target.closest("button")) return;
    if (!getSelection()?.isCollapsed) return; // somebody marks text to copy it
    const number = numberAt(event.target);
    if (number === null) return;
    const isRow = event.target.closest(".claim") !== null;
    const side = event.target.closest("[data-side-of]")?.dataset.sideOf ?? event.target.closest("[data-side]")?.dataset.side;
    this.select(this.claimOf(number, side), { focus: isRow });
    if (!isRow) this.option(number)?.scrollIntoView({ block: "nearest" });
  }

  keyed(event) {
    if (isTaken(event) || !this.list) return;
    const rows = [...this.list.children];
    const at = rows.indexOf(event.target.closest(".claim"));
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    const side = { ArrowLeft: "before", ArrowRight: "after" }[event.key];
    if (to !== undefined) {
      const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
      this.select(this.claimOf(Number(row.dataset.claim), this.selected?.side), { focus: true });
      bringIntoView(this.root, row, 16);
    } else if (side) this.select(this.claimOf(Number(rows[at].dataset.claim), side), { focus: true });
    else if (event.key === "Escape") this.select(null);
    else return;
    event.preventDefault();
  }
}

function isSame(claim, other) {
  return claim?.side === other?.side && claim?.at === other?.at && claim?.number === other?.number;
}

function numberAt(target) {
  const holder = target.closest?.("[data-claim]");
  return holder ? Number(holder.dataset.claim) : null;
}

function ranks({ rank_before: before, rank_after: after }) {
  if (before === null) return `rank ${after} now`;
  if (after === null) return `rank ${before} before`;
  return before === after ? `rank ${after}` : `rank ${before} \u2192 ${after}`;
}

function cited(when, numbers) {
  return numbers.length ? `cited by ${numbers.length === 1 ? "claim" : "claims"} ${numbers.join(", ")} ${when}` : null;
}

function action(words, act) {
  const button = el("button", "action", { type: "button" }, words);
  button.addEventListener("click", act);
  return button;
}

function drawDiff(diff, isWhole) {
  const text = reading(diff.parts);
  if (isWhole) text.append(...diff.parts.map(drawPiece));
  return [el("div", "heading", {}, diff.words, el("del", "removed", {}, "before"), el("ins", "added", {}, "now")), text];
}

function drawPiece(part) {
  const tag = { removed: "del", added: "ins" }[part.kind];
  return tag ? el(tag, part.kind, {}, part.text) : document.createTextNode(shown(part.text));
}

export default mounting((parent) => new PairView(parent));
