// One answer beside its chunks, with the list that it is from: a claim, its place in the answer and its evidence are
// linked by click and by key. A choice is shown at once; Python receives it as {row, claim, verdict} and sends back the
// number of the last choice that it has seen. Every text comes from strangers and is drawn as a text node.

/**
 * @typedef {{ verdict: string, words: string, quoted: boolean }} Fault
 * @typedef {{ key: string, score: string | null, state: string, fault: Fault | null, counts: string, title: string,
 *   labelled: string | null, is_labelled: boolean }} Row
 * @typedef {[number, number]} Span code points, the end excluded
 * @typedef {{ verdict: string, words: string, confidence: string | null, text: string, kind: string, why: string,
 *   correction: string | null, correction_lead: string, warnings: string[], by: string, other: [string, string, string] | null,
 *   chunks: string[], nearest: string | null, counted: boolean, spans: Span[], boxes: Span[], label: string | null,
 *   can_label: boolean, can_undo: boolean }} Claim
 * @typedef {{ claim: number, span: Span, kind: "" | "boxed" | "nearest" }} Mark
 * @typedef {{ id: string, about: string, text: string, is_code: boolean, cited: number[] | null, marks: Mark[],
 *   unverified: [number, string][], metadata: [string, string][] }} Chunk
 * @typedef {{ question: string | null, about: string, text: string, is_alone: boolean, given: [Span, string, string][], claims: Claim[],
 *   chunks: Chunk[], sentence: string | null, error: string | null }} Answer
 * @typedef {{ seen: number, row: string | null, claim: number | null, rows: Row[] | null, answer: Answer | null,
 *   choices: string[], styles: Record<string, { word: string, stroke: string, fill: string, note: string }>,
 *   height: string }} Data
 */

const REST = 250; // ms that a step by key rests before it is reported
const MOST_MARKS = 12; // on one word: a browser's tab crashes over some hundreds of nested elements
const LONG = 240; // characters of a chunk that no claim is based on, from which only its first lines are shown
const LEAST_FOLDED = 2; // supported claims that are folded below the others
const TYPING = "input, textarea, select, canvas, [contenteditable], [role=textbox], [role=combobox], [role=menu], [role=grid]";
const STEPPED = "[role=radio], [role=slider], [role=tab], audio, video";

// Control characters, and invisible ones that reorder or hide text. The joiner of emoji and the marks of right-to-left
// writing belong to ordinary text.
const UNSEEN = /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** @param {string} text with its hidden characters made visible */
function shown(text) {
  return text.replace(UNSEEN, (character) => {
    if (character === "\r\n") return "\n";
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

/**
 * @param {string} name "tag.class.class"
 * @param {Record<string, any>} attributes those that are null are left out
 * @param {...any} children nodes, texts, lists of them; what is null is left out
 * @returns {any}
 */
function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, String(value));
  }
  for (const child of children.flat(2)) {
    if (child === null || child === undefined) continue;
    element.append(typeof child === "string" ? document.createTextNode(shown(child)) : child);
  }
  return element;
}

/** @param {{ stroke: string, fill: string } | undefined} style */
function icon(style) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const [shape, name] of [[style?.fill, "filled"], [style?.stroke, "stroked"]]) {
    if (!shape) continue;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", shape);
    path.setAttribute("class", String(name));
    svg.append(path);
  }
  return svg;
}

/** @type {Set<Reader>} keys belong to the only one, else to the one with the focus; J and K to the one with the list */
const onPage = new Set();

