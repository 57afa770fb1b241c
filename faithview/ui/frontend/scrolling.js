// Scrolls a pane, and nothing around it.

const ROOM = 32; // px above evidence

/**
 * Scrolls so that the element is visible with some room.
 *
 * @param {Element} pane
 * @param {Element} element
 * @param {number} [room] px on each side
 * @param {boolean} [isAtOnce]
 */
export function bringIntoView(pane, element, room = 24, isAtOnce = false) {
  bringBoxIntoView(pane, element.getBoundingClientRect(), room, isAtOnce);
}

/**
 * The same for a stretch from `top` to `bottom`, measured in the window.
 *
 * @param {Element} pane
 * @param {{ top: number, bottom: number }} box
 * @param {number} room
 * @param {boolean} [isAtOnce]
 */
export function bringBoxIntoView(pane, box, room, isAtOnce = false) {
  const by = distanceTo(box, pane.getBoundingClientRect(), room);
  if (by !== 0) scrollPane(pane, by, isAtOnce);
}

/**
 * Scrolls so that the element begins at a third of the pane's height, with what leads up to it above, unless it is in the
 * upper two thirds already.
 *
 * @param {Element} pane
 * @param {Element} element
 * @param {boolean} [isAtOnce]
 */
export function bringToThird(pane, element, isAtOnce = false) {
  const by = distanceToThird(element.getBoundingClientRect(), pane.getBoundingClientRect());
  if (by !== 0) scrollPane(pane, by, isAtOnce);
}

/**
 * @param {{ top: number, bottom: number }} box
 * @param {{ top: number, bottom: number }} outer
 * @returns {number} How far the pane has to scroll.
 */
export function distanceToThird({ top, bottom }, outer) {
  const height = outer.bottom - outer.top;
  const room = Math.min(ROOM, height / 6);
  const from = top - outer.top;
  const length = bottom - top;
  const highest = Math.max(room, Math.min(height / 3, height - room - length));
  if (from >= room && from + length <= Math.max((height * 2) / 3, highest + length)) return 0;
  return from - highest;
}

/**
 * @param {{ top: number, bottom: number }} box
 * @param {{ top: number, bottom: number }} outer
 * @param {number} room
 * @returns {number} How far the pane has to scroll: 0 where the box is in view. Of a box that does not fit, its top is.
 */
export function distanceTo({ top, bottom }, outer, room) {
  const above = top - room - outer.top;
  const below = bottom + room - outer.bottom;
  if (above >= 0 && below <= 0) return 0;
  return above < 0 || bottom - top + 2 * room > outer.bottom - outer.top ? above : below;
}

/**
 * @param {Element} pane
 * @param {number} by px
 * @param {boolean} [isAtOnce]
 */
export function scrollPane(pane, by, isAtOnce = false) {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  pane.scrollBy({ top: by, behavior: isAtOnce || calm || Math.abs(by) > 3000 ? "auto" : "smooth" });
}
