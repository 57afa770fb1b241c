// Two versions of a text in one: removed words struck out, added words underlined, long unchanged stretches folded.

const NEAR = 80; // characters kept on each side of a change

class WordDiff {
  constructor(parent) {
    this.root = el("div", "diff");
    this.isOpen = false;
    parent.append(this.root);
  }

  destroy() {
    this.root.remove();
  }

  update({ subject, title, parts, words }) {
    if (subject === this.subject) return;
    this.subject = subject;
    this.isOpen = false;
    this.parts = parts.map((part) => ({ ...part, marks: part.kind === "same" ? [] : [part.kind] }));
    this.title = title;
    this.words = words;
    this.draw();
  }

  draw() {
    const text = reading(this.parts);
    const hidden = this.isOpen ? 0 : folded(text, this.parts, drawPiece, NEAR);
    if (this.isOpen) text.replaceChildren(...this.parts.map(drawPiece));
    const key = [
      this.title ? el("bdi", "title", {}, this.title) : null,
      el("span", "", {}, this.words),
      this.parts.some((part) => part.kind === "removed") ? el("del", "removed", {}, "before") : null,
      this.parts.some((part) => part.kind === "added") ? el("ins", "added", {}, "now") : null,
    ];
    this.root.replaceChildren(el("div", "key", {}, key), text);
    if (!hidden && !this.isOpen) return;
    const words = hidden ? `Show all (${hidden.toLocaleString("en")} more characters)` : "Fold";
    const button = el("button", "action", { type: "button" }, words);
    button.addEventListener("click", () => {
      this.isOpen = !this.isOpen;
      this.draw();
    });
    this.root.append(button);
  }
}

function drawPiece(part) {
  const tag = { removed: "del", added: "ins" }[part.kind];
  return tag ? el(tag, part.kind, {}, part.text) : document.createTextNode(shown(part.text));
}

export default mounting((parent) => new WordDiff(parent));
