// Claims in texts: a part of a text with the marks of its claims, and the small parts that the panes of an answer share.

// A part with its claims' marks: one element per claim, nested. `numbered` holds the claims that have their number in
// this text already; null for a text without numbers.
function drawPart(part, payload, { isSingle, numbered }) {
  const text = shown(part.text);
  let node = part.role ? el("span", part.role, { "data-indent": part.indent ?? null }) : document.createTextNode(text);
  if (part.role) node.append(document.createTextNode(text));
  for (const { claim, lane, boxed } of [...part.marks].reverse()) {
    const { verdict, words } = payload.claims[claim - 1];
    const description = isSingle ? "the claim" : `claim ${claim}, ${words}`;
    const mark = el("span", boxed ? "mark boxed" : "mark", { role: "mark", "aria-description": description, "data-claim": claim, "data-verdict": verdict });
    mark.style.setProperty("--lane", Math.min(lane, 3));
    if (numbered && !isSingle && !numbered.has(claim)) {
      numbered.add(claim);
      mark.dataset.number = claim;
    }
    mark.append(node);
    node = mark;
  }
  if (part.more) {
    // Not a part of the text: neither copied with it nor counted by offsets into it.
    const many = part.more.toLocaleString("en");
    node.dataset.more = `+${many}`;
    node.setAttribute("title", `${many} more claims are about these words.`);
  }
  return node;
}

// The claims of an element and of the marks around it, innermost first.
function claimsAt(holder) {
  const numbers = [];
  for (let at = holder; at; at = at.parentElement?.closest(".mark")) numbers.push(Number(at.dataset.claim));
  return [...new Set(numbers)];
}

function heading(text) {
  return el("div", "heading", { role: "heading", "aria-level": "2" }, text);
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
