// One answer beside its chunks: claim, place in the answer and evidence are linked both ways.

const HOVER_REST = 140; // ms the pointer rests before the other panes scroll, so that crossing the text moves nothing

const onPage = new Set();

class AnswerView {
  constructor(parent) {
    this.root = el("div", "view");
    this.reporter = reporter(350);
    this.selected = null;
    this.pointedAt = null;
    this.topsBefore = null; // where the panes stood before the pointer made them scroll
    this.isFollowing = false; // until the person scrolls, the panes stay at the selected claim whatever changes size
    this.answerPane = new AnswerPane(() => this.light());
    this.claimPane = new ClaimPane(() => this.light());
    this.chunkPane = new ChunkPane(() => this.light());
    this.left = el("div", "column left", { tabindex: "0", role: "region", "aria-label": "Answer and claims" }, this.answerPane.root, this.claimPane.root);
    this.opening = el("div", "opening", { role: "status" });
    this.root.append(this.opening, el("div", "columns", {}, this.left, el("div", "column right", {}, this.chunkPane.root)));
    this.sizes = new ResizeObserver(() => this.keepInView());
    this.windowHeight = new WindowHeight(this.root);
    parent.append(this.root);
    this.listen();
  }

  listen() {
    onPage.add(this);
    this.onPageKey = (event) => this.keyedOnPage(event);
    this.onAsked = (event) => this.sayMark(event.detail);
    this.onBusy = (event) => this.root.classList.toggle("waiting", event.detail.isBusy);
    this.onRow = () => this.followRow();
    document.addEventListener("faithview:mark", this.onAsked);
    document.addEventListener("faithview:busy", this.onBusy);
    document.addEventListener("faithview:row", this.onRow);
    document.addEventListener("keydown", this.onPageKey);
    document.addEventListener("keydown", restBehindDialog, true);
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    this.root.addEventListener("mouseover", (event) => this.pointed(event));
    this.root.addEventListener("mouseleave", () => this.pointAt(null));
    this.root.addEventListener("click", (event) => this.clicked(event));
    for (const kind of ["wheel", "touchmove", "pointerdown"]) {
      this.root.addEventListener(kind, () => this.letGo(), { passive: true });
    }
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    document.removeEventListener("faithview:mark", this.onAsked);
    document.removeEventListener("faithview:busy", this.onBusy);
    document.removeEventListener("faithview:row", this.onRow);
    clearTimeout(this.hoverTimer);
    this.sizes.disconnect();
    this.windowHeight.stop();
    this.reporter.stop();
    onPage.delete(this);
    if (!onPage.size) document.removeEventListener("keydown", restBehindDialog, true);
    this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.isSingle = data.is_single ?? false; // one claim alone, always selected, chunks whole
    this.pageKeys = data.page_keys ?? {};
    this.marks = data.marks ?? []; // of the claims, for label keys
    this.row = data.row ?? null; // of the list of answers on the page
    dress(this.root, data.styles);
    if (data.height === null) this.windowHeight.follow();
    else this.root.style.height = `${data.height}px`;
    this.follow(data);
    this.reporter.hearSteps(setStateValue, data.subject);
    this.followRow();
  }

  follow(data) {
    this.styles = data.styles;
    if (data.subject !== this.subject) {
      this.subject = data.subject;
      this.revision = data.revision;
      const hadFocus = this.root.contains(this.root.getRootNode().activeElement);
      this.open(data.payload);
      this.reporter.follow(data.turn);
      this.select(data.selected, { report: false });
      // Whoever stepped through the last answer's claims by key continues with this one's.
      const entry = data.selected ?? this.claimPane.order()[0];
      if (hadFocus) (this.claimPane.option(entry) ?? this.left).focus({ preventScroll: true });
      return;
    }
    if (data.revision !== this.revision) this.redraw(data);
    // Otherwise the person has made a newer choice, which Python will receive.
    if (data.turn >= this.reporter.turn) {
      this.reporter.follow(data.turn);
      if (data.selected !== this.selected) this.select(data.selected, { report: false });
    }
  }

  open(payload) {
    this.payload = payload;
    this.selected = this.pointedAt = this.topsBefore = null;
    this.answerPane.open(payload, this.isSingle);
    this.claimPane.open(payload, this.styles, this.isSingle);
    this.chunkPane.open(payload, this.isSingle);
    for (const pane of [this.root, this.left, this.chunkPane.root]) pane.scrollTop = 0;
    this.watchSizes();
  }

