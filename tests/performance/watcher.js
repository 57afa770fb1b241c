// Tells how long it takes from a press of a key or button until what it asked for is on the screen.
// Components draw into shadow roots, so these are searched as well.

window.fv = {
  all(selector) {
    const hosts = [...document.querySelectorAll('[data-testid="stMain"] *')].filter((element) => element.shadowRoot);
    return [document, ...hosts.map((host) => host.shadowRoot)].flatMap((root) => [...root.querySelectorAll(selector)]);
  },

  // The script has ended, and nothing of what it drew last time is left.
  isIdle() {
    const app = document.querySelector('[data-testid="stApp"]');
    return app?.dataset.testScriptState === "notRunning" && !document.querySelector('[data-stale="true"]');
  },

  has(selector) {
    return document.querySelector(`[data-testid="stMain"] ${selector}`) !== null;
  },

  shows: {
    empty: () => fv.has('[data-testid="stDataFrame"] canvas') && fv.has(".js-plotly-plot .main-svg"),
    overview: () => fv.has(".st-key-overview-lists") && fv.has(".js-plotly-plot .main-svg .points path"),
    check: () => fv.has(".st-key-check-answer textarea"),
    upload: () => fv.has('[data-testid="stFileUploader"]'),
    settings: () => fv.has('[data-testid="stCode"]'),
    words: ({ words, selector }) =>
      words.every((part) => document.querySelector('[data-testid="stMain"]').textContent.includes(part)) &&
      (!selector || fv.has(selector)),
    inbox: ({ total, ids }) => {
      const rows = fv.all("[data-faithview-inbox] .row");
      const isListed = rows.length === ids.length && rows.every((row, at) => row.dataset.id === ids[at]);
      const said = [document.querySelector('[data-testid="stMain"]'), ...fv.all("[data-faithview-inbox] .status")];
      return isListed && said.some((place) => place.textContent.includes(total));
    },
    answer: ({ text }) => fv.all(".pane.answer").some((pane) => pane.textContent.includes(text)),
    list: ({ keys, text }) => {
      const rows = fv.all("[data-faithview-list] > [data-key]");
      const isListed = rows.length === keys.length && rows.every((row, at) => row.dataset.key === keys[at]);
      return isListed && fv.shows.answer({ text });
    },
  },

  isThere(kind, path, expected) {
    return (path === null || location.pathname === path) && fv.shows[kind](expected);
  },

  // Resolves with the time, in ms since the page was asked for, at which the browser has drawn it.
  shown(kind, path, expected) {
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + 30000;
      const look = () => {
        if (fv.isIdle() && fv.isThere(kind, path, expected)) requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
        else if (performance.now() > deadline) reject(new Error(`${kind} was not on screen within 30 s: ${JSON.stringify(expected)}`));
        else requestAnimationFrame(look);
      };
      look();
    });
  },

  within(complaint, promise) {
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error(`${complaint} within 15 s`)), 15000));
    return Promise.race([promise, late]);
  },

  // Begins to watch; `fv.pending` resolves with the ms from the first press until it is shown. Where it is
  // on screen already and is to stay there (another filter, the same answers), the script must have run in between.
  watch(kind, path, expected) {
    const app = document.querySelector('[data-testid="stApp"]');
    const ran = !fv.isThere(kind, path, expected) ? Promise.resolve() : new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (app.dataset.testScriptState === "notRunning") return;
        observer.disconnect();
        resolve();
      });
      observer.observe(app, { attributeFilter: ["data-test-script-state"] });
    });
    const pressed = new Promise((resolve) => {
      const note = (event) => {
        document.removeEventListener("pointerdown", note, true);
        document.removeEventListener("keydown", note, true);
        resolve(event.timeStamp);
      };
      document.addEventListener("pointerdown", note, true);
      document.addEventListener("keydown", note, true);
    });
    fv.pending = fv.within("no key or button was pressed", pressed).then(async (start) => {
      await fv.within("the script did not run", ran);
      return (await fv.shown(kind, path, expected)) - start;
    });
  },
};
