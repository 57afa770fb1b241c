// Folds the sidebar away in a narrow window, which has no room for it beside a table or a text. Streamlit does so only
// on a phone, and keeps what is folded in the browser: it is unfolded again when the window is wide.

import { find } from "./drawing.js";

const NARROW = "(max-width: 1000px)";
const SIDEBAR = '[data-testid="stSidebar"]';
const COLLAPSE = '[data-testid="stSidebarCollapseButton"] button';
const EXPAND = '[data-testid="stExpandSidebarButton"]';
const FOLDED = "faithview-sidebar-folded";
const TRIES = 100;
const PAUSE_MS = 100;

let follows = false;

/** Follows the window's width, from the first call on. A user may unfold the sidebar in a narrow window. */
export function followWidth() {
  if (follows) return;
  follows = true;
  const narrow = window.matchMedia(NARROW);
  /** @param {number} tries how often to look for the button: Streamlit may draw it later than this is called */
  const follow = (tries) => {
    if (narrow.matches === (localStorage.getItem(FOLDED) !== null)) return;
    const sidebar = find(document, SIDEBAR);
    const isRight = sidebar?.getAttribute("data-collapsed") === String(narrow.matches);
    const button = find(document, narrow.matches ? COLLAPSE : EXPAND);
    if (!isRight && !button && tries > 0) {
      setTimeout(follow, PAUSE_MS, tries - 1);
      return;
    }
    if (narrow.matches) localStorage.setItem(FOLDED, "");
    else localStorage.removeItem(FOLDED);
    if (!isRight) button?.click();
  };
  narrow.addEventListener("change", () => follow(TRIES));
  follow(TRIES);
}
