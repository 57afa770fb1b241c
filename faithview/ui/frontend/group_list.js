// The claims of the inbox. Each row is a link into Inspect and has a box to tick; what is pressed over ticked rows goes
// to the server with the ids that were ticked at that moment.

class GroupList {
  constructor(parent) {
    this.root = el("div", "inbox", { "data-faithview-inbox": "" });
    this.bar = el("div", "bar");
    this.rows = el("div", "rows", { role: "list", "aria-label": "Claims" });
    this.root.append(this.bar, this.rows);
    parent.append(this.root);
    this.ticked = new Set();
    this.drawn = null;
    this.onPageKey = (event) => this.keyedOnPage(event);
    this.rows.addEventListener("click", (event) => this.clicked(event));
    this.rows.addEventListener("change", (event) => this.tick(event.target.closest(".row"), event.target.checked));
    this.rows.addEventListener("keydown", (event) => this.keyed(event));
    this.rows.addEventListener("focusin", (event) => this.hold(event.target.closest(".row")));
    document.addEventListener("keydown", this.onPageKey);
  }

  destroy() {
    document.removeEventListener("keydown", this.onPageKey);
    this.root.remove();
  }

  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    this.data = data;
    dress(this.root, data.styles);
    const drawn = JSON.stringify([data.groups, data.reviewers, data.refusal, data.summary]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const held = this.rows.querySelector(".row:focus-within")?.dataset.id;
    const listed = new Set(data.groups.map((group) => group.id));
    this.ticked = new Set([...this.ticked].filter((id) => listed.has(id)));
    this.rows.replaceChildren(...data.groups.map((group) => drawRow(group, data.styles, this.ticked.has(group.id))));
    this.hold(this.rowOf(held) ?? this.rows.firstElementChild);
    if (held) this.rowOf(held)?.querySelector(".open").focus({ preventScroll: true });
    this.drawBar();
  }

  drawBar() {
    const { data } = this;
    const all = el("input", "", { type: "checkbox", "aria-label": "Tick all rows of this page" });
    all.checked = this.ticked.size > 0 && this.ticked.size === data.groups.length;
    all.indeterminate = this.ticked.size > 0 && !all.checked;
    all.addEventListener("change", () => this.tickAll(all.checked));
    const claims = data.groups.filter((group) => this.ticked.has(group.id)).reduce((sum, group) => sum + group.listed, 0);
    const told = `${plural(this.ticked.size, "row")} ticked, ${plural(claims, "claim")}`;
    const status = el("span", "status", { role: "status" }, this.ticked.size ? told : data.summary);
    this.root.classList.toggle("some", this.ticked.size > 0);
    this.bar.replaceChildren(el("label", "all", {}, all), status, ...(this.ticked.size ? this.actions() : []));
  }

  actions() {
    const { data } = this;
    if (data.refusal) return [el("span", "refusal", {}, data.refusal)];
    const buttons = data.choices.map((choice, at) => {
      const style = data.styles[choice.value];
      const button = el("button", "choice", { type: "button", "data-choice": choice.value, "data-verdict": choice.value }, style ? icon(style) : null, choice.word, el("kbd", "", { "aria-hidden": "true" }, String(at + 1)));
      button.addEventListener("click", () => this.press("label", choice.value));
      return button;
    });
    const field = el("input", "who", { type: "text", list: "reviewers", maxlength: "100", placeholder: "Reviewer", "aria-label": "Assign to" });
    const assign = el("button", "assign", { type: "button" }, "Assign");
    assign.addEventListener("click", () => this.press("assign", field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.press("assign", field.value);
    });
    const names = el("datalist", "", { id: "reviewers" }, data.reviewers.map((name) => el("option", "", { value: name })));
    return [el("span", "label", { role: "group", "aria-label": "Label the ticked claims" }, buttons), el("span", "label", {}, field, assign, names)];
  }

  press(action, value) {
    if (!this.ticked.size || this.data.refusal) return;
    this.setTriggerValue("pressed", { action, value, groups: [...this.ticked] });
    this.tickAll(false);
  }

