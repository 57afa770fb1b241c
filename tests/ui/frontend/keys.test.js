import { deepStrictEqual, strictEqual } from "node:assert";

import { withRole } from "../../../faithview/ui/frontend/column_roles.js";
import { isTaken, letterStep, movedTo, nameOf, takesArrows } from "../../../faithview/ui/frontend/keys.js";
import { whyNot } from "../../../faithview/ui/frontend/label_keys.js";
import { mounting } from "../../../faithview/ui/frontend/mounting.js";
import { Outbox } from "../../../faithview/ui/frontend/outbox.js";
import { distanceTo, distanceToThird } from "../../../faithview/ui/frontend/scrolling.js";
import { fakeDocument } from "./fake_document.js";

fakeDocument();

/**
 * @param {string} key
 * @param {Partial<KeyboardEvent>} [more]
 * @param {string | null} [field] what the target is inside
 */
function pressed(key, more = {}, field = null) {
  const target = { closest: (/** @type {string} */ selector) => field && selector.includes(field) ? {} : null };
  return /** @type {KeyboardEvent} */ (/** @type {unknown} */ ({ key, composedPath: () => [target], ...more }));
}

Deno.test("up, down, Home and End stay inside a list", () => {
  deepStrictEqual(["ArrowDown", "ArrowUp", "Home", "End"].map((key) => movedTo(key, 1, 3)), [2, 0, 0, 2]);
  deepStrictEqual([movedTo("ArrowUp", 0, 3), movedTo("ArrowDown", 2, 3)], [0, 2]);
  deepStrictEqual([movedTo("Enter", 1, 3), movedTo("toString", 1, 3)], [undefined, undefined]);
});

Deno.test("J and K step through a list, and Shift leaves them to the page", () => {
  deepStrictEqual(["j", "J", "k", "x"].map((key) => letterStep(pressed(key))), [1, 1, -1, 0]);
  strictEqual(letterStep(pressed("J", { shiftKey: true })), 0);
});

Deno.test("a letter has one name with and without Shift, other keys their own", () => {
  deepStrictEqual(["N", "n", "Enter"].map((key) => nameOf(pressed(key))), ["n", "n", "Enter"]);
});

Deno.test("a key in a field, with a modifier, or in an unfinished word is not the component's", () => {
  strictEqual(isTaken(pressed("1")), false);
  strictEqual(isTaken(pressed("1", {}, "textarea")), true);
  for (const more of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }]) {
    strictEqual(isTaken(pressed("1", more)), true);
  }
  strictEqual(isTaken(pressed("1", { defaultPrevented: true })), true);
});

Deno.test("presses are kept and sent again until they are answered", () => {
  const outbox = new Outbox();
  outbox.add("claim-1", "supported", "Claim 1: supported");
  outbox.add("claim-2", "contradicted", "Claim 2: contradicted");
  deepStrictEqual(outbox.unanswered(), [
    { sequence: 1, mark: "claim-1", action: "supported" },
    { sequence: 2, mark: "claim-2", action: "contradicted" },
  ]);
  deepStrictEqual(outbox.settle(1, [{ sequence: 1, refusal: "gone" }]), [
    { words: "Claim 1: supported", refusal: "gone" },
  ]);
  deepStrictEqual(outbox.unanswered().map((press) => press.sequence), [2]);
  deepStrictEqual(outbox.settle(2, []), [{ words: "Claim 2: contradicted", refusal: null }]);
  deepStrictEqual(outbox.settle(2, []), []);
});

Deno.test("a press has a later number than all that the server has answered, also after a reload", () => {
  const outbox = new Outbox();
  outbox.settle(7, []);
  outbox.add("claim-1", "supported", "");
  deepStrictEqual(outbox.unanswered().map((press) => press.sequence), [8]);
});

Deno.test("a full outbox takes no more presses", () => {
  const outbox = new Outbox();
  for (let number = 0; number < 100; number += 1) outbox.add(null, "next", "");
  strictEqual(outbox.isFull, true);
  outbox.settle(1, []);
  strictEqual(outbox.isFull, false);
});

Deno.test("why a label key is refused: the page's reason first, then the view's", () => {
  const page = { claimless: ["next"], refusal: null, unmarked: "no claim is on screen" };
  const marked = { mark: "claim-1", words: "Claim 1", refusal: null };
  const none = { mark: null, words: "", refusal: null };
  strictEqual(whyNot(page, "supported", marked, false), null);
  strictEqual(whyNot(page, "supported", none, false), "no claim is on screen");
  strictEqual(whyNot(page, "next", none, false), null);
  strictEqual(whyNot(page, "supported", { ...marked, refusal: "not here" }, false), "not here");
  strictEqual(whyNot(page, "supported", marked, true), "the next claim was not on screen yet");
  strictEqual(whyNot({ ...page, refusal: "read only" }, "supported", marked, true), "read only");
});

Deno.test("a role that only one column can have leaves the column that had it", () => {
  deepStrictEqual(withRole(["answer", "", "ignore"], 1, "answer", ["ignore"]), ["", "answer", "ignore"]);
  deepStrictEqual(withRole(["answer", "", "ignore"], 1, "ignore", ["ignore"]), ["answer", "ignore", "ignore"]);
});

Deno.test("a pane scrolls as little as it must", () => {
  const pane = { top: 100, bottom: 300 };
  strictEqual(distanceTo({ top: 150, bottom: 200 }, pane, 24), 0);
  strictEqual(distanceTo({ top: 290, bottom: 310 }, pane, 24), 34);
  strictEqual(distanceTo({ top: 50, bottom: 90 }, pane, 24), -74);
  strictEqual(distanceTo({ top: 200, bottom: 900 }, pane, 24), 76, "of what does not fit, the top is shown");
});

Deno.test("only the clean-up of the latest call ends a view, and the next call makes a new one", () => {
  /** @type {string[]} */
  const log = [];
  const component = mounting(() => {
    log.push("made");
    return { update: (data) => void log.push(data), destroy: () => void log.push("destroyed") };
  });
  const parentElement = /** @type {HTMLElement} */ (/** @type {unknown} */ ({}));
  const call = (/** @type {string} */ data) =>
    component({ data, parentElement, setStateValue: () => {}, setTriggerValue: () => {} });
  const first = call("one");
  const second = call("two");
  first();
  deepStrictEqual(log, ["made", "one", "two"]);
  second();
  second();
  call("three");
  deepStrictEqual(log, ["made", "one", "two", "destroyed", "made", "three"]);
});

Deno.test("evidence is brought to a third of its pane, unless it is in the upper two thirds", () => {
  const pane = { top: 100, bottom: 700 };
  strictEqual(distanceToThird({ top: 140, bottom: 200 }, pane), 0);
  strictEqual(distanceToThird({ top: 440, bottom: 500 }, pane), 0);
  strictEqual(distanceToThird({ top: 600, bottom: 660 }, pane), 300); // its top comes to 300
  strictEqual(distanceToThird({ top: 20, bottom: 60 }, pane), -280);
  strictEqual(distanceToThird({ top: 600, bottom: 1500 }, pane), 468); // as high as it can be
  strictEqual(distanceToThird({ top: 132, bottom: 1032 }, pane), 0);
});

Deno.test("left and right are left to controls that step with them", () => {
  /** @type {(selector: string) => any} */
  const within = (found) => ({ closest: (/** @type {string} */ selector) => (selector.includes(found) ? {} : null) });
  strictEqual(takesArrows(within("[role=radio]")), true);
  strictEqual(takesArrows(within("a[href]")), false);
});
