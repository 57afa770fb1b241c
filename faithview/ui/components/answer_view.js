// One answer beside its chunks: claim, place in the answer and evidence are linked both ways.

const ANSWER_LIMIT = 20000; // characters drawn before "show all": more takes the browser noticeably long
const CLAIM_LIMIT = 200;
const FOLD_FROM = 600; // a chunk up to this length is shown whole
const MANY_CHUNKS = 50; // from here on, chunks out of sight are not laid out, which makes their heights guesses
const HOVER_REST = 140; // ms the pointer rests before the other panes scroll, so that crossing the text moves nothing

const onPage = new Set();

class AnswerView {
  constructor(parent) {
    this.root = el("div", "view");
    this.reporter = reporter(350);
    this.selected = null;
    this.opened = new Set(); // chunks shown whole
    this.isFollowing = false; // until the person scrolls, the panes stay at the selected claim whatever changes size
    this.sizes = new ResizeObserver(() => this.keepInView());
    parent.append(this.root);
    onPage.add(this);
    this.onKey = (event) => this.keyed(event);
    this.onPageKey = (event) => this.keyedOnPage(event);
    this.onAsked = (event) => this.sayMark(event.detail);
    this.onBusy = (event) => this.root.classList.toggle("waiting", event.detail.isBusy);
    this.onRow = () => this.followRow();
    document.addEventListener("faithview:mark", this.onAsked);
    document.addEventListener("faithview:busy", this.onBusy);
    document.addEventListener("faithview:row", this.onRow);
    this.root.addEventListener("keydown", this.onKey);
    this.root.addEventListener("mouseover", (event) => this.pointed(event));
    this.root.addEventListener("mouseleave", () => this.left());
    for (const kind of ["wheel", "touchmove", "pointerdown"]) {
      this.root.addEventListener(kind, () => (this.isFollowing = false), { passive: true });
    }
    this.root.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", this.onPageKey);
    document.addEventListener("keydown", restBehindDialog, true);
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    document.removeEventListener("faithview:mark", this.onAsked);
    document.removeEventListener("faithview:busy", this.onBusy);
    document.removeEventListener("faithview:row", this.onRow);
    clearTimeout(this.hoverTimer);
    this.sizes.disconnect();
    this.reporter.stop();
    onPage.delete(this);
    if (!onPage.size) document.removeEventListener("keydown", restBehindDialog, true);
    this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.root.style.height = `${data.height}px`;
    this.isSingle = data.is_single ?? false; // one claim alone, always selected, chunks whole
    this.pageKeys = data.page_keys ?? {};
    this.marks = data.marks ?? []; // of the claims, for label keys
    this.row = data.row ?? null; // of the list of answers on the page
    dress(this.root, data.styles);
    this.follow(data);
    this.followRow();
  }

  follow(data) {
    if (data.subject !== this.subject) {
      this.subject = data.subject;
      this.revision = data.revision;
      this.styles = data.styles;
      const hadFocus = this.root.contains(this.root.getRootNode().activeElement);
      this.draw(data.payload);
      this.reporter.follow(data.turn);
      this.select(data.selected, { report: false });
      // Whoever stepped through the last answer's claims by key continues with this one's.
      if (hadFocus) (this.option(data.selected ?? 1) ?? this.answerPane).focus({ preventScroll: true });
      return;
    }
    if (data.revision !== this.revision) this.redraw(data);
    // Otherwise the person has made a newer choice, which Python will receive.
    if (data.turn >= this.reporter.turn) {
      this.reporter.follow(data.turn);
      if (data.selected !== this.selected) this.select(data.selected, { report: false });
    }
  }

  // Draws what people have made of the same answer, and moves nothing.
  redraw(data) {
    const { selected } = this;
    const focused = this.root.getRootNode().activeElement?.closest?.(".claim")?.dataset.claim;
    const tops = [this.answerPane, this.claimPane, this.chunkPane].map((pane) => pane.scrollTop);
    this.revision = data.revision;
    this.styles = data.styles;
    this.payload = data.payload;
    this.drawAnswer();
    this.drawClaims();
    this.drawChunks();
    this.selected = selected !== null && selected <= this.payload.claims.length ? selected : null;
    this.light();
    [this.answerPane, this.claimPane, this.chunkPane].forEach((pane, at) => (pane.scrollTop = tops[at]));
    this.watchSizes(); // they were on their way to the claim, perhaps
    if (focused !== undefined) this.option(focused)?.focus({ preventScroll: true });
    if (this.selected !== selected) moved();
  }

