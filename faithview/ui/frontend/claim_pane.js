// The claims of an answer as a list: those that are not fully supported first, the supported ones folded below them.

const CLAIM_LIMIT = 200; // claims drawn before "show all"
const LEAST_TO_FOLD = 2; // a single supported claim stays in its place

class ClaimPane {
  constructor(onDrawn) {
    this.root = el("div", "pane claims");
    this.onDrawn = onDrawn;
  }

  // Another answer: the supported claims are folded, and the groups stay as they are whatever people label later.
  open(payload, styles, isSingle) {
    this.limit = CLAIM_LIMIT;
    this.isFolded = true;
    const supported = payload.claims.filter((claim) => claim.verdict === "supported").map((claim) => claim.number);
    const isWorthIt = supported.length >= LEAST_TO_FOLD && supported.length < payload.claims.length;
    this.aside = new Set(isWorthIt && !isSingle ? supported : []);
    this.draw(payload, styles, isSingle);
  }

  draw(payload, styles, isSingle) {
    Object.assign(this, { payload, styles, isSingle });
    const { claims, sentence, error, state } = payload;
    if (!claims.length) {
      this.root.replaceChildren(
        el("div", `nothing ${state}`, { role: "status" }, el("p", "", {}, sentence ?? ""), error ? el("p", "error", { dir: "auto" }, error) : null),
      );
      return;
    }
    const first = claims.filter((claim) => !this.aside.has(claim.number));
    const folded = claims.filter((claim) => this.aside.has(claim.number));
    this.root.replaceChildren(this.drawCounts(claims), this.drawList(first.slice(0, this.limit), `Claims, ${first.length}`));
    if (folded.length) this.root.append(...this.drawFolded(folded, Math.max(0, this.limit - first.length)));
    const hidden = claims.length - this.limit;
    if (hidden > 0) this.root.append(action(`Show all (${hidden.toLocaleString("en")} more claims)`, () => this.showAll()));
  }

  drawList(claims, name) {
    return el("div", "list", { role: "listbox", "aria-label": name }, ...claims.map((claim) => this.drawClaim(claim)));
  }

  drawFolded(claims, limit) {
    const list = this.drawList(claims.slice(0, limit), `Supported claims, ${claims.length}`);
    list.hidden = this.isFolded;
    const button = el("button", "fold", { type: "button", "aria-expanded": String(!this.isFolded), "data-verdict": "supported" },
      icon(this.styles.supported), `${claims.length.toLocaleString("en")} supported`);
    button.addEventListener("click", () => this.fold(!this.isFolded));
    return [button, list];
  }

  fold(isFolded) {
    this.isFolded = isFolded;
    const button = this.root.querySelector(".fold");
    if (!button) return;
    button.setAttribute("aria-expanded", String(!isFolded));
    button.nextElementSibling.hidden = isFolded;
  }

  showAll() {
    this.limit = Infinity;
    this.draw(this.payload, this.styles, this.isSingle);
    this.onDrawn();
  }

  // Draws and unfolds a claim that is still hidden.
  reveal(number) {
    if (!this.option(number)) this.showAll();
    if (this.aside.has(number)) this.fold(false);
  }

  // The numbers in the order of the list.
  order() {
    const numbers = this.payload.claims.map((claim) => claim.number);
    return [...numbers.filter((number) => !this.aside.has(number)), ...numbers.filter((number) => this.aside.has(number))];
  }

  options() {
    return [...this.root.querySelectorAll(".claim")];
  }

  option(number) {
    return this.root.querySelector(`.claim[data-claim="${number}"]`);
  }

  // Marks one option as selected; a list can be entered with the Tab key at the selected option, else at its first.
  select(selected) {
    for (const list of this.root.querySelectorAll(".list")) {
      const own = [...list.children];
      const entry = own.find((option) => Number(option.dataset.claim) === selected) ?? own[0];
      for (const option of own) {
        option.setAttribute("aria-selected", String(Number(option.dataset.claim) === selected));
        option.tabIndex = option === entry ? 0 : -1;
      }
    }
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
    const kind = [claim.hallucination_type, claim.severity && `${claim.severity} severity`].filter(Boolean).join(", ");
    const warnings = [
      claim.is_anchored ? null : "not anchored in the answer",
      ...claim.unverified_chunk_ids.map((id) => `quote not found in ${id}`),
    ].filter(Boolean);
    return el("div", "claim", { role: "option", tabindex: "-1", "aria-selected": "false", "data-claim": claim.number, "data-verdict": claim.verdict },
      this.isSingle ? null : el("span", "number", {}, String(claim.number)),
      el("div", "body", {},
        el("div", "said", { dir: "auto" }, claim.text),
        el("div", "line", {},
          claim.words ? el("span", "verdict", {}, icon(this.styles[claim.verdict]), el("span", "word", {}, claim.words)) : null,
          claim.found_by === null ? null : el("span", "aside", {}, "found by ", el("bdi", "", {}, claim.found_by)),
          claim.other === null ? null : this.drawOther(claim.other),
          claim.confidence === null ? null : el("span", "aside", { title: "The judge's confidence in its verdict, from 0 to 1" }, `confidence ${claim.confidence}`),
          el("span", "ids", {}, lead(claim.chunk_ids), claim.chunk_ids.map((id) => el("code", "id", { "data-chunk": id, dir: "auto" }, id))),
        ),
        el("div", "reason", {},
          claim.other?.who === "judge" && (kind || claim.explanation) ? el("span", "lead why", {}, "Judge: ") : null,
          kind ? el("span", "why kind", {}, `${kind}. `) : null,
          claim.explanation ? el("span", "why", { dir: "auto" }, claim.explanation) : null,
          claim.correction ? el("div", "why", { dir: "auto" }, el("span", "lead", {}, claim.correction_lead), claim.correction) : null,
          warnings.map((warning) => el("div", "warning", {}, warning)),
        ),
      ),
    );
  }

  // The verdict that does not count in this view, beside the one that does.
  drawOther({ who, verdict, words }) {
    return el("span", "aside other", { "data-verdict": verdict }, `${who}: `, el("span", "verdict", {}, icon(this.styles[verdict]), words));
  }
}
