// Long texts: how much of one is drawn, and where it is cut.

const AROUND = 180; // characters kept on each side of evidence
const LEAD = 260; // characters kept of a chunk without evidence
const NOT_WORTH_A_GAP = 60;

// The element that holds a text. A direction for each line takes seconds on a long text, so only a text with
// right-to-left writing gets one.
function reading(parts) {
  const isMixed = parts.some((part) => /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/.test(part.text));
  return el("div", isMixed ? "reading mixed" : "reading", { dir: "auto" });
}

// Draws parts until the limit of characters; returns how many are left out.
function fillUpTo(target, parts, limit, draw) {
  const fragment = document.createDocumentFragment();
  let room = limit;
  let left = 0;
  for (const part of parts) {
    const fits = room <= 0 ? "" : part.text.length <= room ? part.text : head(part.text, room);
    if (fits) fragment.append(draw({ ...part, text: fits }));
    room -= part.text.length;
    left += part.text.length - fits.length;
  }
  if (left) fragment.append(document.createTextNode(" \u2026"));
  target.append(fragment);
  return left;
}

// Draws the evidence with the text around it, or the beginning where there is none; returns how many characters it hides.
function folded(target, parts, draw, around = AROUND) {
  const fragment = document.createDocumentFragment();
  let hidden = 0;
  const isMarked = parts.some((part) => part.marks.length);
  parts.forEach((part, at) => {
    if (part.marks.length) {
      fragment.append(draw(part));
      return;
    }
    const before = at > 0 ? head(part.text, around) : isMarked ? "" : head(part.text, LEAD);
    const after = at < parts.length - 1 ? tail(part.text, around) : "";
    const cut = part.text.length - before.length - after.length;
    if (cut < NOT_WORTH_A_GAP) {
      fragment.append(draw(part));
      return;
    }
    hidden += cut;
    const gap = `${before ? " " : ""}\u2026 `;
    fragment.append(draw({ ...part, text: before }), el("span", "gap", {}, gap), draw({ ...part, text: after }));
  });
  target.replaceChildren(fragment);
  return hidden;
}

// Cuts between words where possible, and never inside a surrogate pair.
function head(text, length) {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(" ", length);
  const at = space > length - 40 && space > 0 ? space : length;
  return text.slice(0, isInside(text, at) ? at - 1 : at);
}

function tail(text, length) {
  if (text.length <= length) return text;
  const from = text.length - length;
  const space = text.indexOf(" ", from);
  const at = space >= 0 && space < from + 40 ? space + 1 : from;
  return text.slice(isInside(text, at) ? at + 1 : at);
}

function isInside(text, at) {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
