"""A running page with the components, open in a browser."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import collect_errors, new_context
from tests.dashboard import Dashboard, free_port, start_server
from tests.ui.browser.screen import stay_open


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the page with both components, without a slash at its end."""
    port = free_port()
    script = str(Path(__file__).with_name("gallery.py"))
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.address=127.0.0.1", f"--server.port={port}"]
    command += ["--server.headless=true", "--server.fileWatcherType=none"]
    log = tmp_path_factory.mktemp("gallery") / "server.log"
    server: Dashboard = start_server(command, port=port, log=log, environment={})
    yield server.url
    server.stop()


@pytest.fixture(scope="module")
def profile(browser: Browser, gallery: str) -> Iterator[BrowserContext]:
    """The browser profile of one module: its tests share what the browser has fetched, not their pages."""
    with new_context(browser) as context:
        context.set_default_timeout(45_000)
        expect.set_options(timeout=45_000)
        stay_open(context, gallery)
        yield context


@pytest.fixture
def chromium_page(profile: BrowserContext) -> Iterator[Page]:
    """A browser's page of 1440 x 900; the test fails where the page logs an error."""
    page = profile.new_page()
    errors = collect_errors(page)
    yield page
    page.close()
    assert not errors, f"The page logged errors: {errors}"
