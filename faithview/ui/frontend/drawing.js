// Drawing shared by the components. Their texts come from models and strangers: everything goes through text nodes.

// Control characters, and the invisible ones that reorder or hide text. The joiner of emoji (U+200D) and the marks of
// right-to-left writing (U+200E, U+200F) belong to ordinary text and stay as they are.
const UNSEEN = /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

function shown(text) {
  return text.replace(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\r\n") return "\n";
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e9`;
  });
}

// An element with a class, attributes and children; a child that is a string becomes a text node, null is left out.
function el(tag, className, attributes = {}, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    element.append(typeof child === "string" ? document.createTextNode(shown(child)) : child);
  }
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

function icon(style) {
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

// Sets the verdicts' colours for the theme that is on. Streamlit calls a component again when the theme changes.
function dress(root, styles) {
  const background = getComputedStyle(root).getPropertyValue("--st-background-color");
  const theme = luminance(background) < 0.4 ? "dark" : "light";
  root.dataset.theme = theme;
  for (const [verdict, style] of Object.entries(styles)) {
    root.style.setProperty(`--${verdict}`, style[theme]);
    root.style.setProperty(`--${verdict}-area`, style[`${theme}_area`]);
    root.style.setProperty(`--${verdict}-underline`, style.underline);
  }
}

function luminance(colour) {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  probe.fillStyle = "#fff";
  probe.fillStyle = colour.trim();
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}

// Scrolls a pane, and nothing around it, so that the element is visible with some room.
function bringIntoView(pane, element, room = 24, isAtOnce = false) {
  bringBoxIntoView(pane, element.getBoundingClientRect(), room, isAtOnce);
}

// The same for a stretch from `top` to `bottom`, measured in the window.
function bringBoxIntoView(pane, { top, bottom }, room, isAtOnce) {
  const outer = pane.getBoundingClientRect();
  const above = top - room - outer.top;
  const below = bottom + room - outer.bottom;
  if (above >= 0 && below <= 0) return;
  scrollPane(pane, above < 0 || bottom - top + 2 * room > outer.height ? above : below, isAtOnce);
}

function scrollPane(pane, by, isAtOnce = false) {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  pane.scrollBy({ top: by, behavior: isAtOnce || calm || Math.abs(by) > 3000 ? "auto" : "smooth" });
}

// Elements that take letters: fields, and grids, where a letter starts to edit a cell.
const TYPING = `input, textarea, select, canvas, [contenteditable]:not([contenteditable=false]),
  [role=textbox], [role=combobox], [role=menu], [role=grid]`;

// Whether a key press is meant for something that takes text, for a dialog, or carries a modifier.
function isTaken(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  const target = event.composedPath()[0];
  if (target instanceof Element && target.closest(TYPING)) return true;
  return isDialogOpen();
}

// Presses the page's button for a key, or goes to its field; returns whether the key was one of the page's. Streamlit's
// own shortcuts take letters and digits only. "Escape", where the page names it, leaves the field that is typed in.
function pressPageKey(event, pageKeys) {
  const target = event.composedPath()[0];
  if (event.key === "Escape" && Object.hasOwn(pageKeys, "Escape") && target.matches?.(pageKeys.Escape)) {
    target.blur();
    return true;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!Object.hasOwn(pageKeys, key) || key === "Escape" || isTaken(event)) return false;
  if (key === "Enter" && target.closest?.("button, a, summary, [role=option], [role=radio], [role=tab]")) return false;
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

// Streamlit's shortcuts know no dialogs: without this a digit would label the claim behind one. For the capture phase.
function restBehindDialog(event) {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || !isDialogOpen()) return;
  const target = event.composedPath()[0];
  if (!(target instanceof Element && target.closest(`${TYPING}, [role=listbox]`))) event.stopPropagation();
}

function isDialogOpen() {
  return document.querySelector('[role="dialog"][aria-modal="true"], [data-testid="stDialog"]') !== null;
}

// Keeps one view for each place it is mounted in. Streamlit calls the component again on every change of data or theme
// and may clean up an overtaken call after the call that overtook it: only the latest call's clean-up counts.
function mounting(create) {
  const views = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    let view = views.get(parentElement);
    if (!view) {
      view = create(parentElement);
      view.calls = 0;
      views.set(parentElement, view);
    }
    const call = ++view.calls;
    view.update(data, setStateValue, setTriggerValue);
    return () => {
      if (view.calls !== call || views.get(parentElement) !== view) return;
      views.delete(parentElement);
      view.destroy();
    };
  };
}

// Reports a choice to Python: at once, or after a pause in key presses. `turn` is later than any turn before it.
//
// A step back or forward within the page is reported too. Python cannot tell it from a run of the script that the
// browser asked for before it knew the address of the newest choice: both come with an address from before the choice.
function reporter(rest) {
  let timer = 0;
  let last = 0;
  let tell = null;
  const path = window.location.pathname;
  const stepped = () => {
    if (tell && window.location.pathname === path) tell();
  };
  // In the capture phase: before Streamlit asks for a run with the address.
  window.addEventListener("popstate", stepped, true);
  return {
    turn: 0,
    hearSteps(setStateValue, subject) {
      tell = () => {
        clearTimeout(timer);
        this.turn = Math.max(Date.now(), this.turn + 1);
        setStateValue("choice", { subject, turn: this.turn, value: null, is_step: true });
      };
    },
    follow(turn) {
      this.turn = Math.max(this.turn, turn);
    },
    report(setStateValue, subject, value) {
      this.turn = Math.max(Date.now(), this.turn + 1);
      const choice = { subject, turn: this.turn, value };
      const wait = Date.now() - last < rest ? rest : 0;
      last = Date.now();
      clearTimeout(timer);
      timer = setTimeout(() => setStateValue("choice", choice), wait);
    },
    stop() {
      clearTimeout(timer);
      window.removeEventListener("popstate", stepped, true);
    },
  };
}

// Opens a page of the dashboard as one step of the browser's history, as a link would but without loading the dashboard
// anew. Streamlit follows the address after every step back or forward, so it is told of one; what the address of this
// page says stays as it is, which `st.switch_page` does not leave so.
function openPage(href, { isInPlace = false } = {}) {
  window.history[isInPlace ? "replaceState" : "pushState"](null, "", new URL(href, document.baseURI));
  window.dispatchEvent(new PopStateEvent("popstate"));
}
