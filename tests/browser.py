"""The browser that tests drive: which one, and how it is started.

It is Debian's package `chromium-headless-shell` or `chromium`, or the one that FAITHVIEW_CHROMIUM names.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

VIEWPORT = (1440, 900)
# On a deep link Streamlit's own script first looks for its server under the page's address, then under the root.
_STREAMLIT_PROBE = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
_NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
_FLAGS = (
    "--no-sandbox",  # root in a container has no user namespace to sandbox with
    "--disable-gpu",
    # All pages of a profile share one process, in which the dashboard's scripts stay compiled while one page is open.
    "--process-per-site",
    # Nothing but this machine: a page that wants a font or a script from elsewhere is found out.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


@contextmanager
def launch() -> Iterator[Browser]:
    """Start the browser and close it at the end; while it is open, `asyncio.run` cannot be used in this thread."""
    named = os.environ.get("FAITHVIEW_CHROMIUM")
    executable = named or next(filter(None, map(shutil.which, _NAMES)), None)
    if executable is None:
        raise RuntimeError("No Chromium was found: apt-get install chromium-headless-shell, or set FAITHVIEW_CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def new_context(browser: Browser, *, color_scheme: str = "light", moves: bool = True) -> BrowserContext:
    """Return a fresh profile: no cookies, no storage. Unless it `moves` it asks pages to keep still."""
    return browser.new_context(
        viewport={"width": VIEWPORT[0], "height": VIEWPORT[1]},
        color_scheme=color_scheme,
        reduced_motion="no-preference" if moves else "reduce",
        locale="en-GB",
        timezone_id="UTC",
    )


def collect_errors(page: Page) -> list[str]:
    """Return a list that grows with every console error and uncaught exception of the page from now on."""
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        if message.type == "error" and not _STREAMLIT_PROBE.search(url):
            errors.append(f"{message.text} ({url})")

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors
