// As much of a browser's document as drawing needs: elements with children, attributes and listeners, no layout.

class FakeNode {
  /** @type {FakeElement | null} */
  parentElement = null;

  get textContent() {
    return "";
  }
}

class FakeText extends FakeNode {
  /** @param {string} text */
  constructor(text) {
    super();
    this.text = text;
  }

  /** @override */
  get textContent() {
    return this.text;
  }
}

export class FakeElement extends FakeNode {
  className = "";
  tabIndex = 0;
  /** @type {FakeNode[]} */
  childNodes = [];
  /** @type {Map<string, string>} */
  attributes = new Map();
  /** @type {Record<string, string>} */
  styles = {};
  style = {
    setProperty: (/** @type {string} */ name, /** @type {string} */ value) => void (this.styles[name] = value),
  };
  /** @type {Record<string, (() => void)[]>} */
  listeners = {};

  /** @param {string} tagName */
  constructor(tagName) {
    super();
    this.tagName = tagName;
  }

  // data-claim is dataset.claim.
  get dataset() {
    /** @type {(name: string | symbol) => string} */
    const named = (name) => `data-${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return new Proxy(/** @type {Record<string, string>} */ ({}), {
      get: (_, name) => this.attributes.get(named(name)),
      set: (_, name, value) => Boolean(this.attributes.set(named(name), String(value))),
    });
  }

  get children() {
    return this.childNodes.filter((node) => node instanceof FakeElement);
  }

  /** @override */
  get textContent() {
    return this.childNodes.map((node) => node.textContent).join("");
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  /** @param {(FakeNode | string)[]} nodes */
  append(...nodes) {
    for (const node of nodes) {
      const added = typeof node === "string" ? new FakeText(node) : node;
      const whole = added instanceof FakeElement && added.tagName === "#fragment" ? added.childNodes : [added];
      for (const one of whole) one.parentElement = this;
      this.childNodes.push(...whole);
    }
  }

  /** @param {(FakeNode | string)[]} nodes */
  replaceChildren(...nodes) {
    this.childNodes = [];
    this.append(...nodes);
  }

  /** @param {string} selector a class, as ".mark" @returns {FakeElement | null} */
  closest(selector) {
    return this.className.split(" ").includes(selector.slice(1)) ? this : this.parentElement?.closest(selector) ?? null;
  }

  /** @param {string} className @returns {FakeElement[]} */
  all(className) {
    const below = this.children.flatMap((child) => child.all(className));
    return this.className.split(" ").includes(className) ? [this, ...below] : below;
  }

  /** @param {string} kind @param {() => void} listener */
  addEventListener(kind, listener) {
    (this.listeners[kind] ??= []).push(listener);
  }

  click() {
    for (const listener of this.listeners.click ?? []) listener();
  }
}

// Puts the document in the place where the modules look for the browser's.
export function fakeDocument() {
  const made = {
    createElement: (/** @type {string} */ tag) => new FakeElement(tag),
    createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new FakeElement(tag),
    createTextNode: (/** @type {string} */ text) => new FakeText(text),
    createDocumentFragment: () => new FakeElement("#fragment"),
    querySelector: () => null,
  };
  Object.assign(globalThis, { document: made });
}

/**
 * What a module under test has drawn.
 *
 * @param {unknown} drawn
 * @returns {FakeElement}
 */
export function drawn(drawn) {
  if (!(drawn instanceof FakeElement)) throw new TypeError("Not an element.");
  return drawn;
}
