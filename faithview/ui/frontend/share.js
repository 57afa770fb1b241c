// Copies a sentence and the address of the page; where the browser gives no clipboard, it shows them to be copied by hand.

import { el } from "./drawing.js";
import { mounting } from "./mounting.js";

class Share {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.button = el("button", "share", { type: "button" });
    this.said = el("span", "said", { role: "status" });
    this.text = el("textarea", "text", { readonly: "", rows: "4", "aria-label": "Finding and link", hidden: "" });
    this.root = el("div", "root", { "data-faithview-share": "" }, this.button, this.said, this.text);
    this.data = { sentence: "", parameters: {} };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    parent.append(this.root);
    this.button.addEventListener("click", () => this.share());
  }

  destroy() {
    this.root.remove();
  }

  /** @param {{ sentence: string, parameters: Record<string, string> }} data */
  update(data) {
    this.data = data;
    this.button.textContent = "Share";
    this.button.title = "Copies the finding and a link to this view";
    if (!this.text.hidden) this.text.value = this.words();
  }

  // The address as it is, with what the page leaves out of it because it is the default today.
  link() {
    const url = new URL(window.location.href);
    for (const [name, value] of Object.entries(this.data.parameters)) url.searchParams.set(name, value);
    url.hash = "";
    return url.href;
  }

  words() {
    return `${this.data.sentence}\n${this.link()}`;
  }

  async share() {
    try {
      await navigator.clipboard.writeText(this.words());
      this.say("Copied: the finding and a link");
      this.text.hidden = true;
    } catch {
      // No clipboard: the page came over plain HTTP, or the browser refused.
      this.text.hidden = false;
      this.text.value = this.words();
      this.text.focus();
      this.text.select();
      this.say("Copy this text");
    }
  }

  /** @param {string} words */
  say(words) {
    this.said.textContent = words;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.said.textContent = "";
    }, 4000);
  }
}

export default mounting((parent) => new Share(parent));