  tick(row, isTicked) {
    if (!row) return;
    if (isTicked) this.ticked.add(row.dataset.id);
    else this.ticked.delete(row.dataset.id);
    row.querySelector(".tick").checked = isTicked;
    row.classList.toggle("ticked", isTicked);
    this.drawBar();
  }

  tickAll(isTicked) {
    for (const row of this.rows.children) this.tick(row, isTicked);
    this.drawBar();
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row || event.target.closest(".box") || event.defaultPrevented) return;
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button);
    if (!isPlain) return; // the browser opens a new tab
    event.preventDefault();
    if (String(window.getSelection() ?? "")) return; // someone is copying text
    openPage(row.querySelector(".open").href);
  }

  rowOf(id) {
    return [...this.rows.children].find((row) => row.dataset.id === id) ?? null;
  }

  // One row is reached by the Tab key, the others by the arrows.
  hold(row) {
    if (!row) return;
    for (const one of this.rows.children) {
      for (const place of one.querySelectorAll(".open, .tick")) place.tabIndex = one === row ? 0 : -1;
    }
  }

  goTo(at) {
    const row = this.rows.children[Math.min(this.rows.children.length - 1, Math.max(0, at))];
    if (!row) return;
    this.hold(row);
    row.querySelector(".open").focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  at() {
    return [...this.rows.children].findIndex((row) => row.matches(":focus-within"));
  }

  // Up, down, Home and End move the focus; X ticks; a link opens by itself with Enter.
  keyed(event) {
    const isLink = event.target.matches(".open");
    if (event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return;
    const at = this.at();
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.rows.children.length - 1 }[event.key];
    if (to !== undefined) this.goTo(to);
    else if (isLink && event.key === " ") this.tick(this.rows.children[at], !this.ticked.has(this.rows.children[at].dataset.id));
    else return;
    event.preventDefault();
  }

  // J and K go to the next and the previous row from anywhere on the page, X ticks it, and 1 to 5 label what is ticked.
  keyedOnPage(event) {
    const target = event.composedPath()[0];
    const isTick = target instanceof Element && target.matches(".tick");
    if (event.shiftKey || !this.rows.children.length || (!isTick && isTaken(event))) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const step = { j: 1, k: -1 }[key];
    const at = this.at();
    if (step) this.goTo(at < 0 ? 0 : at + step);
    else if (key === "x" && at >= 0) this.tick(this.rows.children[at], !this.ticked.has(this.rows.children[at].dataset.id));
    else if (/^[1-5]$/.test(key) && this.ticked.size) this.press("label", this.data.choices[Number(key) - 1].value);
    else return;
    event.preventDefault();
  }
}

function plural(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function drawRow(group, styles, isTicked) {
  const tick = el("input", "tick", { type: "checkbox", tabindex: "-1", "aria-label": `Tick: ${shown(group.parts.map((part) => part.text).join(""))}` });
  tick.checked = isTicked;
  const text = group.parts.map((part) => (part.isMatch ? el("mark", "found", {}, part.text) : part.text));
  const style = styles[group.verdict];
  const row = el("div", isTicked ? "row ticked" : "row", { role: "listitem", "data-id": group.id, "data-verdict": group.verdict },
    el("label", "box", {}, tick),
    el("div", "verdict", {}, style ? icon(style) : null, group.words),
    el("div", "body", {},
      el("a", "open", { href: group.href, dir: "auto", tabindex: "-1" }, text),
      group.explanation ? el("div", "why", { dir: "auto" }, group.explanation) : null,
      el("div", "facts", {},
        el("bdi", "where", {}, group.where),
        group.latest ? el("bdi", "latest", {}, group.latest) : null,
        group.state ? el("span", "state", {}, group.state) : null,
        group.assigned ? el("bdi", "assigned", {}, group.assigned) : null,
        group.question ? el("bdi", "question", {}, group.question) : null,
      ),
    ),
  );
  return row;
}

export default mounting((parent) => new GroupList(parent));
