// Keys: which of them belong to a component, and where they lead in a list.

// Elements that take letters: fields, and grids, where a letter starts to edit a cell.
const TYPING = `input, textarea, select, canvas, [contenteditable]:not([contenteditable=false]),
  [role=textbox], [role=combobox], [role=menu], [role=grid]`;
// Elements that Enter presses or chooses by itself.
const PRESSED = "button, a, summary, [role=option], [role=radio], [role=tab]";
// Elements that left and right move within.
const STEPPED =
  "[role=radio], [role=radiogroup], [role=slider], [role=tab], [role=option]:not([data-key]), audio, video";

/**
 * The element that an event began at, also inside another component.
 *
 * @param {Event} event
 * @returns {HTMLElement}
 */
export function sourceOf(event) {
  return /** @type {HTMLElement} */ (event.composedPath()[0]);
}

/**
 * Whether a key press is meant for something that takes text, for a dialog, or has a modifier.
 *
 * @param {KeyboardEvent} event
 */
export function isTaken(event) {
  if (event.defaultPrevented || hasModifier(event) || event.isComposing) return true;
  return sourceOf(event).closest?.(TYPING) ? true : isDialogOpen();
}

/**
 * Whether left and right mean something to the element with the focus. A link or a button does nothing with them.
 *
 * @param {Element} target
 */
export function takesArrows(target) {
  return Boolean(target.closest?.(STEPPED));
}

/** @param {KeyboardEvent | MouseEvent} event */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}

/**
 * The name of a key in tables of keys: letters have one name with and without Shift.
 *
 * @param {KeyboardEvent} event
 */
export function nameOf({ key }) {
  return key.length === 1 ? key.toLowerCase() : key;
}

/**
 * Whether Enter is left to the button, link or option that has the focus.
 *
 * @param {KeyboardEvent} event
 */
export function isEnterOnControl(event) {
  return event.key === "Enter" && Boolean(sourceOf(event).closest?.(PRESSED));
}

/**
 * Where up, down, Home and End lead in a list, inside it; undefined for any other key.
 *
 * @param {string} key
 * @param {number} at -1 for none
 * @param {number} length
 * @returns {number | undefined}
 */
export function movedTo(key, at, length) {
  /** @type {Record<string, number>} */
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: length - 1 };
  return Object.hasOwn(places, key) ? clamped(places[key], length) : undefined;
}

/**
 * @param {number} at
 * @param {number} length
 */
export function clamped(at, length) {
  return Math.min(length - 1, Math.max(0, at));
}

/**
 * The step that J and K take through a list from anywhere on the page; 0 for any other key.
 *
 * @param {KeyboardEvent} event
 */
export function letterStep({ key, shiftKey }) {
  /** @type {Record<string, number>} */
  const steps = { j: 1, k: -1 };
  return shiftKey ? 0 : steps[key.toLowerCase()] ?? 0;
}

/**
 * Presses the page's button for a key, or goes to its field; returns whether the key was one of the page's. Streamlit's
 * own shortcuts take letters and digits only. "Escape", where the page names it, leaves the field that is typed in.
 *
 * @param {KeyboardEvent} event
 * @param {Record<string, string>} pageKeys CSS selectors by key
 */
export function pressPageKey(event, pageKeys) {
  const target = sourceOf(event);
  if (event.key === "Escape" && Object.hasOwn(pageKeys, "Escape") && target.matches?.(pageKeys.Escape)) {
    target.blur();
    return true;
  }
  const key = nameOf(event);
  if (!Object.hasOwn(pageKeys, key) || key === "Escape" || isTaken(event) || isEnterOnControl(event)) return false;
  /** @type {HTMLInputElement | null} */
  const place = document.querySelector(pageKeys[key]);
  if (!place) return true;
  event.preventDefault();
  if (place.matches("button")) {
    place.click(); // without the focus: the next Enter is meant for the page
  } else {
    place.focus();
    place.select();
  }
  return true;
}

/**
 * Streamlit's shortcuts know no dialogs: without this a digit would label the claim behind one. For the capture phase.
 *
 * @param {KeyboardEvent} event
 */
export function restBehindDialog(event) {
  if (event.key.length !== 1 || hasModifier(event) || !isDialogOpen()) return;
  if (!sourceOf(event).closest?.(`${TYPING}, [role=listbox]`)) event.stopPropagation();
}

export function isDialogOpen() {
  return document.querySelector('[role="dialog"][aria-modal="true"], [data-testid="stDialog"]') !== null;
}
