// The claims of an answer as a list: those that are not fully supported first, the supported ones folded below them.

import { markOption } from "./claims_view.js";
import { childrenOf, el, find, findAll, icon } from "./drawing.js";
import { showAll } from "./folding.js";
import { drawVerdict, heading, lead, plural } from "./marks.js";

/** @import { AnswerPayload, Claim, OtherVerdict, Styles } from "./payloads.js" */

const CLAIM_LIMIT = 200; // claims drawn before "show all"
const LEAST_TO_FOLD = 2; // a single supported claim stays in its place

export class ClaimPane {
  /** @param {() => void} onDrawn */
  constructor(onDrawn) {
    this.root = el("div", "pane claims");
    this.onDrawn = onDrawn;
    this.limit = CLAIM_LIMIT;
    this.isFolded = true;
    this.isSingle = false;
    /** @type {Claim[]} */
    this.claims = [];
    /** @type {Styles} */
    this.styles = {};
    /** @type {Set<number>} */
    this.aside = new Set();
    this.redraw = () => {};
  }

  /**
   * Another answer: the supported claims are folded, and the groups do not change when reviewers label claims later.
   *
   * @param {AnswerPayload} payload
   * @param {Styles} styles
   * @param {boolean} isSingle
   */
  open(payload, styles, isSingle) {
    this.limit = CLAIM_LIMIT;
    this.isFolded = true;
    this.aside = isSingle ? new Set() : foldedAway(payload.claims);
    this.draw(payload, styles, isSingle);
  }

  /**
   * @param {AnswerPayload} payload
   * @param {Styles} styles
   * @param {boolean} isSingle
   */
  draw(payload, styles, isSingle) {
    this.redraw = () => this.draw(payload, styles, isSingle);
    const { claims, sentence, error, state } = payload;
    Object.assign(this, { claims, styles, isSingle });
    if (!claims.length) {
      const why = error ? el("p", "error", { dir: "auto" }, error) : null;
      this.root.replaceChildren(
        el("div", `nothing ${state}`, { role: "status" }, el("p", "", {}, sentence ?? ""), why),
      );
      return;
    }
    const first = claims.filter((claim) => !this.aside.has(claim.number));
    const folded = claims.filter((claim) => this.aside.has(claim.number));
    this.root.replaceChildren(
      this.drawCounts(),
      this.drawList(first.slice(0, this.limit), `Claims, ${first.length}`),
    );
    if (folded.length) this.root.append(...this.drawFolded(folded, Math.max(0, this.limit - first.length)));
    const hidden = claims.length - this.limit;
    if (hidden > 0) this.root.append(showAll(hidden, "claims", () => this.showAll()));
  }

  /**
   * @param {Claim[]} claims
   * @param {string} name
   */
  drawList(claims, name) {
    return el("div", "list", { role: "listbox", "aria-label": name }, claims.map((claim) => this.drawClaim(claim)));
  }

  /**
   * @param {Claim[]} claims
   * @param {number} limit
   */
  drawFolded(claims, limit) {
    const list = this.drawList(claims.slice(0, limit), `Supported claims, ${claims.length}`);
    list.hidden = this.isFolded;
    const button = el(
      "button",
      "fold",
      { type: "button", "aria-expanded": String(!this.isFolded), "data-verdict": "supported" },
      icon(this.styles.supported),
      `${claims.length.toLocaleString("en")} supported`,
    );
    button.addEventListener("click", () => this.fold(!this.isFolded));
    return [button, list];
  }

  /** @param {boolean} isFolded */
  fold(isFolded) {
    this.isFolded = isFolded;
    const button = find(this.root, ".fold");
    if (!button) return;
    button.setAttribute("aria-expanded", String(!isFolded));
    /** @type {HTMLElement} */ (button.nextElementSibling).hidden = isFolded;
  }

  showAll() {
    this.limit = Infinity;
    this.redraw();
    this.onDrawn();
  }

  /**
   * Draws and unfolds a claim that is still hidden.
   *
   * @param {number} number
   */
  reveal(number) {
    if (!find(this.root, `.claim[data-claim="${number}"]`)) this.showAll();
    if (this.aside.has(number)) this.fold(false);
  }

