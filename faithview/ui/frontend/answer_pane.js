// The question and the answer, with the place of every claim.

const ANSWER_LIMIT = 20000; // characters drawn before "show all": more takes the browser noticeably long

class AnswerPane {
  constructor(onDrawn) {
    this.root = el("div", "pane answer");
    this.onDrawn = onDrawn;
  }

  // Another answer: it begins with as much as is drawn at once.
  open(payload, isSingle) {
    this.limit = ANSWER_LIMIT;
    this.draw(payload, isSingle);
  }

  draw(payload, isSingle) {
    this.payload = payload;
    this.isSingle = isSingle;
    const { question, answer } = payload;
    const text = reading(answer);
    const numbered = new Set();
    const left = fillUpTo(text, answer, this.limit, (part) => drawPart(part, payload, { isSingle, numbered }));
    this.root.replaceChildren(
      ...(question ? [heading("Question"), el("div", "question", { dir: "auto" }, question)] : []),
      heading("Answer"),
      text,
    );
    if (left) this.root.append(action(`Show all (${left.toLocaleString("en")} more characters)`, () => this.showAll()));
  }

  showAll() {
    this.limit = Infinity;
    this.draw(this.payload, this.isSingle);
    this.onDrawn();
  }

  // Draws the words of a claim that "show all" still hides.
  reveal(number) {
    const isHidden = this.limit !== Infinity && !this.root.querySelector(`[data-claim="${number}"]`);
    if (isHidden && this.payload.claims[number - 1].is_anchored) this.showAll();
  }

  mark(number) {
    return this.root.querySelector(`.mark[data-claim="${number}"]`);
  }
}
