// Reports a change of the theme, so that the script draws its charts anew: Plotly knows no CSS variables.

import { isDark } from "./drawing.js";

/** @type {boolean | null} */
let last = null;

/**
 * Streamlit calls it on every run of the script and again when the theme changes.
 *
 * @param {import("./mounting.js").Call} call
 */
export default ({ data, parentElement, setTriggerValue }) => {
  const root = parentElement.getRootNode();
  const now = isDark(root instanceof ShadowRoot ? root.host : parentElement);
  const was = last ?? data.is_dark;
  last = now;
  if (now !== was) setTriggerValue("change", now ? "dark" : "light");
};
