// Copies the finding and the address of the page as Markdown, or the claim that is selected on it; where the browser
// gives no clipboard, the text is shown to be copied by hand.

import { isOnlyHere, linkWords } from "./claim_markdown.js";
import { el } from "./drawing.js";
import { mounting } from "./mounting.js";

const SAID = 4000; // ms that the button says what it did

class Share {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    // One above the other, so that the button is as wide as the longer word whichever is shown.
    this.button = el(
      "button",
      "share",
      { type: "button" },
      el("span", "word", {}, "Share"),
      el("span", "word done", {}, "Copied"),
    );
    this.said = el("span", "said", { role: "status" });
    this.text = el("textarea", "text", { readonly: "", rows: "6", "aria-label": "Finding and link", hidden: "" });
    this.root = el("div", "root", { "data-faithview-share": "" }, this.button, this.said, this.text);
    this.data = { finding: "", parameters: {} };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    parent.append(this.root);
    this.button.addEventListener("click", () => this.share());
    for (const kind of ["pointerenter", "focus"]) this.button.addEventListener(kind, () => this.explain());
    this.text.addEventListener("blur", () => {
      this.text.hidden = true;
    });
  }

  destroy() {
    clearTimeout(this.timer);
    this.root.remove();
  }

  /** @param {{ finding: string, parameters: Record<string, string> }} data */
  update(data) {
    this.data = data;
    if (!this.text.hidden) this.text.value = this.words();
  }

  // The address as it is, with what the page leaves out of it because it is the default today.
  link() {
    const url = new URL(window.location.href);
    for (const [name, value] of Object.entries(this.data.parameters)) url.searchParams.set(name, value);
    url.hash = "";
    return url.href;
  }

  // The claim that is selected in an answer on the page, as Markdown; "" for none.
  claim() {
    const asked = { markdown: "" };
    document.dispatchEvent(new CustomEvent("faithview:share", { detail: asked }));
    return asked.markdown;
  }

  words() {
    return this.claim() || `${this.data.finding}\n\n${linkWords(this.link())}`;
  }

  explain() {
    const here = isOnlyHere(this.link()) ? ", which works on this machine only" : "";
    this.button.title = `Copies ${this.claim() ? "the selected claim, its evidence" : "the finding"} and a link${here}`;
  }

  async share() {
    const words = this.words();
    try {
      await navigator.clipboard.writeText(words);
      this.say(isOnlyHere(this.link()) ? "Copied. The link works on this machine only." : "Copied", true);
    } catch {
      // No clipboard: the page came over plain HTTP, or the browser refused.
      this.text.hidden = false;
      this.text.value = words;
      this.text.focus();
      this.text.select();
      this.say("Copy this text", false);
    }
  }

  /**
   * @param {string} words
   * @param {boolean} isDone
   */
  say(words, isDone) {
    this.said.textContent = words;
    this.button.classList.toggle("copied", isDone);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.said.textContent = "";
      this.button.classList.remove("copied");
    }, SAID);
  }
}

export default mounting((parent) => new Share(parent));
