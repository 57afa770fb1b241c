// Drawing shared by the components. Their texts come from models and strangers: everything goes through text nodes.

/** @import { Style, Styles } from "./payloads.js" */

// Control characters, and the invisible ones that reorder or hide text. The joiner of emoji (U+200D) and the marks of
// right-to-left writing (U+200E, U+200F) belong to ordinary text and stay as they are.
// deno-lint-ignore no-control-regex
const UNSEEN = /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * @param {string} text
 * @returns {string} The text with its hidden characters made visible.
 */
export function shown(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\r\n") return "\n";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

/** @typedef {Node | string | null | undefined} Child */

/**
 * An element with a class, attributes and children; a child that is a string becomes a text node, null is left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [className]
 * @param {Record<string, string | number | null | undefined>} [attributes]
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, className, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(typeof child === "string" ? document.createTextNode(shown(child)) : child);
  }
  return element;
}

/** @type {(root: ParentNode, selector: string) => HTMLElement | null} */
export const find = (root, selector) => root.querySelector(selector);

/** @type {(root: ParentNode, selector: string) => HTMLElement[]} */
export const findAll = (root, selector) => [...root.querySelectorAll(selector)].map(asElement);

/** @type {(root: ParentNode) => HTMLElement[]} */
export const childrenOf = (root) => [...root.children].map(asElement);

/** @type {(element: Element) => HTMLElement} */
const asElement = (element) => /** @type {HTMLElement} */ (element);

/** @type {(root: Element) => Element | null} The element with the focus, where that is in the same shadow root. */
export const focusedBeside = (root) => /** @type {Document | ShadowRoot} */ (root.getRootNode()).activeElement;

const SVG = "http://www.w3.org/2000/svg";

/** @param {Style} style */
export function icon(style) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  for (const [shape, name] of [[style.fill, "filled"], [style.stroke, "stroked"]]) {
    if (!shape) continue;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", shape);
    path.setAttribute("class", name);
    svg.append(path);
  }
  return svg;
}

/**
 * Sets the verdicts' colours for the theme that is on. Streamlit calls a component again when the theme changes.
 *
 * @param {HTMLElement} root
 * @param {Styles} styles
 */
export function dress(root, styles) {
  const theme = isDark(root) ? "dark" : "light";
  root.dataset.theme = theme;
  for (const [verdict, style] of Object.entries(styles)) {
    root.style.setProperty(`--${verdict}`, style[theme]);
    root.style.setProperty(`--${verdict}-underline`, style.underline);
  }
}

/**
 * Whether the theme that is on where the element is is dark.
 *
 * @param {Element} element
 */
function isDark(element) {
  return luminance(getComputedStyle(element).getPropertyValue("--st-background-color")) < 0.4;
}

/**
 * @param {string} colour
 * @returns {number} From 0 (black) to 1 (white).
 */
function luminance(colour) {
  const canvas = document.createElement("canvas");
  const probe = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  probe.fillStyle = "#fff";
  probe.fillStyle = colour.trim();
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