  // Draws what people have made of the same answer, and moves nothing.
  redraw(data) {
    const { selected } = this;
    const focused = this.root.getRootNode().activeElement?.closest?.(".claim")?.dataset.claim;
    const tops = [this.left, this.chunkPane.root].map((pane) => pane.scrollTop);
    this.revision = data.revision;
    this.payload = data.payload;
    this.answerPane.draw(data.payload, this.isSingle);
    this.claimPane.draw(data.payload, this.styles, this.isSingle);
    this.chunkPane.draw(data.payload, this.isSingle);
    this.selected = selected !== null && selected <= this.payload.claims.length ? selected : null;
    this.light();
    [this.left, this.chunkPane.root].forEach((pane, at) => (pane.scrollTop = tops[at]));
    this.watchSizes(); // they were on their way to the claim, perhaps
    if (focused !== undefined) this.claimPane.option(focused)?.focus({ preventScroll: true });
    if (this.selected !== selected) moved();
  }

  // Fonts that load late, a view that is shown late and chunks that are laid out late move everything.
  watchSizes() {
    this.sizes.disconnect();
    const texts = this.root.querySelectorAll(".answer .reading, .list, .chunk");
    for (const one of [this.root, ...texts]) this.sizes.observe(one);
  }

  // ---- the list of answers, and label keys

  // Whether the list of answers, where there is one, marks the answer that is drawn here.
  isListed() {
    const listed = document.documentElement.dataset.faithviewRow;
    return this.row === null || listed === undefined || listed === this.row;
  }

  // Until the answer that the list marks is here, this says which one is on its way and greys the old one out.
  followRow() {
    const isLeaving = !this.isListed();
    this.root.classList.toggle("leaving", isLeaving);
    this.opening.textContent = isLeaving ? shown(`Opening: ${document.documentElement.dataset.faithviewTitle ?? ""}`) : "";
    moved();
  }

  // Says which claim is marked at this moment; nothing where none is, and the page then says how to select one.
  sayMark(asked) {
    if (!this.isListed()) asked.refusal = "the next answer was not on screen yet";
    else if (this.selected !== null) {
      asked.mark = this.marks[this.selected - 1] ?? null;
      asked.words = this.isSingle ? "" : `Claim ${this.selected}`;
      asked.refusal = asked.mark === null ? "this claim cannot be labelled here" : null;
    }
  }

  // ---- choosing

  select(number, { report = true, focus = false } = {}) {
    const isNew = number !== this.selected;
    this.selected = number;
    if (number !== null) {
      this.answerPane.reveal(number);
      this.claimPane.reveal(number);
    }
    this.isFollowing = number !== null;
    this.pointedAt = this.topsBefore = null;
    clearTimeout(this.hoverTimer);
    this.light();
    this.bring(number, null);
    if (focus && number !== null) this.claimPane.option(number)?.focus({ preventScroll: true });
    if (isNew && report) this.reporter.report(this.setStateValue, this.subject, number);
    if (isNew) moved();
  }

  // Highlights everything of the claim under the pointer, else of the selected claim.
  light() {
    const number = this.pointedAt ?? this.selected;
    for (const lit of this.root.querySelectorAll(".lit")) lit.classList.remove("lit");
    this.claimPane.select(this.selected);
    if (number === null) return;
    for (const one of this.root.querySelectorAll(`[data-claim="${number}"]`)) one.classList.add("lit");
    this.chunkPane.light(number);
  }

  pointAt(number, from = null) {
    if (number === this.pointedAt) return;
    this.pointedAt = number;
    this.light();
    clearTimeout(this.hoverTimer);
    this.hoverTimer = setTimeout(() => (number === null ? this.goBack() : this.look(number, from)), HOVER_REST);
  }

  // Scrolls to the claim under the pointer.
  look(number, from) {
    this.topsBefore ??= this.scrollers().map((pane) => [pane, pane.scrollTop]);
    this.bring(number, from);
  }

  // The pointer has left: the panes that it moved go back to where they stood.
  goBack() {
    const before = this.topsBefore ?? [];
    this.topsBefore = null;
    if (this.isFollowing) this.bring(this.selected, null);
    else for (const [pane, top] of before) scrollPane(pane, top - pane.scrollTop);
  }

