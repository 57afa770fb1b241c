import { deepStrictEqual, strictEqual } from "node:assert";

import { markOption } from "../../../faithview/ui/frontend/claims_view.js";
import { citedBy, citedFirst } from "../../../faithview/ui/frontend/chunk_pane.js";
import { ClaimPane, foldedAway } from "../../../faithview/ui/frontend/claim_pane.js";
import { el } from "../../../faithview/ui/frontend/drawing.js";
import { changedParts, claimsAt, drawPart, drawPiece, plural } from "../../../faithview/ui/frontend/marks.js";
import { ranks } from "../../../faithview/ui/frontend/pair_view.js";
import { drawn, fakeDocument } from "./fake_document.js";

/** @import { Claim, Mark } from "../../../faithview/ui/frontend/payloads.js" */

fakeDocument();

/** @type {(mark: Mark) => { verdict: string, description: string }} */
const describe = ({ claim }) => ({ verdict: "supported", description: `claim ${claim}` });
const NESTED = { text: "50 members", marks: [{ claim: 2, lane: 0 }, { claim: 1, lane: 5, boxed: true }] };

Deno.test("the first mark of a part is the outermost", () => {
  const outer = drawn(drawPart(NESTED, describe));
  const [inner] = outer.children;
  deepStrictEqual([outer.dataset.claim, inner.dataset.claim], ["2", "1"]);
  deepStrictEqual([outer.className, inner.className], ["mark", "mark boxed"]);
  deepStrictEqual([outer.styles["--lane"], inner.styles["--lane"]], ["0", "3"]);
  strictEqual(inner.getAttribute("aria-description"), "claim 1");
  strictEqual(outer.textContent, "50 members");
});

Deno.test("a claim has its number once in a text", () => {
  const numbered = new Set();
  const numbers = [NESTED, NESTED].map((part) => drawn(drawPart(part, describe, numbered)).dataset.number);
  deepStrictEqual(numbers, ["2", undefined]);
  strictEqual(drawn(drawPart(NESTED, describe)).dataset.number, undefined);
});

Deno.test("a part says how many more claims cover it than it has marks", () => {
  const part = drawn(drawPart({ ...NESTED, more: 1200 }, describe));
  strictEqual(part.dataset.more, "+1,200");
  strictEqual(part.textContent, "50 members");
});

Deno.test("the claims at a place are named from the inside out", () => {
  const outer = drawn(drawPart(NESTED, describe));
  deepStrictEqual(claimsAt(/** @type {any} */ (outer.children[0])), [1, 2]);
});

Deno.test("a word difference keeps its changes where it is folded", () => {
  const pieces = [{ kind: "same", text: "a" }, { kind: "removed", text: "b" }, { kind: "added", text: "c" }];
  deepStrictEqual(changedParts(pieces).map((part) => part.marks.length), [0, 1, 1]);
  deepStrictEqual(pieces.slice(1).map((piece) => drawn(drawPiece(piece)).tagName), ["del", "ins"]);
  strictEqual(drawPiece(pieces[0]).textContent, "a");
});

Deno.test("a list is entered at the selected option, else at its first", () => {
  const options = [1, 2, 3].map((number) => el("div", "claim", { "data-claim": number }));
  markOption(options, 2);
  deepStrictEqual(options.map((option) => option.tabIndex), [-1, 0, -1]);
  deepStrictEqual(options.map((option) => option.getAttribute("aria-selected")), ["false", "true", "false"]);
  markOption(options, null);
  deepStrictEqual(options.map((option) => option.tabIndex), [0, -1, -1]);
});

Deno.test("supported claims are folded away where there are several, and others", () => {
  /** @type {(...verdicts: string[]) => number[]} */
  const aside = (...verdicts) => [
    ...foldedAway(verdicts.map((verdict, at) => /** @type {Claim} */ ({ verdict, number: at + 1 }))),
  ];
  deepStrictEqual(aside("supported", "contradicted", "supported"), [1, 3]);
  deepStrictEqual(aside("supported", "contradicted"), []);
  deepStrictEqual(aside("supported", "supported"), []);
  deepStrictEqual(aside("supported", "check_this", "supported"), [1, 3]);
});

Deno.test("a claim says what its sign means, and which judge of a cascade decided it", () => {
  const pane = new ClaimPane(() => {});
  const style = { word: "check this", stroke: "", fill: "", light: "", dark: "", underline: "", note: "Only just." };
  pane.styles = { check_this: style };
  /** @type {Partial<Claim>} */
  const shown = { verdict: "check_this", words: "check this", other: null, found_by: null, confidence: "0.72" };
  const claim = /** @type {Claim} */ ({ ...shown, chunk_ids: ["c1"], nearest_chunk_id: null, decided_by: "openai:m" });
  const [verdict, by] = drawn(pane.drawLine(claim)).children;
  strictEqual(/** @type {any} */ (verdict).getAttribute("title"), "Only just.");
  strictEqual(by.textContent, "by openai:m");
  strictEqual(drawn(pane.drawLine({ ...claim, decided_by: null })).textContent, "check thisconfidence 0.72c1");
});

Deno.test("numbers of things, ranks and citations are put in words", () => {
  deepStrictEqual([plural(1, "claim"), plural(1200, "chunk")], ["1 claim", "1,200 chunks"]);
  deepStrictEqual([citedBy(null), citedBy([]), citedBy([3])], [null, "not cited", "cited by claim 3"]);
  strictEqual(citedBy([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), "cited by claims 1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
  strictEqual(ranks({ rank_before: 1, rank_after: 3 }), "rank 1 → 3");
  strictEqual(ranks({ rank_before: 2, rank_after: 2 }), "rank 2");
  strictEqual(ranks({ rank_before: null, rank_after: 2 }), "rank 2 now");
  strictEqual(ranks({ rank_before: 1, rank_after: null }), "rank 1 before");
});

Deno.test("cited chunks come first; while the judge is hidden, all keep their order", () => {
  /** @type {(id: string, cited_by: number[] | null) => any} */
  const chunk = (id, cited_by) => ({ id, cited_by });
  /** @type {(chunks: any[]) => string[]} */
  const ids = (chunks) => citedFirst(chunks).map((some) => some.map(({ id }) => id).join(""));
  deepStrictEqual(ids([chunk("a", []), chunk("b", [2]), chunk("c", []), chunk("d", [1])]), ["bd", "ac"]);
  deepStrictEqual(ids([chunk("a", null), chunk("b", null)]), ["ab", ""]);
});

Deno.test("a nearest passage has no number, and what the data set's people marked is around the claims' marks", () => {
  /** @type {any} */
  const near = { text: "one", marks: [{ claim: 3, lane: 0, nearest: true }] };
  const node = drawn(drawPart(near, describe, new Set()));
  deepStrictEqual([node.className, node.dataset.number], ["mark nearest", undefined]);
  strictEqual(node.dataset.lead, "Nearest passage: ");
  const given = drawn(drawPart({ ...NESTED, given: { verdict: "contradicted", words: "marked by Ann" } }, describe));
  deepStrictEqual([given.className, given.dataset.verdict, given.children[0].className], [
    "given",
    "contradicted",
    "mark",
  ]);
  strictEqual(given.textContent, "50 members");
});

Deno.test("what is not shown has no mark", () => {
  /** @type {any} */
  const bar = { text: "|", marks: [{ claim: 1, lane: 0 }], role: "syntax", cell: [0, 0] };
  strictEqual(drawn(drawPart(bar, describe, new Set())).className, "syntax");
});
