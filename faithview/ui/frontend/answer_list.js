// The answers of a run as a list: a click or Enter opens one; J and K step through it from anywhere on the page, and the
// page's own keys go to its fields and buttons.

class AnswerList {
  constructor(parent) {
    this.root = el("div", "answers", { role: "listbox", "aria-label": "Answers", "data-faithview-list": "" });
    this.reporter = reporter(200);
    this.selected = null;
    this.drawn = null;
    this.windowHeight = new WindowHeight(this.root);
    parent.append(this.root);
    this.onPageKey = (event) => this.keyedOnPage(event);
    this.root.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) this.choose(row.dataset.key, { focus: true });
    });
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("keydown", this.onPageKey);
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    this.reporter.stop();
    this.windowHeight.stop();
    sayRow(undefined);
    this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    this.subject = data.subject;
    this.pageKeys = data.page_keys;
    if (data.height === null) this.windowHeight.follow();
    else this.root.style.height = `${data.height}px`;
    dress(this.root, data.styles);
    const rows = JSON.stringify(data.rows);
    const isNew = rows !== this.drawn;
    if (isNew) {
      this.drawn = rows;
      this.draw(data.rows, data.styles);
    }
    // The person has made a newer choice: the list keeps it until Python has received it.
    const isCurrent = data.turn >= this.reporter.turn;
    this.reporter.follow(data.turn);
    this.reporter.hearSteps(setStateValue, data.subject);
    if (isNew || isCurrent) this.show(isCurrent ? data.selected : this.selected);
  }

  draw(rows, styles) {
    const hadFocus = this.root.contains(this.root.getRootNode().activeElement);
    this.keys = rows.map((row) => row.key);
    const top = this.root.scrollTop;
    this.root.replaceChildren(...rows.map((row, at) => drawRow(row, at, rows.length, styles)));
    this.root.scrollTop = top;
    this.hadFocus = hadFocus;
  }

  row(key) {
    return this.root.children[this.keys.indexOf(key)];
  }

  show(key) {
    this.selected = key;
    const chosen = this.row(key);
    sayRow(key, chosen?.querySelector(".title").textContent);
    for (const row of this.root.children) {
      row.setAttribute("aria-selected", String(row === chosen));
      row.tabIndex = row === (chosen ?? this.root.firstChild) ? 0 : -1;
    }
    if (!chosen) return;
    bringIntoView(this.root, chosen, 4);
    if (this.hadFocus) chosen.focus({ preventScroll: true });
    this.hadFocus = false;
  }

  choose(key, { focus = false } = {}) {
    const isOpen = key === this.selected;
    const hadFocus = this.root.contains(this.root.getRootNode().activeElement);
    this.show(key);
    if (focus || hadFocus) this.row(key).focus({ preventScroll: true });
    if (!isOpen) this.reporter.report(this.setStateValue, this.subject, key);
  }

  // Up, down, Home and End move the focus; Enter and space open.
  keyed(event) {
    if (isTaken(event)) return;
    const rows = [...this.root.children];
    const at = rows.indexOf(event.target.closest(".row"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
      row?.focus({ preventScroll: true });
      if (row) bringIntoView(this.root, row, 4);
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) this.choose(this.keys[at]);
    else return;
    event.preventDefault();
  }

  keyedOnPage(event) {
    if (pressPageKey(event, this.pageKeys)) return;
    const step = { j: 1, k: -1 }[event.key.toLowerCase()];
    if (!step || event.shiftKey || !this.keys.length || isTaken(event)) return;
    event.preventDefault();
    const at = this.keys.indexOf(this.selected);
    const to = at < 0 ? (step > 0 ? 0 : this.keys.length - 1) : at + step;
    if (to >= 0 && to < this.keys.length) this.choose(this.keys[to]);
  }
}

// Says which answer is marked, to the view that may still show another one.
function sayRow(key, title = "") {
  const { dataset } = document.documentElement;
  dataset.faithviewTitle = title;
  if (key === undefined || key === null) delete dataset.faithviewRow;
  else dataset.faithviewRow = key;
  document.dispatchEvent(new CustomEvent("faithview:row"));
}

function drawRow(row, at, of, styles) {
  const counts = el("span", "counts", { role: "img", "aria-label": `Claims: ${row.bar_words}`, title: row.bar_words },
    row.bar.map(([verdict, number]) => el("span", `count ${verdict}`, {}, icon(styles[verdict]), String(number))),
  );
  return el("div", "row", { role: "option", tabindex: "-1", "aria-selected": "false", "aria-posinset": at + 1, "aria-setsize": of, "data-key": row.key },
    el("span", row.score === null ? "state" : "score", {}, row.score ?? row.state),
    el("span", "title", { dir: "auto" }, row.title),
    row.bar.length ? counts : el("span", "counts", {}),
    row.segment ? el("span", "segment", { dir: "auto" }, row.segment) : null,
  );
}

export default mounting((parent) => new AnswerList(parent));
