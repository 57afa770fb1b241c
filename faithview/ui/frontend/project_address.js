// Keeps the session's project in the address, whatever else Streamlit writes there, and opens another project: as a new
// page, so nothing of the old one remains.

const NAME = "project";
const WRAPPED = Symbol.for("faithview.project");

/** @type {History & Record<symbol, string | undefined>} */
const steps = /** @type {any} */ (history);

/** @param {{ data: { project: string, opens: boolean, keepsView: boolean } }} call */
export default ({ data }) => {
  if (data.opens) {
    const next = new URL(data.keepsView ? location.href : location.pathname, location.href);
    next.searchParams.set(NAME, data.project);
    if (next.href === location.href) location.reload();
    else location.assign(next.href);
    return;
  }
  if (!steps[WRAPPED]) {
    for (const method of /** @type {const} */ (["pushState", "replaceState"])) {
      const plain = history[method].bind(history);
      history[method] = (state, title, url) => plain(state, title, withProject(url));
    }
  }
  steps[WRAPPED] = data.project;
  if (new URL(location.href).searchParams.get(NAME) !== data.project) {
    history.replaceState(history.state, "", location.href);
  }
};

/**
 * An address without a project is that of a page of this session. One with another project was typed or linked: the
 * server answers it.
 *
 * @param {string | URL | null | undefined} url
 */
function withProject(url) {
  if (url === undefined || url === null) return url;
  const full = new URL(url, document.baseURI);
  if (full.origin === location.origin && !full.searchParams.has(NAME)) {
    full.searchParams.set(NAME, steps[WRAPPED] ?? "");
  }
  return full.href;
}
