// The first rows of a file as they are in it, with a menu at the head of each column that says what the column is.

class ColumnRoles {
  constructor(parent) {
    this.root = el("div", "sheet", { "data-faithview-columns": "", tabindex: "0", role: "region", "aria-label": "The first rows of the file" });
    this.drawn = null;
    parent.append(this.root);
    this.root.addEventListener("change", (event) => this.choose(event.target));
  }

  destroy() {
    this.root.remove();
  }

  update(data, setStateValue) {
    this.setStateValue = setStateValue;
    const { roles, ...rest } = data;
    const drawn = JSON.stringify(rest);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.data = data;
      this.draw();
    }
    // A choice that the server has not answered yet is not taken back by what it said before.
    if (!this.sent || JSON.stringify(roles) === this.sent) {
      this.sent = null;
      this.show(roles);
    }
  }

  draw() {
    const heads = this.data.columns.map((name, at) =>
      el("th", "", { scope: "col", "data-at": at },
        el("bdi", "name", {}, name),
        this.data.fixed[at]
          ? el("span", "fixed", { "data-column": name }, this.data.fixed[at])
          : el("select", "role", { "aria-label": `What is ${shown(name)}?`, "data-column": name, "data-at": at },
            this.data.choices.map(([value, label]) => el("option", "", { value }, label))),
        el("span", "why", {}),
      ));
    const rows = this.data.rows.map((cells) =>
      el("tr", "", {}, cells.map((cell, at) => el("td", "", { "data-at": at }, el("div", "cell", { dir: "auto" }, cell)))));
    this.root.replaceChildren(el("table", "", {}, el("thead", "", {}, el("tr", "", {}, heads)), el("tbody", "", {}, rows)));
  }

  show(roles) {
    this.roles = [...roles];
    for (const select of this.root.querySelectorAll(".role")) {
      const at = Number(select.dataset.at);
      const role = this.roles[at];
      select.value = role;
      const note = this.data.notes[at];
      const why = select.nextElementSibling;
      const competing = this.data.competing[at];
      if (competing && !this.roles.includes(competing)) why.textContent = `${this.label(competing)}?`;
      else why.textContent = note && note[0] === role ? note[1] : "";
      for (const cell of this.root.querySelectorAll(`[data-at="${at}"]`)) {
        if (cell.tagName !== "SELECT") cell.dataset.use = role === "ignore" ? "none" : role ? "field" : "kept";
      }
      select.closest("th").dataset.asked = why.textContent.endsWith("?") ? "yes" : "no";
    }
  }

  label(role) {
    return (this.data.choices.find(([value]) => value === role) ?? ["", ""])[1];
  }

  // One column has a role that only one can have: the column that had it before is kept as it is.
  choose(select) {
    if (!select.matches?.(".role")) return;
    const at = Number(select.dataset.at);
    const roles = this.roles.map((role, other) =>
      other !== at && role === select.value && !this.data.several.includes(role) ? "" : role);
    roles[at] = select.value;
    this.sent = JSON.stringify(roles);
    this.show(roles);
    this.setStateValue("choice", { subject: this.data.subject, roles });
  }
}

export default mounting((parent) => new ColumnRoles(parent));
