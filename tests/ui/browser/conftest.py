"""The dashboard over a store of its own, and a browser that looks at it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from faithview.services.container import Store
from tests.browser import VIEWPORT
from tests.dashboard import Dashboard, start_dashboard
from tests.factories import open_services
from tests.ui.browser.screen import Screen, new_profile, new_screen, stay_open
from tests.ui.browser.sharing import SharedDashboard, can_share


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for one module's files."""
    return tmp_path_factory.mktemp("module")


@pytest.fixture(scope="module")
def demo_url(demo_file: Path, folder: Path) -> str:
    """The URL of a store with the demo's runs, the module's own."""
    return f"sqlite:///{shutil.copy(demo_file, folder / 'demo.db')}"


@pytest.fixture(scope="module")
def database(demo_url: str) -> str:
    """The URL of the store that the module's dashboard shows; a module may put another in its place."""
    return demo_url


@pytest.fixture(scope="session")
def shared_dashboard(tmp_path_factory: pytest.TempPathFactory, empty_file: Path) -> Iterator[SharedDashboard]:
    """The dashboard of all modules that want no other."""
    shared = SharedDashboard(tmp_path_factory.mktemp("shared"), empty_file=empty_file)
    yield shared
    shared.stop()


@pytest.fixture(scope="module")
def dashboard(database: str, folder: Path, shared_dashboard: SharedDashboard) -> Iterator[Dashboard]:
    """The dashboard over the module's store."""
    if can_share(database):
        yield shared_dashboard.show(database)
        return
    running = start_dashboard(database, log=folder / "dashboard.log")
    yield running
    running.stop()


@pytest.fixture(scope="module")
def services(database: str) -> Iterator[Store]:
    """The services over the same store, to compare with what is on screen."""
    with open_services(database) as opened:
        yield opened


@pytest.fixture(scope="module")
def profile(browser: Browser, dashboard: Dashboard, shared_dashboard: SharedDashboard) -> Iterator[BrowserContext]:
    """The browser profile of one module: its tests share what the browser has fetched, not their sessions."""
    if shared_dashboard.is_behind(dashboard):
        yield shared_dashboard.profile(browser)
        return
    with new_profile(browser) as context:
        stay_open(context, dashboard.url)
        yield context


@pytest.fixture
def screen(dashboard: Dashboard, profile: BrowserContext) -> Iterator[Screen]:
    """The dashboard in a page of 1440 x 900; the test fails if it logged errors or asked another machine."""
    profile.clear_cookies()  # the name of who reviewed in the test before
    one = new_screen(profile, dashboard.url)
    yield one
    one.page.close()
    assert not one.troubles, f"The page logged errors or asked another machine: {one.troubles}"


@pytest.fixture
def named(screen: Screen) -> Screen:
    """The dashboard for a reviewer who has given a name."""
    screen.review_as("Ann")
    return screen


@pytest.fixture(scope="module")
def _visited(dashboard: Dashboard, profile: BrowserContext) -> Iterator[Screen]:
    profile.clear_cookies()
    one = new_screen(profile, dashboard.url)
    yield one
    one.page.close()


@pytest.fixture
def visitor(_visited: Screen, profile: BrowserContext) -> Iterator[Screen]:
    """The dashboard in one page for all tests of a file that ask for it.

    A test that names in the address all that it looks at may `visit` it, in the session of the tests before, which
    remembers what they chose. With `open` a test begins a session of its own.
    """
    profile.clear_cookies(name="faithview_reviewer")  # uploads need the others, which only a load brings back
    _visited.page.set_viewport_size({"width": VIEWPORT[0], "height": VIEWPORT[1]})
    yield _visited
    troubles = _visited.troubles
    _visited.forget_troubles()
    assert not troubles, f"The page logged errors or asked another machine: {troubles}"


@pytest.fixture
def other_screen(dashboard: Dashboard, browser: Browser, shared_dashboard: SharedDashboard) -> Iterator[Screen]:
    """The same dashboard for somebody else, in a profile that knows nothing of the first one's."""
    if shared_dashboard.is_behind(dashboard):
        one = new_screen(shared_dashboard.profile(browser, person="somebody else"), dashboard.url)
        yield one
        one.page.close()
    else:
        with new_profile(browser) as context:
            stay_open(context, dashboard.url)
            one = new_screen(context, dashboard.url)
            yield one
    assert not one.troubles, f"The page logged errors or asked another machine: {one.troubles}"
