"""One dashboard and one browser profile for many files of tests, each with a store of its own.

Starting a dashboard, filling its caches and compiling its scripts in the browser take longer than most tests. So the
dashboard is told of a link, and the link is turned from store to store: that a store's file is replaced while the
dashboard runs is something that it notices.
"""

import os
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from faithview.settings import DATABASE_VARIABLE
from tests.dashboard import Dashboard, free_port, start_server
from tests.ui.browser.screen import new_profile, stay_open

_SQLITE = "sqlite:///"


class SharedDashboard:
    """A dashboard that is started when it is first asked for and shows one store after another."""

    def __init__(self, folder: Path, *, empty_file: Path) -> None:
        """Take a folder for its files, and a store without a run in it for modules that begin with none."""
        self._folder = folder
        self._empty_file = empty_file
        self._running: Dashboard | None = None
        self._browser: Browser | None = None
        self._profiles: dict[str, BrowserContext] = {}

    def show(self, database: str) -> Dashboard:
        """Show the SQLite store at that URL, an empty one where there is no file yet."""
        file = Path(database.removeprefix(_SQLITE))
        if not file.exists():
            file.write_bytes(self._empty_file.read_bytes())
        link, next_link = self._folder / "store.db", self._folder / "next.db"
        next_link.symlink_to(file)
        os.replace(next_link, link)
        if self._running is None or self._running.process.poll() is not None:
            self._running = self._start(f"{_SQLITE}{link}")
        return self._running

    def _start(self, database: str) -> Dashboard:
        port = free_port()
        # Not `faithview ui`, which would follow the link once and for all.
        command = [sys.executable, "-P", "-m", "faithview.ui.serving.dashboard_server", "--port", str(port)]
        environment = {DATABASE_VARIABLE: database, "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none"}
        return start_server(command, port=port, log=self._folder / "dashboard.log", environment=environment)

    def is_behind(self, dashboard: Dashboard) -> bool:
        """Return whether that is the shared dashboard and not one of a module's own."""
        return dashboard is self._running

    def profile(self, browser: Browser, *, person: str = "") -> BrowserContext:
        """Return the profile of that person, as if it were new but for what it has fetched."""
        assert self._running is not None
        if self._browser is not browser:
            self._browser, self._profiles = browser, {}
        if person not in self._profiles:
            self._profiles[person] = new_profile(browser)
            stay_open(self._profiles[person], self._running.url)
        profile = self._profiles[person]
        kept, *others = profile.pages
        for page in others:
            page.close()
        kept.evaluate("localStorage.clear()")
        profile.clear_cookies()
        profile.clear_permissions()
        return profile

    def stop(self) -> None:
        """Stop the dashboard if it runs."""
        if self._running is not None:
            self._running.stop()


def can_share(database: str) -> bool:
    """Return whether the store at that URL is a file, to which a link can lead."""
    return database.startswith(_SQLITE) and os.name != "nt"
