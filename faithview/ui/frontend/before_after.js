// Two versions of an answer side by side. A mark's line and number tell its verdict, also without colour.

class BeforeAfter {
  constructor(parent) {
    this.root = el("div", "versions");
    parent.append(this.root);
  }

  destroy() {
    this.root.remove();
  }

  update({ subject, styles, sides }) {
    dress(this.root, styles);
    if (subject === this.subject) return;
    this.subject = subject;
    this.root.replaceChildren(...sides.map((side) => this.drawSide(side, styles)));
    this.root.dataset.sides = sides.length;
  }

  drawSide({ title, note, parts }, styles) {
    const text = reading(parts);
    text.append(...parts.map((part) => drawPart(part, styles)));
    const head = el("div", "head", {}, el("div", "title", { role: "heading", "aria-level": "2" }, title), el("div", "note", {}, note));
    return el("section", "version", { "aria-label": title }, head, text);
  }
}

function drawPart({ text, change, verdict, numbers, words }, styles) {
  let node = document.createTextNode(shown(text));
  if (change) node = el({ removed: "del", added: "ins" }[change], change, {}, text);
  if (!verdict) return node;
  const mark = el("mark", "problem", { "data-verdict": verdict, "aria-description": words, title: words });
  if (numbers.length) {
    const number = el("span", "number", { "aria-hidden": "true" }, icon(styles[verdict]), numbers.join(" "));
    mark.append(number);
  }
  mark.append(node);
  return mark;
}

export default mounting((parent) => new BeforeAfter(parent));
