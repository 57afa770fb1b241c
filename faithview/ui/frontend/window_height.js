// Gives a component the height that the window has left between what is above it and what follows it on the page, so
// that all of it is in view and the page itself need not scroll. Where columns beside it leave no room to read, they are
// put below each other.

import { childrenOf, find } from "./drawing.js";

const LEAST_HEIGHT = 480; // px: below that the page scrolls instead
const BELOW = 12; // px left free at the lower edge of the window, in place of Streamlit's 48
const NARROW = 760; // px: columns in less are put below each other
const PAGE = '[data-testid="stMainBlockContainer"]';

export class WindowHeight {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.taken = -1;
    this.observer = new ResizeObserver(() => this.fit());
    this.onResize = () => this.fit();
  }

  stop() {
    this.observer.disconnect();
    window.removeEventListener("resize", this.onResize);
    const page = find(document, PAGE);
    if (page) page.style.paddingBottom = "";
  }

  // Follows the elements around the component; the page may have changed since the last call.
  follow() {
    this.observer.disconnect();
    window.addEventListener("resize", this.onResize); // once, however often it is called
    for (const block of this.blocks()) for (const one of block.children) this.observer.observe(one);
    this.fit();
  }

  fit() {
    const main = find(document, '[data-testid="stMain"]');
    const page = main && find(main, PAGE);
    if (!page || !this.root.getBoundingClientRect().width) return;
    page.style.paddingBottom = `${BELOW}px`;
    for (const block of this.blocks()) {
      if (block.matches('[data-testid="stHorizontalBlock"]')) {
        stack(block, block.getBoundingClientRect().width < NARROW);
      }
    }
    const own = this.root.getBoundingClientRect();
    let last = own.bottom;
    let at = this.host();
    for (const block of this.blocks()) {
      while (at.parentElement && at.parentElement !== block) at = at.parentElement;
      // Elements next to the component take none of its height; those below it do.
      const isRow = getComputedStyle(block).flexDirection.startsWith("row");
      for (let next = isRow ? null : at.nextElementSibling; next; next = next.nextElementSibling) {
        const box = next.getBoundingClientRect();
        if (box.height) last = Math.max(last, box.bottom);
      }
      at = block;
    }
    const above = own.top + main.scrollTop;
    const taken = Math.ceil(above + (last - own.bottom) + BELOW);
    if (taken === this.taken) return;
    this.taken = taken;
    this.root.style.height = `max(${LEAST_HEIGHT}px, calc(100dvh - ${taken}px))`;
  }

  // The element of the page that the component is in.
  host() {
    return /** @type {HTMLElement} */ (/** @type {ShadowRoot} */ (this.root.getRootNode()).host ?? this.root);
  }

  // The page's blocks around the component, from the inside out.
  blocks() {
    /** @type {HTMLElement[]} */
    const found = [];
    /** @type {HTMLElement | null} */
    let at = this.host();
    for (; at; at = at.parentElement) {
      if (at.matches('[data-testid="stVerticalBlock"], [data-testid="stHorizontalBlock"]')) found.push(at);
    }
    return found;
  }
}

/**
 * @param {HTMLElement} row
 * @param {boolean} isStacked
 */
function stack(row, isStacked) {
  row.style.flexDirection = isStacked ? "column" : "";
  for (const column of childrenOf(row)) {
    column.style.width = isStacked ? "100%" : "";
    column.style.flex = isStacked ? "none" : "";
  }
}