  // ---- label keys

  // Whether the list of answers, where there is one, marks the answer that is drawn here.
  isListed() {
    const listed = document.documentElement.dataset.faithviewRow;
    return this.row === null || listed === undefined || listed === this.row;
  }

  followRow() {
    this.root.classList.toggle("leaving", !this.isListed());
    moved();
  }

  // Says which claim is marked at this moment.
  sayMark(asked) {
    if (!this.isListed()) asked.refusal = "the next answer was not on screen yet";
    else if (this.selected === null) asked.refusal = "no claim was selected";
    else {
      asked.mark = this.marks[this.selected - 1] ?? null;
      asked.words = this.isSingle ? "" : `Claim ${this.selected}`;
      asked.refusal = asked.mark === null ? "this claim cannot be labelled here" : null;
    }
  }

  draw(payload) {
    this.payload = payload;
    this.selected = null;
    this.pointedAt = null;
    this.opened.clear();
    this.answerPane = el("div", "pane answer", { tabindex: "0", role: "region", "aria-label": "Answer" });
    this.claimPane = el("div", "pane claims");
    this.chunkPane = el("div", "pane chunks", { tabindex: "0", role: "region", "aria-label": "Chunks" });
    this.answerLimit = ANSWER_LIMIT;
    this.claimLimit = CLAIM_LIMIT;
    this.drawAnswer();
    this.drawClaims();
    this.drawChunks();
    const left = el("div", "column left", {}, this.answerPane, this.claimPane);
    const right = el("div", "column right", {}, this.chunkPane);
    this.root.replaceChildren(el("div", "columns", {}, left, right));
    this.root.scrollTop = 0;
    this.watchSizes();
  }

  // Fonts that load late, a view that is shown late and chunks that are laid out late move everything.
  watchSizes() {
    this.sizes.disconnect();
    const texts = this.root.querySelectorAll(".answer .reading, .list, .chunk");
    for (const one of [this.root, ...texts]) this.sizes.observe(one);
  }

  drawAnswer() {
    const { question, answer } = this.payload;
    const text = reading(answer);
    const numbered = new Set();
    const left = fillUpTo(text, answer, this.answerLimit, (part) => this.drawPart(part, numbered));
    this.answerPane.replaceChildren(
      ...(question ? [heading("Question"), el("div", "question", { dir: "auto" }, question)] : []),
      heading("Answer"),
      text,
    );
    if (left) {
      this.answerPane.append(
        action(`Show all (${left.toLocaleString("en")} more characters)`, () => {
          this.answerLimit = Infinity;
          this.drawAnswer();
          this.light();
        }),
      );
    }
  }

  // A part with its claims' underlines: one element per claim, nested.
  drawPart(part, numbered) {
    let node = document.createTextNode(shown(part.text));
    for (const { claim, lane, boxed } of [...part.marks].reverse()) {
      const { verdict, words } = this.payload.claims[claim - 1];
      const description = this.isSingle ? "the claim" : `claim ${claim}, ${words}`;
      const mark = el("span", boxed ? "mark boxed" : "mark", { role: "mark", "aria-description": description, "data-claim": claim, "data-verdict": verdict });
      mark.style.setProperty("--lane", Math.min(lane, 3));
      if (numbered && !this.isSingle && !numbered.has(claim)) {
        numbered.add(claim);
        mark.dataset.number = claim;
      }
      mark.append(node);
      node = mark;
    }
    return node;
  }

  drawClaims() {
    const { claims, sentence, error, state } = this.payload;
    this.list = null;
    if (!claims.length) {
      this.claimPane.replaceChildren(
        el("div", `nothing ${state}`, { role: "status" }, el("p", "", {}, sentence ?? ""), error ? el("p", "error", { dir: "auto" }, error) : null),
      );
      return;
    }
    const list = el("div", "list", { role: "listbox", "aria-label": `Claims, ${claims.length}` });
    list.append(...claims.slice(0, this.claimLimit).map((claim) => this.drawClaim(claim)));
    this.claimPane.replaceChildren(this.drawCounts(claims), list);
    if (claims.length > this.claimLimit) {
      this.claimPane.append(
        action(`Show all (${(claims.length - this.claimLimit).toLocaleString("en")} more claims)`, () => {
          this.claimLimit = Infinity;
          this.drawClaims();
          this.light();
        }),
      );
    }
    this.list = list;
  }