class Reader {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div.reader");
    this.list = el("div.rows", { role: "listbox", "aria-label": "Answers" });
    this.left = el("div.left", { tabindex: "0", role: "region", "aria-label": "Answer and claims" });
    this.right = el("div.right", { tabindex: "0", role: "region", "aria-label": "Chunks" });
    this.root.append(this.list, this.left, this.right);
    this.frame = el("div.frame", {}, this.root);
    parent.append(this.frame);
    /** @type {Data} */
    this.data = /** @type {any} */ ({ seen: 0, rows: null, answer: null, choices: [], styles: {} });
    this.drawn = { rows: "", answer: "" };
    /** @type {string | null} */
    this.row = null;
    /** @type {number | null} */
    this.claim = null;
    this.sent = { row: /** @type {string | null} */ (null), claim: /** @type {number | null} */ (null), number: 0 };
    this.isWaiting = false; // for a label to be stored: until then no other choice may take its place
    this.timer = 0;
    this.folded = true;
    this.set = (/** @type {string} */ _name, /** @type {unknown} */ _value) => {};
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    onPage.add(this);
    this.root.addEventListener("click", (/** @type {MouseEvent} */ event) => this.clicked(event));
    this.root.addEventListener("mouseover", (/** @type {MouseEvent} */ event) => this.light(claimAt(event.target)));
    this.root.addEventListener("mouseleave", () => this.light(null));
    document.addEventListener("keydown", (event) => this.keyed(event), { signal });
    window.addEventListener("popstate", () => this.forget(), { signal, capture: true });
    /** @type {string | null | undefined} */
    this.drawnRow = undefined;
  }

  destroy() {
    clearTimeout(this.timer);
    this.leaving.abort();
    onPage.delete(this);
    this.frame.remove();
  }

  /**
   * @param {Data} data
   * @param {(name: string, value: unknown) => void} set
   */
  update(data, set) {
    this.set = set;
    this.data = data;
    this.root.style.setProperty("--height", data.height);
    this.root.classList.toggle("listed", data.rows !== null);
    this.root.classList.toggle("bare", data.answer === null);
    const isSeen = data.seen >= this.sent.number;
    if (isSeen) this.isWaiting = false;
    const rows = JSON.stringify(data.rows);
    if (rows !== this.drawn.rows) this.drawRows();
    const isOther = data.row !== this.drawnRow || this.drawn.answer === "";
    const answer = JSON.stringify(data.answer);
    if (answer !== this.drawn.answer) this.drawAnswer(isOther);
    this.drawn = { rows, answer };
    this.drawnRow = data.row;
    // What the person has chosen since stays chosen, and is reported as soon as Python has seen what was before it.
    if (isSeen && !this.timer && (data.row !== this.row || data.claim !== this.claim)) {
      if (this.sent.number && this.sent.row === data.row && this.sent.claim === data.claim && this.isAhead()) {
        this.report();
      } else [this.row, this.claim] = [data.row, data.claim];
    }
    this.show(isOther);
  }

  // The person has gone on from what was sent while a label was on its way.
  isAhead() {
    return this.row !== this.sent.row || this.claim !== this.sent.claim;
  }

  // A step back or forward in the browser's history: the address says what is open.
  forget() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.sent = { ...this.sent, row: null, claim: null };
  }

  // ---- choosing

  /**
   * @param {string | null} row
   * @param {number | null} claim
   * @param {boolean} [isStep] by key, so that others may follow at once
   */
  choose(row, claim, isStep = false) {
    if (row === this.row && claim === this.claim) return;
    [this.row, this.claim] = [row, claim];
    this.show(true);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.report(), isStep ? REST : 0);
  }

  /** @param {string | null} [verdict] a label for the claim that is chosen, or "undo" */
  report(verdict = null) {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.isWaiting) return; // `update` reports it then
    this.isWaiting = verdict !== null;
    this.sent = { row: this.row, claim: this.claim, number: Math.max(this.sent.number, this.data.seen) + 1 };
    this.root.classList.toggle("waiting", this.isWaiting);
    this.set("choice", { row: this.row, claim: this.claim, verdict, number: this.sent.number });
  }

  /** @param {string} verdict */
  label(verdict) {
    const claim = this.claims()[(this.claim ?? 0) - 1];
    if (!claim || this.isWaiting || !this.isHere()) return;
    if (verdict === "undo" ? claim.can_undo : claim.can_label) this.report(verdict);
  }

  claims() {
    return this.data.answer?.claims ?? [];
  }

  // Whether the answer that the list marks has arrived.
  isHere() {
    return this.data.rows === null || this.row === this.data.row;
  }

  // The numbers of the claims as they are listed: what is wrong first, what is supported last.
  order() {
    const numbers = this.claims().map((_, at) => at + 1);
    const isAside = (/** @type {number} */ number) => this.aside().includes(number);
    return [...numbers.filter((number) => !isAside(number)), ...numbers.filter(isAside)];
  }

  aside() {
    const claims = this.claims();
    const supported = claims.flatMap(({ verdict }, at) => (verdict === "supported" ? [at + 1] : []));
    return supported.length >= LEAST_FOLDED && supported.length < claims.length ? supported : [];
  }

  // ---- showing what is chosen

  /** @param {boolean} isBrought whether the panes scroll to it */
  show(isBrought) {
    this.root.classList.toggle("leaving", !this.isHere());
    this.root.classList.toggle("waiting", this.isWaiting);
    for (const row of this.list.children) {
      const isChosen = row.dataset.key === this.row;
      row.setAttribute("aria-selected", String(isChosen));
      row.tabIndex = isChosen ? 0 : -1;
      if (isChosen) row.scrollIntoView({ block: "nearest" });
    }
    if (this.claim !== null && this.aside().includes(this.claim)) this.fold(false);
    for (const claim of this.left.querySelectorAll(".claim")) {
      const isChosen = Number(claim.dataset.claim) === this.claim;
      claim.setAttribute("aria-current", String(isChosen));
      claim.tabIndex = isChosen || (this.claim === null && claim.matches(":first-child")) ? 0 : -1;
    }
    this.light(null);
    if (isBrought && this.claim !== null && this.isHere()) this.bring(this.claim);
  }

  /** @param {number} number */
  bring(number) {
    const words = this.left.querySelector(`.mark[data-claim="${number}"]`);
    const line = this.left.querySelector(`.claim[data-claim="${number}"]`);
    if (words) scrollTo(this.left, words);
    if (line) scrollTo(this.left, line);
    const best = this.chunk(this.claims()[number - 1]?.chunks[0]);
    const evidence = `.mark[data-claim="${number}"], .quote[data-claim="${number}"]`;
    const place = best?.querySelector(evidence) ?? this.right.querySelector(evidence) ?? best;
    if (place) scrollTo(this.right, place);
  }

  /** @param {string | undefined} id */
  chunk(id) {
    return [...this.right.querySelectorAll(".chunk")].find((one) => one.dataset.chunk === id);
  }

  /** @param {number | null} pointed the claim under the pointer, where it is not the chosen one */
  light(pointed) {
    const number = pointed ?? this.claim;
    const verdict = number === null ? null : this.claims()[number - 1]?.verdict;
    for (const one of this.root.querySelectorAll("[data-claim]")) {
      one.classList.toggle("lit", Number(one.dataset.claim) === number);
    }
    const cited = this.data.answer?.chunks.filter((chunk) => number !== null && chunk.cited?.includes(number)) ?? [];
    for (const one of this.right.querySelectorAll(".chunk")) {
      const isLit = Boolean(verdict) && cited.some(({ id }) => id === one.dataset.chunk);
      one.classList.toggle("lit", isLit);
      if (isLit) one.dataset.verdict = verdict;
    }
  }

  /** @param {boolean} isFolded */
  fold(isFolded) {
    this.folded = isFolded;
    const button = this.left.querySelector(".fold");
    button?.setAttribute("aria-expanded", String(!isFolded));
    if (button) button.nextElementSibling.hidden = isFolded;
  }

  // ---- mouse and keyboard

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const button = target.closest("button");
    if (button?.dataset.label !== undefined) return this.label(button.dataset.label);
    if (button?.matches(".fold")) return this.fold(!this.folded);
    if (button?.matches(".more")) {
      button.closest(".chunk")?.classList.remove("clamped");
      return button.remove();
    }
    const row = /** @type {HTMLElement | null} */ (target.closest(".row"));
    if (row) return this.choose(row.dataset.key ?? null, row.dataset.key === this.row ? this.claim : null);
    const id = /** @type {HTMLElement | null} */ (target.closest(".claim .id"));
    const chunk = id && this.chunk(id.dataset.chunk);
    if (chunk) return scrollTo(this.right, chunk);
    if (String(window.getSelection() ?? "") && target.closest(".text")) return; // someone is copying text
    // Where several claims share the same words, each click selects the next of them.
    const there = claimsAt(target);
    if (!there.length) return;
    this.choose(this.row, there[(there.indexOf(this.claim ?? 0) + 1) % there.length]);
    this.left.querySelector(`.claim[data-claim="${this.claim}"]`)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.closest?.(TYPING) || document.querySelector('[role="dialog"]')) return;
    const isInside = event.composedPath().includes(this.root);
    const isListStep = this.data.rows !== null && "jJkK".includes(event.key);
    if (!isInside && onPage.size > 1 && !isListStep) return;
    if (this.pressed(event.key, isInside, target)) event.preventDefault();
  }

  /**
   * @param {string} key
   * @param {boolean} isInside whether the focus is in this reader
   * @param {HTMLElement} target
   * @returns {boolean} whether the key was the reader's
   */
  pressed(key, isInside, target) {
    const isInList = isInside && this.list.contains(target);
    /** @type {Record<string, number>} */
    const rowSteps = { j: 1, J: 1, k: -1, K: -1, ...(isInList ? { ArrowDown: 1, ArrowUp: -1 } : {}) };
    if (rowSteps[key] && this.data.rows) return this.step(rowSteps[key], isInList);
    const choice = this.data.choices[Number(key) - 1];
    if (choice || (key.toLowerCase() === "u" && this.claims().some((claim) => claim.can_undo))) {
      this.label(choice ?? "undo");
      return true;
    }
    const isInAnswer = isInside && this.left.contains(target);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ...(isInAnswer ? { ArrowDown: 1, ArrowUp: -1 } : {}) };
    const by = /** @type {Record<string, number>} */ (steps)[key];
    if (by && !target.closest?.(STEPPED) && this.isHere() && this.claims().length) {
      const order = this.order();
      const at = order.indexOf(this.claim ?? 0);
      const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
      this.choose(this.row, order[next], true);
      this.left.querySelector(`.claim[data-claim="${this.claim}"]`)?.focus({ preventScroll: true });
      return true;
    }
    if (key === "Enter" && isInside && target.matches?.(".row")) {
      this.choose(target.dataset.key ?? null, null);
      return true;
    }
    if (key === "Escape" && isInside && this.claim !== null && !this.data.answer?.is_alone) {
      this.choose(this.row, null);
      return true;
    }
    return false;
  }

  /**
   * @param {number} by
   * @param {boolean} isFocused
   */
  step(by, isFocused) {
    const keys = (this.data.rows ?? []).map(({ key }) => key);
    const to = Math.min(keys.length - 1, Math.max(0, keys.indexOf(this.row ?? "") + by));
    this.choose(keys[to], null, true);
    if (isFocused) this.list.children[to]?.focus({ preventScroll: true });
    return true;
  }

  // ---- drawing

  drawRows() {
    const { rows, styles } = this.data;
    const all = rows ?? [];
    this.list.replaceChildren(...all.map((row, at) => {
      const { fault } = row;
      const dot = row.is_labelled ? "span.labelled" : "span.labelled.other";
      return el(
        fault ? "div.row" : "div.row.plain",
        { role: "option", tabindex: "-1", "aria-posinset": at + 1, "aria-setsize": all.length, "data-key": row.key },
        fault && el(
          fault.quoted ? "span.fault.quoted" : "span.fault",
          { "data-verdict": fault.verdict },
          styles[fault.verdict] &&
            el("span.sign", { role: "img", "aria-label": styles[fault.verdict].word, title: row.counts }, icon(styles[fault.verdict])),
          el("span.words", { dir: "auto" }, fault.words),
        ),
        el(
          row.score === null ? "span.score.state" : "span.score",
          {},
          row.labelled && el(dot, { role: "img", "aria-label": row.labelled, title: row.labelled }),
          row.score ?? row.state,
        ),
        el("span.title", { dir: "auto" }, row.title),
      );
    }));
  }

  /** @param {boolean} isOther whether it is another answer than before, so that it is read from its beginning */
  drawAnswer(isOther) {
    const { answer } = this.data;
    const tops = [this.left.scrollTop, this.right.scrollTop];
    const hadFocus = this.left.contains(/** @type {any} */ (this.left.getRootNode()).activeElement);
    if (isOther) this.folded = true;
    // Of two readers on a page each says whose answer and chunks it has.
    const whose = answer?.about ? `: ${answer.about}` : "";
    this.left.setAttribute("aria-label", `Answer and claims${whose}`);
    this.right.setAttribute("aria-label", `Chunks${whose}`);
    this.left.replaceChildren(...(answer ? this.answerParts(answer) : []));
    this.right.replaceChildren(...(answer ? this.chunkParts(answer) : []));
    if (answer) this.fold(this.folded);
    [this.left.scrollTop, this.right.scrollTop] = isOther ? [0, 0] : tops;
    if (hadFocus) this.left.querySelector(`.claim[data-claim="${this.claim ?? 1}"]`)?.focus({ preventScroll: true });
  }

  /** @param {Answer} answer */
  answerParts(answer) {
    const marks = answer.claims.flatMap(({ spans, boxes }, at) => [
      ...spans.map((span) => ({ claim: at + 1, span, kind: /** @type {const} */ ("") })),
      ...boxes.map((span) => ({ claim: at + 1, span, kind: /** @type {const} */ ("boxed") })),
    ]);
    const text = el("div.text", { dir: "auto" }, this.cut(answer.text, marks, answer.given));
    return [
      answer.about && el("div.about", { dir: "auto" }, answer.about),
      answer.question && [heading("Question"), el("div.question", { dir: "auto" }, answer.question)],
      heading("Answer"),
      text,
      this.claimParts(answer),
    ].flat(2).filter(Boolean);
  }

  /** @param {Answer} answer */
  claimParts(answer) {
    const { styles } = this.data;
    if (!answer.claims.length) {
      const error = answer.error && el("p.error", { dir: "auto" }, answer.error);
      return [el("div.nothing", { role: "status" }, el("p", {}, answer.sentence ?? ""), error)];
    }
    const counted = answer.claims.filter((claim) => claim.counted);
    const counts = Object.entries(styles).map(([verdict, { word }]) => {
      const number = counted.filter((claim) => claim.verdict === verdict).length;
      const name = { "data-verdict": verdict, title: `${number} ${word}` };
      return number ? el("span.count", name, icon(styles[verdict]), String(number), el("span.aloud", {}, ` ${word}`)) : null;
    });
    const aside = this.aside();
    const first = this.order().filter((number) => !aside.includes(number));
    const listed = (/** @type {number[]} */ numbers, /** @type {string} */ name) =>
      el("div.claims", { role: "group", "aria-label": name }, numbers.map((number) => this.drawClaim(number, answer)));
    return [
      answer.is_alone ? heading("Claim") : heading(plural(counted.length, "claim"), el("span.counts", {}, counts)),
      listed(first, "Claims"),
      ...(aside.length
        ? [
          el("button.fold", { type: "button", "data-verdict": "supported" }, icon(styles.supported), `${aside.length} supported`),
          listed(aside, "Supported claims"),
        ]
        : []),
    ];
  }

  /**
   * @param {number} number
   * @param {Answer} answer
   */
  drawClaim(number, answer) {
    const { styles, choices } = this.data;
    const claim = answer.claims[number - 1];
    const id = (/** @type {string} */ name) => el("code.id", { "data-chunk": name, dir: "auto" }, name);
    const [who, verdict, words] = claim.other ?? [];
    const labels = choices.map((choice, at) =>
      el(
        "button.label",
        { type: "button", "data-label": choice, "data-verdict": choice, "aria-pressed": String(claim.label === choice) },
        icon(styles[choice]),
        `${styles[choice].word} `,
        el("kbd", {}, String(at + 1)),
      )
    );
    if (claim.can_undo) {
      labels.push(el("button.label", { type: "button", "data-label": "undo" }, "undo ", el("kbd", {}, "U")));
    }
    return el(
      "div.claim",
      {
        role: "group",
        "aria-label": answer.is_alone ? "The claim" : `Claim ${number}: ${claim.words}`,
        tabindex: "-1",
        "data-claim": number,
        "data-verdict": claim.verdict,
      },
      answer.is_alone ? null : el("span.number", {}, String(number)),
      el(
        "div.body",
        {},
        el("div.said", { dir: "auto" }, claim.text),
        el(
          "div.line",
          {},
          claim.words && el("span.verdict", { title: styles[claim.verdict]?.note || null }, icon(styles[claim.verdict]), el("span.word", {}, claim.words)),
          claim.by && el("span.aside", {}, el("bdi", {}, claim.by)),
          claim.other && el("span.aside", { "data-verdict": verdict }, `${who}: `, el("span.verdict", {}, icon(styles[verdict ?? ""]), words)),
          claim.confidence && el("span.aside", { title: "The judge's confidence in its verdict, from 0 to 1" }, `confidence ${claim.confidence}`),
          el("span.ids", {}, claim.chunks.map(id), claim.nearest && [el("span.aside", {}, "nearest passage"), id(claim.nearest)]),
        ),
        el(
          "div.why",
          {},
          claim.kind && el("span.kind", {}, `${claim.kind}. `),
          claim.why && el("span", { dir: "auto" }, claim.why),
          claim.correction && el("div", { dir: "auto" }, el("span.kind", {}, claim.correction_lead), claim.correction),
          claim.warnings.map((warning) => el("div.warning", {}, warning)),
        ),
        claim.can_label || claim.can_undo ? el("div.labels", {}, labels) : null,
      ),
    );
  }

  /** @param {Answer} answer */
  chunkParts({ chunks, claims }) {
    const isCited = (/** @type {Chunk} */ chunk) => chunk.cited === null || chunk.cited.length > 0;
    const [cited, others] = [chunks.filter(isCited), chunks.filter((chunk) => !isCited(chunk))];
    const draw = (/** @type {Chunk} */ chunk) =>
      el(
        "article.chunk",
        { "data-chunk": chunk.id, "aria-label": `Chunk ${chunk.id}` },
        el("div.line", {}, el("code.id", { dir: "auto" }, chunk.id), el("span.aside", {}, chunk.about)),
        el(chunk.is_code ? "div.text.code" : "div.text", { dir: "auto" }, this.cut(chunk.text, chunk.marks, [])),
        isCited(chunk) || chunk.text.length < LONG ? null : el("button.more", { type: "button" }, "Show all"),
        chunk.unverified.map(([claim, text]) =>
          el(
            "div.quote",
            { "data-claim": claim, "data-verdict": claims[claim - 1].verdict },
            el("span.warning", {}, `claim ${claim} quotes words that are not in this chunk: `),
            el("q", { dir: "auto" }, text),
          )
        ),
        chunk.metadata.length
          ? el("details", {}, el("summary", {}, "Metadata"), el("dl", {}, chunk.metadata.map(([name, value]) => [el("dt", { dir: "auto" }, name), el("dd", { dir: "auto" }, value)])))
          : null,
      );
    const drawnOthers = others.map(draw);
    for (const one of drawnOthers) one.classList.toggle("clamped", one.querySelector(".more") !== null);
    return [
      heading(plural(chunks.length, "chunk")),
      ...(chunks.length ? [] : [el("p.nothing", {}, "This answer has no chunks.")]),
      ...cited.map(draw),
      ...(cited.length && others.length ? [el("div.divider", {}, `Not cited (${others.length})`)] : []),
      ...drawnOthers,
    ];
  }

  /**
   * A text with its claims' marks: one element for each claim on a stretch, nested. Offsets count code points, as Python
   * does; a claim that shares words with others has a line of its own below them.
   *
   * @param {string} text
   * @param {Mark[]} marks
   * @param {[Span, string, string][]} given what the data set's people marked
   */
  cut(text, marks, given) {
    const points = [...text];
    const within = marks.filter(({ span: [start, end] }) => start < end && start < points.length);
    const ends = [...within.map(({ span }) => span), ...given.map(([span]) => span)].flat();
    const bounds = [...new Set([0, ...ends.map((end) => Math.min(end, points.length)), points.length])].sort((a, b) => a - b);
    const lanes = lanesOf(within);
    const numbered = new Set();
    return bounds.slice(0, -1).map((start, at) => {
      const end = bounds[at + 1];
      const covers = (/** @type {Span} */ [from, to]) => from <= start && end <= to;
      const here = within.filter(({ span }) => covers(span));
      const claims = [...new Set(here.filter(({ kind }) => kind !== "boxed").map(({ claim }) => claim))];
      claims.sort((one, other) => (lanes.get(one) ?? 0) - (lanes.get(other) ?? 0));
      /** @type {any} */
      let node = document.createTextNode(shown(points.slice(start, end).join("")));
      for (const claim of claims.slice(0, MOST_MARKS).reverse()) {
        const kinds = here.filter((mark) => mark.claim === claim).map(({ kind }) => kind);
        node = this.drawMark(node, claim, kinds, lanes.get(claim) ?? 0, !numbered.has(claim));
        numbered.add(claim);
      }
      const people = given.find(([span]) => covers(span));
      return people ? el("span.given", { "data-verdict": people[1], title: `The data set: ${people[2]}` }, node) : node;
    });
  }

  /**
   * @param {Node} node
   * @param {number} claim
   * @param {string[]} kinds
   * @param {number} lane
   * @param {boolean} isFirst
   */
  drawMark(node, claim, kinds, lane, isFirst) {
    const { claims, is_alone } = /** @type {Answer} */ (this.data.answer);
    const { verdict, words } = claims[claim - 1];
    const isNearest = kinds.includes("nearest");
    const about = isNearest
      ? `the nearest passage to claim ${claim}, which it does not support`
      : is_alone
      ? "the claim"
      : `claim ${claim}, ${words}`;
    const name = `span.mark${kinds.includes("boxed") ? ".boxed" : ""}${isNearest ? ".nearest" : ""}`;
    const mark = el(name, { role: "mark", "aria-description": about, "data-claim": claim, "data-verdict": verdict }, node);
    mark.style.setProperty("--lane", String(Math.min(lane, 3)));
    if (isFirst && !is_alone) mark.dataset.number = isNearest ? "Nearest passage: " : String(claim);
    return mark;
  }
}

