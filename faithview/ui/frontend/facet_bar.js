// The facets of the inbox: a row of buttons, each with a menu of values to tick. Menus lie in the browser's top layer.

class FacetBar {
  constructor(parent) {
    this.root = el("div", "facets", { role: "group", "aria-label": "Filters", "data-faithview-facets": "" });
    parent.append(this.root);
    this.menus = new Map();
    this.drawn = null;
    this.onScroll = () => this.place();
    window.addEventListener("scroll", this.onScroll, true);
    window.addEventListener("resize", this.onScroll);
  }

  destroy() {
    window.removeEventListener("scroll", this.onScroll, true);
    window.removeEventListener("resize", this.onScroll);
    this.root.remove();
  }

  update(data, _setStateValue, setTriggerValue) {
    this.setTriggerValue = setTriggerValue;
    const drawn = JSON.stringify(data);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!this.menus.size) for (const facet of data.facets) this.add(facet);
    for (const facet of data.facets) this.menus.get(facet.name).draw(facet);
    this.clear.hidden = !data.isFiltered;
  }

  add(facet) {
    if (!this.clear) {
      this.clear = el("button", "clear", { type: "button" }, "Clear all");
      this.clear.addEventListener("click", () => this.choose("", []));
      this.root.append(this.clear);
    }
    const menu = new FacetMenu(facet.name, (values) => this.choose(facet.name, values));
    this.menus.set(facet.name, menu);
    this.clear.before(menu.button, menu.panel);
  }

  choose(facet, values) {
    this.setTriggerValue("chosen", { facet, values });
  }

  place() {
    for (const menu of this.menus.values()) menu.place();
  }
}

class FacetMenu {
  constructor(name, choose) {
    this.choose = choose;
    this.button = el("button", "facet", { type: "button", "aria-haspopup": "dialog", "aria-expanded": "false", "data-facet": name });
    this.panel = el("div", "menu", { popover: "auto", role: "dialog", "data-faithview-menu": name });
    this.button.addEventListener("click", () => this.panel.togglePopover());
    this.panel.addEventListener("toggle", (event) => {
      const isOpen = event.newState === "open";
      this.button.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) return;
      this.place();
      this.panel.querySelector("input")?.focus({ preventScroll: true });
    });
    this.panel.addEventListener("change", () => this.changed());
    this.panel.addEventListener("keydown", (event) => this.keyed(event));
  }

  draw(facet) {
    const chosen = facet.values.filter((value) => value.isChosen);
    const told = chosen.length > 1 ? `${chosen.length} chosen` : (chosen[0]?.words ?? facet.standing);
    this.button.classList.toggle("chosen", chosen.length > 0);
    this.button.replaceChildren(facet.title, ...(told ? [el("span", "told", {}, ": ", el("bdi", "", {}, told))] : []));
    this.button.setAttribute("title", told ? `${facet.title}: ${shown(told)}` : facet.title);
    this.panel.setAttribute("aria-label", facet.title);
    const at = this.panel.getRootNode().activeElement?.closest?.("label")?.dataset.value;
    this.panel.replaceChildren(
      ...facet.values.map((value) => drawValue(value)),
      ...(facet.values.length ? [] : [el("div", "none", {}, "Nothing to choose.")]),
      ...(facet.note ? [el("div", "note", {}, facet.note)] : []),
    );
    if (at !== undefined) this.inputs().find((input) => input.value === at)?.focus({ preventScroll: true });
  }

  inputs() {
    return [...this.panel.querySelectorAll("input")];
  }

  changed() {
    this.choose(this.inputs().filter((input) => input.checked).map((input) => input.value));
  }

  keyed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const inputs = this.inputs();
    const at = inputs.indexOf(this.panel.getRootNode().activeElement);
    inputs[Math.min(inputs.length - 1, Math.max(0, at + step))]?.focus();
  }

  // Under the button, inside the window.
  place() {
    if (!this.panel.matches(":popover-open")) return;
    const button = this.button.getBoundingClientRect();
    const left = Math.min(button.left, window.innerWidth - this.panel.offsetWidth - 8);
    this.panel.style.left = `${Math.max(8, left)}px`;
    this.panel.style.top = `${button.bottom + 4}px`;
    this.panel.style.maxHeight = `${Math.max(120, window.innerHeight - button.bottom - 16)}px`;
  }
}

function drawValue(value) {
  const input = el("input", "", { type: "checkbox" });
  input.value = value.value;
  input.checked = value.isChosen;
  return el("label", "value", { "data-value": value.value }, input, el("bdi", "words", {}, value.words), el("span", "count", {}, value.count));
}

export default mounting((parent) => new FacetBar(parent));
