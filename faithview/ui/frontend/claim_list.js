// A list of claims: a click or Enter opens one in its answer.

class ClaimList {
  constructor(parent) {
    this.root = el("div", "hits", { role: "list", "aria-label": "Claims", "data-faithview-hits": "" });
    this.drawn = null;
    parent.append(this.root);
    this.onPageKey = (event) => this.keyedOnPage(event);
    this.root.addEventListener("click", (event) => {
      if (String(window.getSelection() ?? "")) return; // someone is copying text
      this.open(event.target.closest(".hit"));
    });
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("keydown", this.onPageKey);
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    this.root.remove();
  }

  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    this.root.style.height = data.height === null ? "auto" : `${data.height}px`;
    dress(this.root, data.styles);
    const hits = JSON.stringify(data.hits);
    if (hits === this.drawn) return;
    this.drawn = hits;
    this.root.replaceChildren(...data.hits.map((hit, at) => drawHit(hit, at, data.hits.length, data.styles)));
    this.root.scrollTop = 0;
  }

  open(hit) {
    if (hit) this.setTriggerValue("opened", hit.dataset.id);
  }

  focused() {
    return this.root.getRootNode().activeElement?.closest(".hit") ?? null;
  }

  goTo(at) {
    const hit = this.root.children[Math.min(this.root.children.length - 1, Math.max(0, at))];
    if (!hit) return;
    for (const one of this.root.children) one.tabIndex = one === hit ? 0 : -1;
    hit.focus({ preventScroll: true });
    bringIntoView(this.root, hit, 4);
  }

  // Up, down, Home and End move the focus; Enter and space open.
  keyed(event) {
    const hit = event.target.closest(".hit");
    if (!hit || isTaken(event)) return;
    const at = [...this.root.children].indexOf(hit);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.root.children.length - 1 }[event.key];
    if (to !== undefined) this.goTo(to);
    else if (event.key === "Enter" || event.key === " ") this.open(hit);
    else return;
    event.preventDefault();
  }

  // J and K go to the next and the previous claim from anywhere on the page.
  keyedOnPage(event) {
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (!step || event.shiftKey || !this.root.children.length || isTaken(event)) return;
    event.preventDefault();
    const at = [...this.root.children].indexOf(this.focused());
    this.goTo(at < 0 ? (step > 0 ? 0 : this.root.children.length - 1) : at + step);
  }
}

function drawHit(hit, at, of, styles) {
  const place = { role: "listitem", tabindex: at ? "-1" : "0", "aria-posinset": at + 1, "aria-setsize": of, "data-id": hit.id, "data-verdict": hit.verdict };
  const from = el("div", "from", {}, hit.question ? el("bdi", "question", {}, hit.question) : null, el("bdi", "run", {}, hit.run));
  if (hit.outcome) {
    return el("div", "hit changed", place, el("div", "outcome", {}, el("b", "", {}, hit.outcome), from), ...hit.sides.map((side) => drawSide(side, styles)));
  }
  return el("div", "hit", place,
    el("div", "verdict", {}, icon(styles[hit.verdict]), hit.words),
    el("div", "body", {},
      el("div", "said", { dir: "auto" }, hit.text),
      ...hit.quotes.map(drawQuote),
      hit.explanation ? el("div", "why", { dir: "auto" }, hit.explanation) : null,
      from,
    ),
  );
}

// A claim in one of two answers: when, its verdict, its words, and what its verdict rests on.
function drawSide(side, styles) {
  return el("div", "side", { "data-verdict": side.verdict || null },
    el("div", "verdict", {}, el("span", "when", {}, side.when), side.verdict ? icon(styles[side.verdict]) : null, side.words),
    el("div", "body", {},
      side.text ? el("div", "said", { dir: "auto" }, side.text) : null,
      ...side.quotes.map(drawQuote),
      side.explanation ? el("div", "why", { dir: "auto" }, side.explanation) : null,
    ),
  );
}

function drawQuote(quote) {
  return el("div", "quote", { dir: "auto" }, el("bdi", "chunk", {}, quote.chunk), el("q", "", {}, quote.text));
}

export default mounting((parent) => new ClaimList(parent));