  drawCounts(claims) {
    if (this.isSingle) return heading("Claim");
    const counted = claims.filter((claim) => claim.is_counted);
    const counts = Object.entries(this.styles).map(([verdict, style]) => {
      const number = counted.filter((claim) => claim.verdict === verdict).length;
      return number
        ? el("span", "count", { "data-verdict": verdict, title: `${number} ${style.word}` }, icon(style), String(number),
            el("span", "said-aloud", {}, ` ${style.word}`))
        : null;
    });
    const title = heading(counted.length === 1 ? "1 claim" : `${counted.length.toLocaleString("en")} claims`);
    title.append(el("span", "counts", {}, counts));
    return title;
  }

  drawClaim(claim) {
    const style = this.styles[claim.verdict];
    const kind = [claim.hallucination_type, claim.severity && `${claim.severity} severity`].filter(Boolean).join(", ");
    const warnings = [
      claim.is_anchored ? null : "not anchored in the answer",
      ...claim.unverified_chunk_ids.map((id) => `quote not found in ${id}`),
    ].filter(Boolean);
    return el("div", "claim", { role: "option", tabindex: "-1", "aria-selected": "false", "data-claim": claim.number, "data-verdict": claim.verdict },
      this.isSingle ? null : el("span", "number", {}, String(claim.number)),
      el("div", "body", {},
        el("div", "line", {},
          claim.words ? el("span", "verdict", {}, icon(style), el("span", "word", {}, claim.words)) : null,
          claim.found_by === null ? null : el("span", "aside", {}, "found by ", el("bdi", "", {}, claim.found_by)),
          claim.other === null ? null : this.drawOther(claim.other),
          claim.confidence === null ? null : el("span", "aside", { title: "The judge's confidence in its verdict, from 0 to 1" }, `confidence ${claim.confidence}`),
          el("span", "ids", {}, lead(claim.chunk_ids), claim.chunk_ids.map((id) => el("code", "id", { "data-chunk": id, dir: "auto" }, id))),
        ),
        claim.text === null ? null : el("div", "said", { dir: "auto" }, claim.text),
        claim.other?.who === "judge" && (kind || claim.explanation) ? el("span", "lead why", {}, "Judge: ") : null,
        kind ? el("span", "why kind", {}, `${kind}. `) : null,
        claim.explanation ? el("span", "why", { dir: "auto" }, claim.explanation) : null,
        claim.correction ? el("div", "why", { dir: "auto" }, el("span", "lead", {}, claim.correction_lead), claim.correction) : null,
        warnings.map((warning) => el("div", "warning", {}, warning)),
      ),
    );
  }

  // The verdict that does not count in this view, beside the one that does.
  drawOther({ who, verdict, words }) {
    return el("span", "aside other", { "data-verdict": verdict }, `${who}: `, el("span", "verdict", {}, icon(this.styles[verdict]), words));
  }

  drawChunks() {
    const { chunks } = this.payload;
    this.articles = new Map(chunks.map((chunk) => [chunk.id, el("article", "chunk", { "data-chunk": chunk.id, "aria-label": `Chunk ${chunk.id}` })]));
    for (const chunk of chunks) this.drawChunk(chunk);
    const title = heading(chunks.length === 1 ? "1 chunk" : `${chunks.length.toLocaleString("en")} chunks`);
    const none = chunks.length ? [] : [el("p", "nothing", {}, "No chunk was retrieved for this answer.")];
    this.chunkPane.classList.toggle("many", chunks.length >= MANY_CHUNKS);
    this.chunkPane.replaceChildren(title, ...none, ...this.articles.values());
  }

