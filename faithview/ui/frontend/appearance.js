// Chooses the theme. Streamlit keeps the choice in the browser, for each address that a page was opened at.

const CHOICES = ["System", "Light", "Dark"];

/** @param {string} path */
const place = (path) => `stActiveTheme-${path}-v2`;

/** @returns {string} */
function chosen() {
  try {
    const kept = JSON.parse(localStorage.getItem(place(location.pathname)) ?? "");
    return CHOICES.includes(kept) ? kept : CHOICES[0];
  } catch {
    return CHOICES[0];
  }
}

/**
 * @param {string} choice
 * @param {string[]} pages
 */
function choose(choice, pages) {
  const root = location.pathname.slice(0, location.pathname.lastIndexOf("/") + 1);
  // Under a path the first page may be opened without its last slash.
  for (const path of [root.slice(0, -1), ...pages.map((page) => root + page)]) {
    localStorage.setItem(place(path), JSON.stringify(choice));
  }
  location.reload(); // Streamlit reads its choice when the page is loaded
}

/** @param {import("./mounting.js").Call} call */
export default ({ data, parentElement }) => {
  const list = /** @type {HTMLElement} */ (parentElement.querySelector(".choices"));
  const now = chosen();
  list.replaceChildren(
    ...CHOICES.map((choice) => {
      const input = document.createElement("input");
      input.type = "radio";
      input.name = "appearance";
      input.checked = choice === now;
      input.addEventListener("change", () => choose(choice, data.pages));
      const label = document.createElement("label");
      label.append(input, choice);
      return label;
    }),
  );
};