  // The numbers in the order of the list.
  order() {
    const numbers = this.claims.map((claim) => claim.number);
    return [...numbers.filter((one) => !this.aside.has(one)), ...numbers.filter((one) => this.aside.has(one))];
  }

  /** @param {number | null} number */
  select(number) {
    for (const list of findAll(this.root, ".list")) markOption(childrenOf(list), number);
  }

  drawCounts() {
    if (this.isSingle) return heading("Claim");
    const counted = this.claims.filter((claim) => claim.is_counted);
    const counts = Object.entries(this.styles).map(([verdict, style]) => {
      const number = counted.filter((claim) => claim.verdict === verdict).length;
      if (!number) return null;
      const aloud = el("span", "said-aloud", {}, ` ${style.word}`);
      const name = { "data-verdict": verdict, title: `${number} ${style.word}` };
      return el("span", "count", name, icon(style), String(number), aloud);
    });
    return heading(plural(counted.length, "claim"), el("span", "counts", {}, counts));
  }

  /** @param {Claim} claim */
  drawClaim(claim) {
    return el(
      "div",
      "claim",
      {
        role: "option",
        tabindex: "-1",
        "aria-selected": "false",
        "data-claim": claim.number,
        "data-verdict": claim.verdict,
      },
      this.isSingle ? null : el("span", "number", {}, String(claim.number)),
      el(
        "div",
        "body",
        {},
        el("div", "said", { dir: "auto" }, claim.text),
        this.drawLine(claim),
        drawReason(claim),
      ),
    );
  }

  /** @param {Claim} claim */
  drawLine(claim) {
    const sure = { title: "The judge's confidence in its verdict, from 0 to 1" };
    return el(
      "div",
      "line",
      {},
      claim.words ? drawVerdict(this.styles[claim.verdict], claim.words) : null,
      claim.decided_by === null ? null : el("span", "aside", {}, "by ", el("bdi", "", {}, claim.decided_by)),
      claim.found_by === null ? null : el("span", "aside", {}, "found by ", el("bdi", "", {}, claim.found_by)),
      claim.other === null ? null : this.drawOther(claim.other),
      claim.confidence === null ? null : el("span", "aside", sure, `confidence ${claim.confidence}`),
      el(
        "span",
        "ids",
        {},
        lead(claim.chunk_ids),
        ...claim.chunk_ids.map(chunkId),
        ...(claim.nearest_chunk_id === null
          ? []
          : [el("span", "aside", {}, "nearest passage"), chunkId(claim.nearest_chunk_id)]),
      ),
    );
  }

  /**
   * The verdict that does not count in this view, beside the one that does.
   *
   * @param {OtherVerdict} other
   */
  drawOther({ who, verdict, words }) {
    const said = el("span", "verdict", {}, icon(this.styles[verdict]), words);
    return el("span", "aside other", { "data-verdict": verdict }, `${who === "people" ? "reviewers" : who}: `, said);
  }
}

/**
 * The supported claims that are worth folding away.
 *
 * @param {Claim[]} claims
 */
export function foldedAway(claims) {
  const supported = claims.filter((claim) => claim.verdict === "supported").map((claim) => claim.number);
  return new Set(supported.length >= LEAST_TO_FOLD && supported.length < claims.length ? supported : []);
}

/** @type {(id: string) => HTMLElement} */
const chunkId = (id) => el("code", "id", { "data-chunk": id, dir: "auto" }, id);

/** @param {Claim} claim */
function drawReason(claim) {
  const kind = [claim.hallucination_type, claim.severity && `${claim.severity} severity`].filter(Boolean).join(", ");
  const isJudges = claim.other?.who === "judge" && (kind || claim.explanation);
  const warnings = claim.unverified_chunk_ids.map((id) => `quote not found in ${id}`);
  if (!claim.is_anchored) warnings.unshift("not anchored in the answer");
  const correction = claim.correction
    ? el("div", "why", { dir: "auto" }, el("span", "lead", {}, claim.correction_lead), claim.correction)
    : null;
  return el(
    "div",
    "reason",
    {},
    isJudges ? el("span", "lead why", {}, "Judge: ") : null,
    kind ? el("span", "why kind", {}, `${kind}. `) : null,
    claim.explanation ? el("span", "why", { dir: "auto" }, claim.explanation) : null,
    correction,
    ...warnings.map((warning) => el("div", "warning", {}, warning)),
  );
}
