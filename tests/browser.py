"""The browser that tests drive: which one, how it is started, and how `make test` gets one where there is none."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

VIEWPORT = (1440, 900)
# On a deep link Streamlit's own script first looks for its server under the page's address, then under the root.
_STREAMLIT_PROBE = re.compile(r"/[^/]+/_stcore/(health|host-config)$")
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same engine without the parts that only a window needs, which saves the processor some of its work.
_SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
_MACOS = ("Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium")
_FLAGS = (
    "--no-sandbox",  # root in a container has no user namespace to sandbox with
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # All pages of a profile share one process, in which the dashboard's scripts stay compiled while one page is open.
    "--process-per-site",
    # Nothing but this machine: a page that wants a font or a script from elsewhere is found out.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)

# For pages that live for seconds, of which a test opens many. They are slower in pages that compute for long.
_SHORT_LIVED_FLAGS = (
    # A script that another page of the process has run is found compiled, but only where it is not parsed while it
    # streams in. The last list of this name wins, so the part of playwright's that concerns pages is repeated here.
    "--disable-features=ScriptStreaming,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,MediaRouter,OptimizationHints,PaintHolding,ThirdPartyStoragePartitioning",
    # The page is closed before optimised code would have paid for its making.
    "--js-flags=--no-maglev --no-turbofan",
)


def find_chromium() -> str | None:
    """Return a Chromium or Chrome that starts: FAITHVIEW_CHROMIUM, else on the PATH, else playwright's own; else None.

    Raises:
        RuntimeError: FAITHVIEW_CHROMIUM is set to something that does not start.
    """
    if named := os.environ.get("FAITHVIEW_CHROMIUM"):
        if not _starts(named):
            raise RuntimeError(f"FAITHVIEW_CHROMIUM is {named!r}, which does not start; correct or unset it.")
        return named
    return next((path for path in _candidates() if _starts(path)), None)


def find_headless_shell() -> str | None:
    """Return the headless shell on the PATH, unless FAITHVIEW_CHROMIUM names a browser; else None."""
    if os.environ.get("FAITHVIEW_CHROMIUM"):
        return None
    return next((path for name in _SHELLS if (path := shutil.which(name)) and _starts(path)), None)


@contextmanager
def launch(*, headless: bool = True, short_lived_pages: bool = False) -> Iterator[Browser]:
    """Start the browser and close it at the end. With `short_lived_pages` it opens pages quickly, for tests.

    While it is open the thread has a running event loop, so that `asyncio.run` cannot be used in it.

    Raises:
        RuntimeError: there is no browser.
    """
    executable = (find_headless_shell() if short_lived_pages else None) or find_chromium()
    flags = [*_FLAGS, *(_SHORT_LIVED_FLAGS if short_lived_pages else ())]
    if executable is None:
        raise RuntimeError("No Chromium or Chrome was found; run: make test (or name one in FAITHVIEW_CHROMIUM).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, headless=headless, args=flags)
        try:
            yield browser
        finally:
            browser.close()


class SharedBrowser:
    """A browser that is started when it is first asked for, and again after it was closed or has crashed."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._browser: Browser | None = None

    def get(self) -> Browser:
        """Return the browser."""
        if self._browser is None or not self._browser.is_connected():
            self.close()
            self._browser = self._opened.enter_context(launch(short_lived_pages=True))
        return self._browser

    def close(self) -> None:
        """Close the browser if it is open."""
        self._browser = None
        self._opened.close()


def new_context(
    browser: Browser, *, color_scheme: str = "light", viewport: tuple[int, int] = VIEWPORT, moves: bool = True
) -> BrowserContext:
    """Return a fresh profile: no cookies, no storage. `color_scheme` is "light" or "dark".

    Unless it `moves` it asks pages to keep still, which takes a fifth less of the browser's time.
    """
    if color_scheme not in ("light", "dark"):
        raise ValueError(f"A colour scheme is 'light' or 'dark', not {color_scheme!r}.")
    width, height = viewport
    return browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if color_scheme == "dark" else "light",
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


def main() -> int:
    """Make sure that there is a browser, installing one where there is none; return the exit status."""
    path = find_chromium()
    if path is None:
        for command in _installers():
            sys.stderr.write(f"No Chromium or Chrome was found; running: {' '.join(command)}\n")
            # Failing is not the end: the next way is tried, and the outcome is looked at below.
            subprocess.run(command, check=False)
            if path := find_chromium():
                break
    if path is None:
        sys.stderr.write(
            "The tests need Chromium or Chrome and none could be installed; "
            "install one and run make test again, or name it in FAITHVIEW_CHROMIUM.\n"
        )
        return 1
    sys.stdout.write(f"Browser for the tests: {find_headless_shell() or path}\n")
    return 0


def _candidates() -> Iterator[str]:
    yield from (path for name in _NAMES if (path := shutil.which(name)))
    yield from (str(Path("/Applications") / app) for app in _MACOS)
    with sync_playwright() as playwright:  # last, because it takes a second to ask
        own = playwright.chromium.executable_path
    yield own


def _starts(path: str) -> bool:
    # Ubuntu's chromium package is a script that only says to install a snap, so being there is not enough.
    try:
        done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _installers() -> Iterator[list[str]]:
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if is_root and shutil.which("apt-get"):
        yield ["apt-get", "update"]
        install = ["apt-get", "install", "--yes", "--no-install-recommends", "chromium"]
        yield [*install, *_SHELLS[:1]]
        yield install  # a system may have no package of the shell
    yield [sys.executable, "-m", "playwright", "install", *(["--with-deps"] if is_root else []), "chromium"]


if __name__ == "__main__":
    sys.exit(main())
