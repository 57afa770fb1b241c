// Follows what surrounds the page. It reports a change of the theme, so that the script draws its charts anew: Plotly
// knows no CSS variables. It also folds the sidebar away in a narrow window.

import { isDark } from "./drawing.js";
import { followWidth } from "./narrow_window.js";

/** @type {boolean | null} */
let last = null;

/**
 * Streamlit calls it on every run of the script and again when the theme changes.
 *
 * @param {import("./mounting.js").Call} call
 */
export default ({ data, parentElement, setTriggerValue }) => {
  followWidth();
  const root = parentElement.getRootNode();
  const now = isDark(root instanceof ShadowRoot ? root.host : parentElement);
  const was = last ?? data.is_dark;
  last = now;
  if (now !== was) setTriggerValue("change", now ? "dark" : "light");
};
