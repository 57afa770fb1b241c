"""What every test may ask for: databases, the running dashboard, a browser. And nothing may reach another machine."""

import ipaddress
import itertools
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page

from tests import browser as browsers
from tests import postgres
from tests.dashboard import ROOT, Dashboard, start_dashboard

_database_numbers = itertools.count(1)
_BROWSER = pytest.StashKey[browsers.SharedBrowser]()

# How long an example takes says how busy the machine is, so there is no deadline. The suite draws the same few examples
# each time, so that no change is refused for a fault that was there before it; `make fuzz` draws new ones, and more.
# A test that needs more of them than others says so as a multiple of `settings().max_examples`.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=30)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


class NetworkUsed(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to and look-ups of anything but this machine."""
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _refuse_others(self.family, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _refuse_others(self.family, address)
        return connect_ex(self, address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if not _is_this_machine(host):
            raise NetworkUsed(f"A test looked up {host!r}; tests may only reach this machine.")
        return getaddrinfo(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)


@pytest.fixture(autouse=True)
def _own_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the process's own main module back: `AppTest` leaves the page there, and a spawned process would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """libpq's URL of a PostgreSQL server that lives as long as the test session."""
    with postgres.running_server() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_url(postgres_server: str) -> str:
    """SQLAlchemy's URL of that server's administration database."""
    return postgres.sqlalchemy_url(postgres_server)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """SQLAlchemy's URL of an empty database of the test's own; every test that asks runs on both engines."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'faithview.db'}"
        return
    server_url: str = request.getfixturevalue("postgres_server")
    with postgres.fresh_database(server_url, f"test_{next(_database_numbers)}") as url:
        yield url


@pytest.fixture(scope="session")
def postgres_stores(postgres_server: str) -> Iterator[postgres.EmptyStores]:
    """Stores on PostgreSQL without a run in them."""
    from faithview.store.database import open_database

    with postgres.fresh_database(postgres_server, "test_template") as url:
        open_database(url).close()
        yield postgres.EmptyStores(postgres_server, template="test_template")


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file that is a store without a run in it; to be copied, which is quicker than making one."""
    from faithview.store.database import open_database

    path = tmp_path_factory.mktemp("empty") / "empty.db"
    _apart(lambda: open_database(f"sqlite:///{path}").close())
    return path


@pytest.fixture
def store_file(tmp_path: Path, empty_file: Path) -> Path:
    """The SQLite file of a store of the test's own without a run in it."""
    return Path(shutil.copy(empty_file, tmp_path / "faithview.db"))


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the demo's runs; judged once, to be copied."""
    from faithview.services.demo import load_sample_runs
    from tests.factories import open_services

    path = tmp_path_factory.mktemp("demo") / "demo.db"

    def judge() -> None:
        with open_services(path) as services:
            load_sample_runs(services)

    _apart(judge)
    return path


@pytest.fixture(scope="session")
def whole_sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all that `faithview demo` shows, reviews and a second judge included; to be copied."""
    from faithview.services.demo import load_sample
    from tests.factories import open_services

    path = tmp_path_factory.mktemp("sample") / "sample.db"

    def load() -> None:
        with open_services(path) as services:
            load_sample(services)

    _apart(load)
    return path


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """SQLAlchemy's URL of a store of the test's own without a run in it; every test that asks runs on both engines."""
    if request.param == "sqlite":
        yield f"sqlite:///{request.getfixturevalue('store_file')}"
        return
    stores: postgres.EmptyStores = request.getfixturevalue("postgres_stores")
    with stores.lend() as url:
        yield url


@pytest.fixture(scope="session")
def shared_bench() -> Path:
    """The folder of large public benchmark files that stands beside some checkouts."""
    folder = ROOT.parent / "shared" / "bench"
    if not folder.is_dir():
        pytest.skip("needs the benchmark files in ../shared/bench, which this checkout does not have")
    return folder


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., Dashboard]]:
    """A function that starts the real dashboard: `server(database_url, environment={...})`; all stop with the test."""
    started: list[Dashboard] = []

    def start(database_url: str, **options: Any) -> Dashboard:
        dashboard = start_dashboard(database_url, log=tmp_path / f"dashboard-{len(started)}.log", **options)
        started.append(dashboard)
        return dashboard

    yield start
    for dashboard in started:
        dashboard.stop()


@pytest.fixture(scope="session")
def _session_browser(request: pytest.FixtureRequest) -> Iterator[browsers.SharedBrowser]:
    shared = browsers.SharedBrowser()
    request.session.stash[_BROWSER] = shared
    yield shared
    shared.close()


@pytest.fixture(scope="module")
def browser(_session_browser: browsers.SharedBrowser) -> Browser:
    """The browser of all tests that drive one, closed when another test comes."""
    return _session_browser.get()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser after a file whose next one does not begin with it.

    While playwright is open, the main thread has a running event loop and `asyncio.run` in other tests would fail.
    """
    yield
    shared = item.session.stash.get(_BROWSER, None)
    is_last = nextitem is None or (
        nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())
    )
    if shared is not None and is_last:
        shared.close()


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    """A page with a fresh profile, 1440 x 900; the test fails if the page logged an error or threw."""
    with browsers.new_context(browser) as context:
        page = context.new_page()
        errors = browsers.collect_errors(page)
        yield page
    assert not errors, f"The page logged errors: {errors}"


def _apart(work: Callable[[], None]) -> None:
    """Do it in a thread of its own: a module's browser may hold an event loop open in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def _refuse_others(family: int, address: Any) -> None:
    if family in (socket.AF_INET, socket.AF_INET6) and not _is_this_machine(address[0]):
        raise NetworkUsed(f"A test connected to {address!r}; tests may only reach this machine.")


def _is_this_machine(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark whole kinds of tests as slow, and put files that drive a browser first, then those with slow tests.

    Processes that share the work out by file are then not left waiting for one long file that was begun last.
    """
    for item in items:
        if _is_slow_kind(item):
            item.add_marker(pytest.mark.slow)
    ranks: dict[Path, int] = {}
    for item in items:
        rank = 0 if item.get_closest_marker("browser") else 1 if item.get_closest_marker("slow") else 2
        ranks[item.path] = min(rank, ranks.get(item.path, rank))
    items.sort(key=lambda item: ranks[item.path])


def _is_slow_kind(item: pytest.Item) -> bool:
    """Return whether a test is of a kind that `make test` leaves to `make test-slow`.

    These are the tests that drive a browser, except a look at every page; those that damage stores and fill disks;
    those that start a dashboard of their own for each test; and, on PostgreSQL, those of everything above the store,
    whose queries its own tests make on both databases.
    """
    if item.get_closest_marker("browser") is not None:
        return item.get_closest_marker("every_page") is None
    folders = item.path.relative_to(ROOT / "tests").parts
    if folders[0] == "faults" or folders[:2] == ("ui", "serving"):
        return True
    return folders[0] != "store" and "postgresql" in _parameters(item)


def _parameters(item: pytest.Item) -> list[str]:
    callspec = getattr(item, "callspec", None)
    return [] if callspec is None else str(callspec.id).split("-")


@pytest.fixture(autouse=True)
def _app_runs_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are run by app.py, as the dashboard's server has it; AppTest begins anew with each run."""
    module = sys.modules.get("streamlit.runtime.pages_manager")
    if module is None:  # the test draws no page
        return
    manager = module.PagesManager
    begin = manager.__init__

    def beginning(self: object, *given: object, **named: object) -> None:
        begin(self, *given, **named)
        manager.uses_pages_directory = False

    monkeypatch.setattr(manager, "__init__", beginning)
