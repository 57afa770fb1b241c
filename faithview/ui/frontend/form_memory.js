// Keeps what a form holds in this tab's session storage: across pages, and when the tab is loaded anew. Only this tab
// can read it, and it is gone when the tab is closed.

const WRITE_AFTER = 250; // ms without another letter

class FormMemory {
  constructor(parent) {
    this.root = el("div", "memory", { role: "status" });
    this.values = null; // what the server knows: the form as it was last sent or filled
    this.draft = null; // what stands in the form
    parent.append(this.root);
    this.onInput = (event) => this.typed(event);
    this.onClick = (event) => this.chosen(event);
    this.onHide = () => this.write();
    document.addEventListener("input", this.onInput, true);
    document.addEventListener("click", this.onClick, true);
    window.addEventListener("pagehide", this.onHide);
  }

  destroy() {
    document.removeEventListener("input", this.onInput, true);
    document.removeEventListener("click", this.onClick, true);
    window.removeEventListener("pagehide", this.onHide);
    this.write();
    this.root.remove();
  }

  update(data, _setStateValue, setTriggerValue) {
    const before = this.values;
    [this.data, this.values] = [data, data.values];
    if (before === null) {
      const [kept, typed] = [this.read(), this.typedBefore()];
      this.draft = { ...this.values, ...kept, ...typed };
      if (kept && !isSame(this.draft, { ...this.values, ...typed })) setTriggerValue("draft", this.draft);
    } else if (!isSame(before, this.values)) {
      this.draft = { ...this.values }; // the form was sent, or filled with an example
    }
    this.write();
    this.say();
  }

  // What was written and chosen while this component was still being loaded, which on a slow line takes seconds. A
  // field may show its default for a moment before it shows what the server says, so a default is not taken for typed.
  typedBefore() {
    const standing = Object.entries(this.data.fields).map(([name, field]) => [name, document.querySelector(field)?.value]);
    const { name, place, options } = this.data.choice;
    const chosen = document.querySelector(`${place} :is([aria-checked=true], [aria-pressed=true])`)?.textContent.trim();
    if (options.indexOf(chosen) > 0) standing.push([name, chosen]);
    return Object.fromEntries(standing.filter(([name, text]) => text && text !== this.values[name]));
  }

  typed(event) {
    const target = event.composedPath()[0];
    const name = Object.keys(this.data?.fields ?? {}).find((field) => target.matches?.(this.data.fields[field]));
    if (name) this.change(name, target.value);
  }

  chosen(event) {
    const target = event.composedPath()[0];
    const button = target.closest?.("button, [role=radio], label");
    if (!button?.closest(this.data?.choice.place)) return;
    const option = button.textContent.trim();
    if (this.data.choice.options.includes(option)) this.change(this.data.choice.name, option);
  }

  change(name, value) {
    this.draft[name] = value;
    this.say();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), WRITE_AFTER);
  }

  say() {
    const isEdited = this.values[this.data.main].trim() && !isSame(this.draft, this.values);
    this.root.replaceChildren(...(isEdited ? [el("p", "", {}, this.data.edited)] : []));
  }

  read() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.data.key));
      const isWhole = kept !== null && Object.keys(this.values).every((name) => typeof kept[name] === "string");
      return isWhole ? kept : null;
    } catch {
      return null;
    }
  }

  write() {
    clearTimeout(this.timer);
    if (!this.draft) return;
    try {
      sessionStorage.setItem(this.data.key, JSON.stringify(this.draft));
    } catch {
      sessionStorage.removeItem(this.data.key); // too long for the browser: better nothing than an earlier text
    }
  }
}

function isSame(one, other) {
  return Object.keys(other).every((name) => one[name] === other[name]);
}

export default mounting((parent) => new FormMemory(parent));