  drawChunk(chunk) {
    const length = chunk.parts.reduce((sum, part) => sum + part.text.length, 0);
    const isOpen = this.isSingle || length <= FOLD_FROM || this.opened.has(chunk.id);
    const text = reading(chunk.parts);
    const hidden = isOpen ? 0 : folded(text, chunk.parts, (part) => this.drawPart(part, null));
    if (!hidden) text.replaceChildren(...chunk.parts.map((part) => this.drawPart(part, null)));
    const toggle = (open) => () => {
      if (open) this.opened.add(chunk.id);
      else this.opened.delete(chunk.id);
      this.drawChunk(chunk);
      this.light();
    };
    this.articles.get(chunk.id).replaceChildren(
      el("div", "line", {},
        el("span", "name", {}, lead([chunk.id]), " ", el("code", "id", { dir: "auto" }, chunk.id)),
        el("span", "aside", {}, [`rank ${chunk.rank}`, chunk.score === null ? null : `score ${chunk.score}`, this.isSingle ? null : citedBy(chunk.cited_by)].filter(Boolean).join(" · ")),
      ),
      text,
      hidden ? action(`Show all (${hidden.toLocaleString("en")} more characters)`, toggle(true)) : "",
      !hidden && length > FOLD_FROM && !this.isSingle ? action("Fold", toggle(false)) : "",
      ...chunk.unverified.map((quote) =>
        el("div", "quote", { "data-claim": quote.claim, "data-verdict": this.payload.claims[quote.claim - 1].verdict },
          el("span", "warning", {}, `claim ${quote.claim} quotes what this chunk does not say:`), " ", el("q", "", { dir: "auto" }, quote.text)),
      ),
      chunk.metadata.length ? drawMetadata(chunk.metadata) : "",
    );
  }

  // ---- choosing

  select(number, { report = true, focus = false } = {}) {
    const isNew = number !== this.selected;
    this.selected = number;
    if (number !== null) this.reveal(number);
    this.isFollowing = number !== null;
    this.pointedAt = null;
    this.light();
    this.bring(number, null);
    if (focus && number !== null) this.option(number)?.focus({ preventScroll: true });
    if (isNew && report) this.reporter.report(this.setStateValue, this.subject, number);
    if (isNew) moved();
  }

  // Draws the part of a claim that "show all" still hides.
  reveal(number) {
    if (number > this.claimLimit) {
      this.claimLimit = Infinity;
      this.drawClaims();
    }
    const isAnchored = this.payload.claims[number - 1].is_anchored;
    if (isAnchored && this.answerLimit !== Infinity && !this.answerPane.querySelector(`[data-claim="${number}"]`)) {
      this.answerLimit = Infinity;
      this.drawAnswer();
    }
  }

  pointAt(number, from = null) {
    if (number === this.pointedAt) return;
    this.pointedAt = number;
    this.light();
    clearTimeout(this.hoverTimer);
    if (number !== null) this.hoverTimer = setTimeout(() => this.bring(number, from), HOVER_REST);
  }

  // The pointer has left: back to the selected claim.
  left() {
    this.pointAt(null);
    clearTimeout(this.hoverTimer);
    this.hoverTimer = setTimeout(() => this.keepInView(), HOVER_REST);
  }

  keepInView() {
    if (this.isFollowing && this.pointedAt === null) this.bring(this.selected, null, { isAtOnce: true });
  }

  // Highlights everything of the claim under the pointer, else of the selected claim.
  light() {
    const number = this.pointedAt ?? this.selected;
    for (const lit of this.root.querySelectorAll(".lit")) lit.classList.remove("lit");
    for (const option of this.list?.children ?? []) {
      const isSelected = Number(option.dataset.claim) === this.selected;
      option.setAttribute("aria-selected", String(isSelected));
      option.tabIndex = isSelected || (this.selected === null && option === this.list.firstChild) ? 0 : -1;
    }
    if (number === null) return;
    for (const one of this.root.querySelectorAll(`[data-claim="${number}"]`)) one.classList.add("lit");
    for (const chunk of this.payload.chunks) {
      if (!chunk.cited_by?.includes(number)) continue;
      const article = this.articles.get(chunk.id);
      article.classList.add("lit");
      article.dataset.verdict = this.payload.claims[number - 1].verdict;
    }
  }

