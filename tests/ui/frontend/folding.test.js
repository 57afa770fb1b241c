import { deepStrictEqual, ok, strictEqual } from "node:assert";

import {
  drawAll,
  fillUpTo,
  foldable,
  folded,
  head,
  lengthOf,
  reading,
  tail,
} from "../../../faithview/ui/frontend/folding.js";
import { drawn, fakeDocument } from "./fake_document.js";

/** @import { Part } from "../../../faithview/ui/frontend/payloads.js" */

fakeDocument();

const WORDS = "word ".repeat(200); // 1,000 characters

/** @type {(text: string, isMarked?: boolean) => Part} */
const part = (text, isMarked = false) => ({ text, marks: isMarked ? [{ claim: 1, lane: 0 }] : [] });

/** @type {(part: Part) => Node} */
const plain = ({ text }) => document.createTextNode(text);

Deno.test("a text is cut between words", () => {
  strictEqual(head("one two three", 9), "one two");
  strictEqual(tail("one two three", 7), "three");
  strictEqual(head("short", 9), "short");
  strictEqual(tail("short", 9), "short");
});

Deno.test("a text without spaces is cut, but never inside a character", () => {
  strictEqual(head("a".repeat(100), 50), "a".repeat(50));
  for (const length of [5, 6]) {
    ok(head("👋".repeat(9), length).isWellFormed());
    ok(tail("👋".repeat(9), length).isWellFormed());
  }
});

Deno.test("what folding hides and what it draws are the whole text", () => {
  const parts = [part(WORDS), part("evidence", true), part(WORDS)];
  const text = reading(parts);
  const hidden = folded(text, parts, plain);
  ok(hidden > 1000);
  const left = drawn(text).textContent.replaceAll(/ ?… /g, "");
  strictEqual(left.length + hidden, lengthOf(parts));
  ok(left.includes("evidence"));
});

Deno.test("of a text without evidence, the beginning is kept", () => {
  const text = reading([part(WORDS)]);
  ok(folded(text, [part(WORDS)], plain) > 700);
  ok(drawn(text).textContent.startsWith("word word"));
});

Deno.test("a few characters are not worth a gap", () => {
  const parts = [part("a ".repeat(100)), part("evidence", true)];
  const text = reading(parts);
  strictEqual(folded(text, parts, plain), 0);
  strictEqual(drawn(text).textContent, "a ".repeat(100) + "evidence");
});

Deno.test("a long answer is drawn up to its limit", () => {
  const text = reading([]);
  strictEqual(fillUpTo(text, [part("one two "), part("three four")], 13, plain), 5);
  strictEqual(drawn(text).textContent, "one two three …");
  const whole = reading([]);
  strictEqual(fillUpTo(whole, [part("one")], Infinity, plain), 0);
  strictEqual(drawn(whole).textContent, "one");
});

Deno.test("a folded text has a button that opens it, an open one a button that folds it, a short one none", () => {
  /** @type {boolean[]} */
  const toggled = [];
  const how = { draw: plain, onToggle: (/** @type {boolean} */ isOpen) => void toggled.push(isOpen) };
  const [, opens] = foldable([part(WORDS)], { ...how, isShort: false, isOpen: false });
  const [, folds] = foldable([part(WORDS)], { ...how, isShort: false, isOpen: true });
  const [text, none] = foldable([part("short")], { ...how, isShort: true, isOpen: false });
  ok(/^Show all \(\d+ more characters\)$/.test(drawn(opens).textContent));
  strictEqual(drawn(folds).textContent, "Fold");
  deepStrictEqual([drawn(text).textContent, none], ["short", null]);
  drawn(opens).click();
  drawn(folds).click();
  deepStrictEqual(toggled, [true, false]);
});

Deno.test("only a text with right-to-left writing gets a direction for each line", () => {
  strictEqual(reading([part("plain")]).className, "reading");
  strictEqual(reading([part("plain"), part("שלום")]).className, "reading mixed");
});

/** @type {(text: string, row: number, column: number, isMarked?: boolean) => Part} */
const cell = (text, row, column, isMarked = false) => ({ ...part(text, isMarked), cell: [row, column] });

/** @type {(table: import("./fake_document.js").FakeElement) => string[][]} */
const cellsOf = (table) => table.children.map((row) => row.children.map((one) => `${one.tagName} ${one.textContent}`));

Deno.test("the parts of a table are drawn as cells, and its text stays as it is", () => {
  const parts = [part("Plans\n"), cell("|", 0, 0), cell("A", 0, 0), cell("|", 0, 1), cell("B", 0, 1), cell("1", 1, 0)];
  const nodes = drawAll([...parts, cell("2", 1, 1, true), part("\n"), cell("C", 0, 0)], plain);
  strictEqual(nodes.length, 4);
  deepStrictEqual(cellsOf(drawn(nodes[1])), [["th |A", "th |B"], ["td 1", "td 2"]]);
  deepStrictEqual(cellsOf(drawn(nodes[3])), [["th C"]]);
  strictEqual(nodes.map((node) => node.textContent).join(""), "Plans\n|A|B12\nC");
});

Deno.test("of a folded table its head and the rows with evidence are drawn, without evidence its first rows", () => {
  const rows = Array.from({ length: 9 }, (_, row) => [cell(`${row}`, row, 0), cell("x", row, 1)]).flat();
  /** @type {(parts: Part[]) => [string[], number]} */
  const fold = (parts) => {
    const target = reading(parts);
    const hidden = folded(target, parts, plain);
    return [drawn(drawn(target).children[0]).children.map((row) => row.textContent), hidden];
  };
  deepStrictEqual(fold(rows), [["0x", "1x", "2x", "3x"], 10]);
  deepStrictEqual(fold(rows.with(14, cell("7", 7, 0, true))), [["0x", "7x"], 14]);
});