/**
 * The line of each claim: those that share words have different ones, the longest the first.
 *
 * @param {Mark[]} marks
 */
function lanesOf(marks) {
  /** @type {Map<number, number>} */
  const lanes = new Map();
  const spans = marks.filter(({ kind }) => kind !== "boxed");
  const length = ({ span: [start, end] }) => end - start;
  for (const { claim, span } of [...spans].sort((one, other) => length(other) - length(one) || one.claim - other.claim)) {
    if (lanes.has(claim)) continue;
    const beside = spans.filter((other) => other.claim !== claim && other.span[0] < span[1] && span[0] < other.span[1]);
    const taken = new Set(beside.map((other) => lanes.get(other.claim)));
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    lanes.set(claim, lane);
  }
  return lanes;
}

/**
 * The claims of an element and of those around it, innermost first.
 *
 * @param {any} target
 */
function claimsAt(target) {
  const numbers = [];
  for (let at = target?.closest?.("[data-claim]"); at; at = at.parentElement?.closest("[data-claim]")) {
    numbers.push(Number(at.dataset.claim));
  }
  return [...new Set(numbers)];
}

/** @param {any} target */
const claimAt = (target) => claimsAt(target)[0] ?? null;

/**
 * Scrolls a pane, and nothing around it, so that the element is in view, a third from the top where it is not.
 *
 * @param {HTMLElement} pane
 * @param {Element} element
 */