  // Scrolls every pane, except the one under the pointer, to the claim.
  bring(number, except, { isAtOnce = false } = {}) {
    if (number === null) return;
    const claim = this.payload.claims[number - 1];
    const first = (pane) => pane.querySelector(`.mark[data-claim="${number}"], .quote[data-claim="${number}"]`);
    const best = this.articles.get(claim.chunk_ids[0]);
    const places = [
      [this.answerPane, first(this.answerPane)],
      [this.claimPane, this.option(number)],
      [this.chunkPane, (best && first(best)) ?? first(this.chunkPane) ?? best],
    ];
    for (const [pane, place] of places) {
      if (place && pane !== except) bringIntoView(this.scrollerOf(pane), place, pane === this.claimPane ? 6 : 32, isAtOnce);
    }
  }

  // Where the columns are stacked, the whole view scrolls in place of its panes.
  scrollerOf(pane) {
    return getComputedStyle(pane).overflowY === "visible" ? this.root : pane;
  }

  option(number) {
    return this.list?.querySelector(`[data-claim="${number}"]`);
  }

  // ---- mouse and keyboard

  pointed(event) {
    // A pane that scrolls under a resting pointer must not select anything.
    if (event.screenX === this.pointerX && event.screenY === this.pointerY) return;
    [this.pointerX, this.pointerY] = [event.screenX, event.screenY];
    const holder = event.target.closest("[data-claim]");
    if (!holder) {
      this.pointAt(null);
      return;
    }
    const candidates = claimsAt(holder);
    const number = candidates.includes(this.selected) ? this.selected : candidates[0];
    this.pointAt(number, holder.closest(".pane"));
  }

  clicked(event) {
    if (event.target.closest("button, summary")) return;
    const holder = event.target.closest("[data-claim]");
    if (!holder) return;
    if (String(window.getSelection() ?? "") && holder.closest(".reading")) return; // someone is copying text
    // Where several claims share the same words, each click selects the next of them.
    const candidates = claimsAt(holder);
    const at = candidates.indexOf(this.selected);
    const number = candidates[(at + 1) % candidates.length];
    this.select(number, { focus: true });
    const article = this.articles.get(event.target.closest(".ids .id")?.dataset.chunk);
    if (article) bringIntoView(this.scrollerOf(this.chunkPane), article);
  }

  keyed(event) {
    if (["PageUp", "PageDown", " ", "Enter"].includes(event.key)) this.isFollowing = false; // they scroll or unfold
    if (isTaken(event) || event.target.closest("button, summary, details")) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const number = this.payload.claims.length;
    if (step && number) this.step(step);
    else if (event.key === "Home" && number) this.select(1, { focus: true });
    else if (event.key === "End" && number) this.select(number, { focus: true });
    else if (event.key === "Escape" && this.selected !== null && !this.isSingle) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // With the only view on the page, left and right step through its claims from the page itself and from the list of
  // answers; up and down are left to scrolling and to the list.
  keyedOnPage(event) {
    if (pressPageKey(event, this.pageKeys)) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || onPage.size !== 1 || !this.payload.claims.length || isTaken(event)) return;
    const target = event.composedPath()[0];
    if (target !== document.body && !target.closest?.("[data-faithview-list]")) return;
    event.preventDefault();
    if (this.isListed()) this.step(step);
  }

  step(by) {
    const number = this.payload.claims.length;
    const next = this.selected === null ? (by > 0 ? 1 : number) : Math.min(number, Math.max(1, this.selected + by));
    this.select(next, { focus: true });
  }
}

function moved() {
  document.dispatchEvent(new CustomEvent("faithview:moved"));
}

// The claims of an element and of the marks around it, innermost first.
function claimsAt(holder) {
  const numbers = [];
  for (let at = holder; at; at = at.parentElement?.closest(".mark")) numbers.push(Number(at.dataset.claim));
  return [...new Set(numbers)];
}

function heading(text) {
  return el("div", "heading", { role: "heading", "aria-level": "3" }, text);
}

function action(text, onClick) {
  const button = el("button", "action", { type: "button" }, text);
  button.addEventListener("click", onClick);
  return button;
}

// An id that starts with a digit needs the word "chunk" before it.
function lead(ids) {
  if (!ids.length || !/^\d/.test(ids[0])) return null;
  return el("span", "aside", {}, ids.length === 1 ? "chunk" : "chunks");
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

export default mounting((parent) => new AnswerView(parent));
