// Gives a component the height that the window has left between what is above it and what follows it on the page, so
// that all of it is in view and the page itself need not scroll. Where columns beside it leave no room to read, they are
// put below each other.

import { childrenOf, find } from "./drawing.js";

const LEAST_HEIGHT = 480; // px: below that the page scrolls instead
const BELOW = 12; // px left free at the lower edge of the window, in place of Streamlit's 48
const NARROW = 830; // px: columns in less are put below each other
const PAGE = '[data-testid="stMainBlockContainer"]';

export class WindowHeight {
  /**
   * @param {HTMLElement} root
   * @param {number} [stackedHeight] its height in px above or below another column, where that is to be fixed
   */
  constructor(root, stackedHeight) {
    this.root = root;
    this.stackedHeight = stackedHeight;
    this.height = "";
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
    let isStacked = false;
    for (const block of this.blocks()) {
      if (!block.matches('[data-testid="stHorizontalBlock"]')) continue;
      const isNarrow = block.getBoundingClientRect().width < NARROW;
      stack(block, isNarrow);
      isStacked ||= isNarrow;
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
    const height = isStacked && this.stackedHeight
      ? `${this.stackedHeight}px`
      : `max(${LEAST_HEIGHT}px, calc(100dvh - ${taken}px))`;
    if (height === this.height) return;
    this.height = height;
    this.root.style.height = height;
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
