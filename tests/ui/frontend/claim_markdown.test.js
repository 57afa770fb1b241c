import { strictEqual } from "node:assert";

import { claimMarkdown, isOnlyHere } from "../../../faithview/ui/frontend/claim_markdown.js";

/** @type {any} */
const PAYLOAD = {
  claims: [{ text: "The *lead* can set it\nbetween 15 minutes and a day." }, { text: "Ann founded it." }],
  chunks: [
    { id: "kb-1", parts: [{ text: "Not this.", marks: [] }] },
    {
      id: "kb_2",
      parts: [
        { text: "Before. ", marks: [] },
        { text: "set it between ", marks: [{ claim: 1, lane: 0 }] },
        { text: "5 minutes", marks: [{ claim: 1, lane: 0, boxed: true }] },
        { text: " and", marks: [{ claim: 1, lane: 0 }] },
        { text: " other words ", marks: [{ claim: 2, lane: 0 }] },
        { text: "<b>8</b> hours", marks: [{ claim: 1, lane: 0 }] },
      ],
    },
  ],
};

Deno.test("a claim is quoted with its evidence, the words in bold, and the link", () => {
  strictEqual(
    claimMarkdown(PAYLOAD, 1, "https://faithview.example/answers?run=1"),
    "> The \\*lead\\* can set it between 15 minutes and a day.\n\n" +
      "kb\\_2: set it between **5 minutes** and … \\<b\\>8\\</b\\> hours\n\nhttps://faithview.example/answers?run=1",
  );
});

Deno.test("a link to this machine says that it works nowhere else", () => {
  const text = claimMarkdown({ ...PAYLOAD, chunks: [] }, 2, "http://127.0.0.1:8501/answers");
  strictEqual(text, "> Ann founded it.\n\nhttp://127.0.0.1:8501/answers (link works on this machine only)");
  for (const host of ["localhost", "127.1.2.3", "[::1]", "a.localhost"]) {
    strictEqual(isOnlyHere(`http://${host}/`), true);
  }
  for (const host of ["example.com", "10.0.0.1", "localhost.example"]) {
    strictEqual(isOnlyHere(`http://${host}/`), false);
  }
});
