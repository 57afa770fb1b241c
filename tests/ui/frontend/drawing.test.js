import { deepStrictEqual, strictEqual } from "node:assert";

import { el, icon, shown } from "../../../faithview/ui/frontend/drawing.js";
import { drawn, fakeDocument } from "./fake_document.js";

fakeDocument();

Deno.test("hidden characters are shown, and ordinary text stays as it is", () => {
  strictEqual(shown("a\u0007b\u007f\u202eeno\u202c"), "a\u2407b\u2421⟨U+202E⟩eno⟨U+202C⟩");
  strictEqual(shown("one\r\ntwo\tthree\n"), "one\ntwo\tthree\n");
  for (const text of ["👩‍👩‍👧", "שלום\u200f!", "a\u200eb"]) strictEqual(shown(text), text);
});

Deno.test("texts become text nodes, never markup", () => {
  const bad = "<img src=x onerror=alert(1)>";
  const element = drawn(el("p", "said", { title: bad }, bad, [el("b", "", {}, bad), null], undefined));
  strictEqual(element.textContent, bad + bad);
  deepStrictEqual(element.children.map((child) => child.tagName), ["b"]);
  strictEqual(element.getAttribute("title"), bad);
});

Deno.test("attributes without a value are left out, and 0 and empty ones are kept", () => {
  const element = drawn(el("div", "", { a: null, b: undefined, c: "", d: 0 }));
  deepStrictEqual([...element.attributes], [["c", ""], ["d", "0"]]);
});

Deno.test("an icon has the shapes of its verdict only", () => {
  const style = {
    word: "",
    stroke: "M1 1",
    fill: "",
    light: "",
    dark: "",
    underline: "",
  };
  const paths = drawn(icon(style)).children;
  deepStrictEqual(paths.map((path) => [path.getAttribute("class"), path.getAttribute("d")]), [["stroked", "M1 1"]]);
});
