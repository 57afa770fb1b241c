// Folds the sidebar away in a narrow window, which has no room for it beside a table or a text. Streamlit does so only
// on a phone, and keeps what is folded in the browser: it is unfolded again when the window is wide.

import { find } from "./drawing.js";

const NARROW = "(max-width: 1000px)";
const COLLAPSE = '[data-testid="stSidebarCollapseButton"] button';
const EXPAND = '[data-testid="stExpandSidebarButton"]';
const FOLDED = "faithview-sidebar-folded";

let follows = false;

/** Follows the window's width, from the first call on. A user may unfold the sidebar in a narrow window. */
export function followWidth() {
  if (follows) return;
  follows = true;
  const narrow = window.matchMedia(NARROW);
  const follow = () => {
    if (narrow.matches === (localStorage.getItem(FOLDED) !== null)) return;
    if (narrow.matches) localStorage.setItem(FOLDED, "");
    else localStorage.removeItem(FOLDED);
    find(document, narrow.matches ? COLLAPSE : EXPAND)?.click();
  };
  narrow.addEventListener("change", follow);
  follow();
}