function scrollTo(pane, element) {
  const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top >= outer.top + 8 && inner.bottom <= outer.bottom - 8) return;
  const by = inner.top - outer.top - Math.min(outer.height / 3, Math.max(16, outer.height - inner.height - 16));
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  pane.scrollBy({ top: by, behavior: isCalm || Math.abs(by) > 3000 ? "auto" : "smooth" });
}

/**
 * @param {string} text
 * @param {...any} rest
 */
const heading = (text, ...rest) => el("div.heading", { role: "heading", "aria-level": "2" }, text, ...rest);

/**
 * @param {number} number
 * @param {string} noun
 */
const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** @type {WeakMap<HTMLElement, { reader: Reader, calls: number }>} */
const mounted = new WeakMap();

/** @param {{ data: Data, parentElement: HTMLElement, setStateValue: (name: string, value: unknown) => void }} call */
export default function mount({ data, parentElement, setStateValue }) {
  const own = mounted.get(parentElement) ?? { reader: new Reader(parentElement), calls: 0 };
  mounted.set(parentElement, own);
  const call = ++own.calls;
  own.reader.update(data, setStateValue);
  // Streamlit may clean up an overtaken call after the call that overtook it.
  return () => {
    if (own.calls !== call || mounted.get(parentElement) !== own) return;
    mounted.delete(parentElement);
    own.reader.destroy();
  };
}