  // The person scrolls: nothing is moved any more until they choose a claim.
  letGo() {
    this.isFollowing = false;
    this.topsBefore = null;
  }

  keepInView() {
    if (this.isFollowing && this.pointedAt === null) this.bring(this.selected, null, { isAtOnce: true });
  }

  // Scrolls every pane, except the one under the pointer, to the claim.
  bring(number, except, { isAtOnce = false } = {}) {
    if (number === null) return;
    const left = this.scrollerOf(this.left);
    const option = this.claimPane.option(number);
    if (left !== except) bringTogether(left, this.answerPane.mark(number), option?.offsetParent ? option : null, isAtOnce);
    const right = this.scrollerOf(this.chunkPane.root);
    const place = this.chunkPane.place(number);
    if (place && right !== except) bringIntoView(right, place, 32, isAtOnce);
  }

  // Where the columns are stacked, the whole view scrolls in place of its panes.
  scrollerOf(pane) {
    return getComputedStyle(pane).overflowY === "visible" ? this.root : pane;
  }

  scrollers() {
    return [...new Set([this.left, this.chunkPane.root].map((pane) => this.scrollerOf(pane)))];
  }

  // ---- mouse and keyboard

  pointed(event) {
    // A pane that scrolls under a resting pointer must not select anything.
    if (event.screenX === this.pointerX && event.screenY === this.pointerY) return;
    [this.pointerX, this.pointerY] = [event.screenX, event.screenY];
    const holder = event.target.closest("[data-claim]");
    if (!holder) {
      this.pointAt(null);
      return;
    }
    const candidates = claimsAt(holder);
    const number = candidates.includes(this.selected) ? this.selected : candidates[0];
    this.pointAt(number, this.scrollerOf(holder.closest(".left, .chunks")));
  }

  clicked(event) {
    if (event.target.closest("button, summary")) return;
    const holder = event.target.closest("[data-claim]");
    if (!holder) return;
    if (String(window.getSelection() ?? "") && holder.closest(".reading")) return; // someone is copying text
    // Where several claims share the same words, each click selects the next of them.
    const candidates = claimsAt(holder);
    const at = candidates.indexOf(this.selected);
    const number = candidates[(at + 1) % candidates.length];
    this.select(number, { focus: true });
    const article = this.chunkPane.articles.get(event.target.closest(".ids .id")?.dataset.chunk);
    if (article) bringIntoView(this.scrollerOf(this.chunkPane.root), article);
  }

  keyed(event) {
    if (["PageUp", "PageDown", " ", "Enter"].includes(event.key)) this.letGo(); // they scroll or unfold
    if (isTaken(event) || event.target.closest("button, summary, details")) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const order = this.claimPane.order();
    if (step && order.length) this.step(step);
    else if (event.key === "Home" && order.length) this.select(order[0], { focus: true });
    else if (event.key === "End" && order.length) this.select(order.at(-1), { focus: true });
    else if (event.key === "Escape" && this.selected !== null && !this.isSingle) this.select(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // With the only view on the page, left and right step through its claims from the page itself and from the list of
  // answers; up and down are left to scrolling and to the list.
  keyedOnPage(event) {
    if (pressPageKey(event, this.pageKeys)) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || onPage.size !== 1 || !this.payload.claims.length || isTaken(event)) return;
    const target = event.composedPath()[0];
    if (target !== document.body && !target.closest?.("[data-faithview-list]")) return;
    event.preventDefault();
    if (this.isListed()) this.step(step);
  }

  // The next claim in the order of the list.
  step(by) {
    const order = this.claimPane.order();
    const at = order.indexOf(this.selected);
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
    this.select(order[next], { focus: true });
  }
}

function moved() {
  document.dispatchEvent(new CustomEvent("faithview:moved"));
}

// Scrolls a pane so that the words of a claim and its line in the list are both visible; where both do not fit, the line.
function bringTogether(pane, words, option, isAtOnce) {
  if (!option) {
    if (words) bringIntoView(pane, words, 24, isAtOnce);
    return;
  }
  const [outer, from, to] = [pane, words ?? option, option].map((one) => one.getBoundingClientRect());
  const both = { top: Math.min(from.top, to.top), bottom: Math.max(from.bottom, to.bottom) };
  const fits = both.bottom - both.top + 48 <= outer.height;
  bringBoxIntoView(pane, fits ? both : to, fits ? 24 : 6, isAtOnce);
}

export default mounting((parent) => new AnswerView(parent));
