// How Streamlit calls a component, and how a component reports a choice.

import { el } from "./drawing.js";

/**
 * @typedef {(name: string, value: unknown) => void} Setter
 * @typedef {object} Call
 * @property {any} data what Python sends
 * @property {HTMLElement} parentElement
 * @property {Setter} setStateValue
 * @property {Setter} setTriggerValue
 * @typedef {object} View
 * @property {(data: any, setStateValue: Setter, setTriggerValue: Setter) => void} update
 * @property {() => void} destroy
 */

/**
 * Keeps one view for each place it is mounted in. Streamlit calls the component again on every change of data or theme
 * and may clean up an overtaken call after the call that overtook it: only the latest call's clean-up counts.
 *
 * @param {(parent: HTMLElement) => View} create
 */
export function mounting(create) {
  /** @type {WeakMap<HTMLElement, { view: View, calls: number }>} */
  const mounted = new WeakMap();
  /** @param {Call} call */
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    const own = mounted.get(parentElement) ?? { view: create(parentElement), calls: 0 };
    mounted.set(parentElement, own);
    const call = ++own.calls;
    own.view.update(data, setStateValue, setTriggerValue);
    return () => {
      if (own.calls !== call || mounted.get(parentElement) !== own) return;
      mounted.delete(parentElement);
      own.view.destroy();
    };
  };
}

/**
 * Mounts what reports no choice: it is drawn again only if its `subject` changes, so an unfolded text stays unfolded.
 *
 * @param {string} className
 * @param {(root: HTMLElement, data: any) => void} draw
 */
export function mountingDrawn(className, draw) {
  return mounting((parent) => {
    const root = el("div", className);
    let subject = "";
    parent.append(root);
    return {
      update: (data) => {
        if (data.subject === subject) return;
        subject = data.subject;
        draw(root, data);
      },
      destroy: () => root.remove(),
    };
  });
}

/**
 * Reports a choice to Python: at once, or after a pause in key presses. `turn` is later than any turn before it.
 *
 * A step back or forward within the page is reported too. Python cannot tell it from a run of the script that the
 * browser asked for before it knew the address of the newest choice: both come with an address from before the choice.
 */
export class Reporter {
  /** @param {number} rest ms without another choice, before the second of two is reported */
  constructor(rest) {
    this.rest = rest;
    this.turn = 0;
    this.last = 0;
    this.leaving = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {(() => void) | null} */
    this.pending = null;
    /** @type {(() => void) | null} */
    this.tell = null;
    const path = window.location.pathname;
    const stepped = () => {
      if (window.location.pathname === path) this.tell?.();
    };
    // In the capture phase: before Streamlit asks for a run with the address.
    window.addEventListener("popstate", stepped, { capture: true, signal: this.leaving.signal });
  }

  /**
   * @param {Setter} setStateValue
   * @param {string} subject
   */
  hearSteps(setStateValue, subject) {
    this.tell = () => {
      clearTimeout(this.timer);
      this.pending = null;
      this.turn = this.nextTurn();
      setStateValue("choice", { subject, turn: this.turn, value: null, is_step: true });
    };
  }

  /** @param {number} turn */
  follow(turn) {
    this.turn = Math.max(this.turn, turn);
  }

  /**
   * @param {Setter} setStateValue
   * @param {string} subject
   * @param {number | string | null} value
   */
  report(setStateValue, subject, value) {
    this.turn = this.nextTurn();
    const choice = { subject, turn: this.turn, value };
    const wait = Date.now() - this.last < this.rest ? this.rest : 0;
    this.last = Date.now();
    clearTimeout(this.timer);
    this.pending = () => setStateValue("choice", choice);
    this.timer = setTimeout(() => this.flush(), wait);
  }

  // Reports now what is held back, before something else is reported that follows on it.
  flush() {
    clearTimeout(this.timer);
    const report = this.pending;
    this.pending = null;
    report?.();
  }

  nextTurn() {
    return Math.max(Date.now(), this.turn + 1);
  }

  stop() {
    clearTimeout(this.timer);
    this.leaving.abort();
  }
}
