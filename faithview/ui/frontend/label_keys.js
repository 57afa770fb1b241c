// Label keys: a press is sent with the mark of the claim that is marked at that moment, and kept until it is answered.
//
// Views answer the event "faithview:mark" at once: which claim is marked, or why none is. They say "faithview:moved" when
// that changes, and grey themselves out while "faithview:busy" says that the page is waiting for the server.

const MOST_WAITING = 100;
const STORED_FOR = 4000; // ms that a stored label is shown
const REFUSED_FOR = 15000; // ms that refused keys are shown after the last of them
const NOT_THERE = "the next claim was not on screen yet";

// By page: presses without an answer. They outlive the component, which Streamlit may draw anew at any time.
const outboxes = new Map();
const onPages = new Map();

class LabelKeys {
  constructor(parent) {
    this.root = el("div", "keys");
    this.progress = el("div", "note", { role: "status" });
    this.refused = el("div", "note refused", { role: "alert" });
    this.root.append(this.refused, this.progress);
    this.root.dataset.refused = "0"; // all keys that were not taken since the component was drawn
    this.number = 0; // those of the note that is shown
    parent.append(this.root);
    this.onKey = (event) => this.keyed(event);
    this.onClick = (event) => this.clicked(event);
    this.onMoved = () => this.fence();
    this.onLeave = (event) => {
      if (this.outbox.presses.length) event.preventDefault();
    };
    document.addEventListener("keydown", this.onKey, true);
    document.addEventListener("click", this.onClick, true);
    document.addEventListener("faithview:moved", this.onMoved);
    window.addEventListener("beforeunload", this.onLeave);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey, true);
    document.removeEventListener("click", this.onClick, true);
    document.removeEventListener("faithview:moved", this.onMoved);
    window.removeEventListener("beforeunload", this.onLeave);
    clearTimeout(this.progressTimer);
    clearTimeout(this.refusedTimer);
    setInert(this.area, false);
    if (onPages.get(this.page) === this) onPages.delete(this.page);
    setTimeout(() => warnOfUnsent(this.page), 1500); // unless Streamlit only draws the component anew
    this.root.remove();
  }

  update(data, setStateValue) {
    const isFirst = this.data === undefined;
    this.setStateValue = setStateValue;
    this.data = data;
    this.page = data.page;
    this.area = data.area;
    if (!outboxes.has(data.page)) outboxes.set(data.page, { presses: [], sequence: 0 });
    this.outbox = outboxes.get(data.page);
    this.outbox.sequence = Math.max(this.outbox.sequence, data.acknowledged);
    onPages.set(data.page, this);
    document.querySelector(`[data-faithview-unsent="${data.page}"]`)?.remove();
    this.settle();
    if (isFirst && this.outbox.presses.length) this.send();
    this.fence();
  }

  // Takes the presses that are answered out of the outbox.
  settle() {
    const answered = this.outbox.presses.filter((press) => press.sequence <= this.data.acknowledged);
    if (!answered.length) return;
    this.outbox.presses = this.outbox.presses.filter((press) => press.sequence > this.data.acknowledged);
    const refusals = new Map(this.data.answers.map((answer) => [answer.sequence, answer.refusal]));
    for (const press of answered) {
      const refusal = refusals.get(press.sequence);
      if (refusal) this.refuse(press.words, refusal);
      else this.done = press.words;
    }
    this.showProgress();
  }

  // ---- pressing

  keyed(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!Object.hasOwn(this.data.keys, key) || isTaken(event)) return;
    const target = event.composedPath()[0];
    if (key === "Enter" && target.closest?.("button, a, summary, [role=option], [role=radio], [role=tab]")) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) this.press(this.data.keys[key], this.marked());
  }

  // The page's own buttons, which take the same way as the keys.
  clicked(event) {
    const button = event.target.closest?.(`${this.area} button`);
    const holder = button?.closest('[class*="st-key-"]');
    if (!holder || button.disabled) return;
    const names = [...holder.classList].filter((name) => name.startsWith("st-key-"));
    const end = Object.keys(this.data.buttons).find((end) => names.some((name) => name.endsWith(`-${end}`)));
    if (end === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const marked = this.marked();
    if (!marked.refusal && marked.mark !== this.data.mark) marked.refusal = NOT_THERE;
    this.press(this.data.buttons[end], marked);
  }

  press(action, marked) {
    const words = [marked.words, this.data.words[action]].filter(Boolean).join(": ");
    const isHere = marked.mark !== null || this.data.claimless.includes(action);
    const refusal = this.data.refusal ?? (this.isBusy() ? NOT_THERE : marked.refusal ?? (isHere ? null : this.data.unmarked));
    if (refusal) this.refuse(words, refusal);
    else if (this.outbox.presses.length >= MOST_WAITING) this.refuse(words, "too many labels are on their way");
    else {
      this.outbox.sequence += 1;
      this.outbox.presses.push({ sequence: this.outbox.sequence, mark: marked.mark, action, words });
      this.send();
      this.showProgress();
      this.fence();
    }
  }

  // The claim that is marked now, as the view on the page says.
  marked() {
    const asked = { mark: null, words: "", refusal: null };
    document.dispatchEvent(new CustomEvent("faithview:mark", { detail: asked }));
    return asked;
  }

  isBusy() {
    return this.data.waits && this.outbox.presses.length > 0;
  }

  // All that is not answered: the server may not have seen what was sent before.
  send() {
    const presses = this.outbox.presses.map(({ sequence, mark, action }) => ({ sequence, mark, action }));
    this.setStateValue("presses", { presses });
  }

  // ---- showing

  // Buttons and fields stay at the lower edge of the window while what they belong to is longer than the window.
  stick() {
    const place = this.data.sticks && document.querySelector(this.area);
    if (!place) return;
    let bar = place; // the part of the page's column that holds nothing but the buttons and fields
    while (bar.parentElement?.children.length === 1) bar = bar.parentElement;
    const page = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
    Object.assign(bar.style, { position: "sticky", bottom: "0", zIndex: "5", background: page.backgroundColor });
  }

  // Buttons and fields rest while they belong to another claim than the marked one.
  fence() {
    if (!this.data) return;
    this.stick();
    const isBusy = this.isBusy();
    document.dispatchEvent(new CustomEvent("faithview:busy", { detail: { isBusy } }));
    setInert(this.area, isBusy || (this.data.mark !== null && this.marked().mark !== this.data.mark));
  }

  showProgress() {
    clearTimeout(this.progressTimer);
    const { presses } = this.outbox;
    if (presses.length) {
      const others = presses.length > 1 ? ` and ${presses.length - 1} more` : "";
      this.progress.textContent = shown(`${presses.at(-1).words}${others} … on the way`);
      return;
    }
    this.progress.textContent = this.done ? shown(`${this.done} ✓`) : "";
    this.progressTimer = setTimeout(() => (this.progress.textContent = ""), STORED_FOR);
  }

  refuse(words, reason) {
    this.number += 1;
    this.root.dataset.refused = String(Number(this.root.dataset.refused) + 1);
    const what = this.number === 1 ? "Not done" : `${this.number} presses not done, the last`;
    this.refused.textContent = shown(`${what}: ${words}. Why: ${reason.replace(/\.$/, "")}.`);
    clearTimeout(this.refusedTimer);
    this.refusedTimer = setTimeout(() => {
      this.number = 0;
      this.refused.textContent = "";
    }, REFUSED_FOR);
  }
}

function setInert(area, isInert) {
  const place = area && document.querySelector(area);
  if (!place || place.inert === isInert) return;
  place.inert = isInert;
  place.style.opacity = isInert ? "0.4" : "";
}

// On another page: labels that were pressed last and not answered yet are sent when the page is opened again.
function warnOfUnsent(page) {
  const number = outboxes.get(page)?.presses.length ?? 0;
  if (!number || onPages.has(page)) return;
  const text = `${number === 1 ? "1 label was" : `${number} labels were`} not sent yet. Go back to the page where you gave ${number === 1 ? "it" : "them"}.`;
  const note = el("div", "", { role: "alert", "data-faithview-unsent": page }, text);
  note.style.cssText =
    "position:fixed;inset:0.5rem auto auto 50%;transform:translateX(-50%);z-index:1000000;padding:0.5rem 1rem;border-radius:8px;background:#8a1c1c;color:#fff;font:600 0.875rem sans-serif";
  document.body.append(note);
}

export default mounting((parent) => new LabelKeys(parent));
