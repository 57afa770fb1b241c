"""A running page with the components, open in a browser."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.dashboard import Dashboard, free_port, start_server


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


@pytest.fixture
def chromium_page(browser_page: Page) -> Page:
    """A browser's page of 1440 x 900 with a fresh profile; the test fails where the page logs an error."""
    browser_page.set_default_timeout(20_000)
    return browser_page
