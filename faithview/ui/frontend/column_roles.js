// The first rows of a file as they are in it, with a menu at the head of each column that says what the column is.

import { el, findAll, shown } from "./drawing.js";
import { sourceOf } from "./keys.js";
import { mounting } from "./mounting.js";

/** @import { Setter } from "./mounting.js" */

/**
 * @typedef {object} Data
 * @property {string} subject
 * @property {string[]} columns
 * @property {string[][]} rows
 * @property {string[]} roles one for each column
 * @property {[string, string][]} choices roles with their names
 * @property {string[]} several roles that many columns can have
 * @property {([string, string] | null)[]} notes a role, and why it was guessed
 * @property {(string | null)[]} competing
 */

class ColumnRoles {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = el("div", "sheet", {
      "data-faithview-columns": "",
      tabindex: "0",
      role: "region",
      "aria-label": "The first rows of the file",
    });
    this.drawn = "";
    /** @type {string[]} */
    this.roles = [];
    /** @type {string | null} */
    this.sent = null;
    /** @type {Data} */
    this.data = /** @type {any} */ (undefined);
    /** @type {Setter} */
    this.setStateValue = () => {};
    parent.append(this.root);
    this.root.addEventListener("change", (event) => this.choose(sourceOf(event)));
  }

  destroy() {
    this.root.remove();
  }

  /**
   * @param {Data} data
   * @param {Setter} setStateValue
   */
  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    const { roles, ...rest } = data;
    // A choice that the server has not answered yet is not taken back by what it said before, but by another file.
    if (this.data?.subject !== data.subject || JSON.stringify(roles) === this.sent) this.sent = null;
    const drawn = JSON.stringify(rest);
    const isDrawnAnew = drawn !== this.drawn;
    if (isDrawnAnew) {
      this.drawn = drawn;
      this.data = data;
      this.draw();
    }
    if (!this.sent) this.show(roles);
    else if (isDrawnAnew) this.show(this.roles);
  }

  draw() {
    const heads = this.data.columns.map((name, at) =>
      el(
        "th",
        "",
        { scope: "col", "data-at": at },
        el("bdi", "name", {}, name),
        el(
          "select",
          "role",
          { "aria-label": `What is ${shown(name)}?`, "data-column": name, "data-at": at },
          this.data.choices.map(([value, label]) => el("option", "", { value }, label)),
        ),
        el("span", "why", {}),
      )
    );
    const rows = this.data.rows.map((cells) =>
      el(
        "tr",
        "",
        {},
        cells.map((cell, at) => el("td", "", { "data-at": at }, el("div", "cell", { dir: "auto" }, cell))),
      )
    );
    this.root.replaceChildren(
      el("table", "", {}, el("thead", "", {}, el("tr", "", {}, heads)), el("tbody", "", {}, rows)),
    );
  }

  /** @param {string[]} roles */
  show(roles) {
    this.roles = [...roles];
    for (const one of findAll(this.root, ".role")) {
      const select = /** @type {HTMLSelectElement} */ (one);
      const at = Number(select.dataset.at);
      const role = this.roles[at];
      select.value = role;
      const note = this.data.notes[at];
      const competing = this.data.competing[at];
      const isAsked = Boolean(competing && !this.roles.includes(competing));
      const why = isAsked ? `${this.label(competing ?? "")}?` : note && note[0] === role ? note[1] : "";
      /** @type {HTMLElement} */ (select.nextElementSibling).textContent = why;
      for (const cell of findAll(this.root, `[data-at="${at}"]`)) {
        if (cell.tagName !== "SELECT") cell.dataset.use = role === "ignore" ? "none" : role ? "field" : "kept";
      }
      /** @type {HTMLElement} */ (select.parentElement).dataset.asked = why.endsWith("?") ? "yes" : "no";
    }
  }

  /** @param {string} role */
  label(role) {
    return (this.data.choices.find(([value]) => value === role) ?? ["", ""])[1];
  }

  /** @param {HTMLElement} target */
  choose(target) {
    if (!target.matches(".role")) return;
    const select = /** @type {HTMLSelectElement} */ (target);
    const roles = withRole(this.roles, Number(select.dataset.at), select.value, this.data.several);
    this.sent = JSON.stringify(roles);
    this.show(roles);
    this.setStateValue("choice", { subject: this.data.subject, roles });
  }
}

/**
 * Gives a column a role. Where only one can have it, the column that had it before is kept as it is.
 *
 * @param {string[]} roles
 * @param {number} at
 * @param {string} role
 * @param {string[]} several
 */
export function withRole(roles, at, role, several) {
  return roles.map((other, column) => {
    if (column === at) return role;
    return other === role && !several.includes(role) ? "" : other;
  });
}

export default mounting((parent) => new ColumnRoles(parent));
