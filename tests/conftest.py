"""What every test may ask for: databases, the running dashboard, a browser. And nothing may reach another machine.

A test is of one of the tiers below, or of none and then quick: it gets five seconds of the processor, and `make test`
runs it.
"""

import functools
import ipaddress
import itertools
import os
import re
import shutil
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.dashboard import Dashboard, start_dashboard

TIERS = ("browser", "process", "torch", "integration")
_PATIENCE_S = 300
# The processor's time, and not the clock's: a busy machine makes no test red.
_QUICK_S = 5.0
# Fixtures of the sample's six hundred answers, which take twenty seconds to judge.
_JUDGED = frozenset({"demo_file", "whole_sample_file"})
_OF_ONE_TIER = re.compile(rf"^pytestmark = \[?\s*pytest\.mark\.({'|'.join(TIERS)})\b", re.MULTILINE)
_database_numbers = itertools.count(1)

# How long an example takes says how busy the machine is, so there is no deadline. The suite draws the same few examples
# each time, so that no change is refused for a fault that was there before it.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=30)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests that ask for a database run on PostgreSQL."""
    parser.addoption("--engine", choices=["sqlite", "postgresql"], default="sqlite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import files whose whole tier `-m "not …"` leaves out, nor the conftest.py of a folder of them."""
    expression: str = config.option.markexpr
    files = [collection_path] if collection_path.suffix == ".py" else list(collection_path.rglob("test_*.py"))
    if not expression.startswith("not ") or not files:
        return None
    tiers = [_OF_ONE_TIER.search(file.read_text(encoding="utf-8")) for file in files]
    return True if all(tier and tier[1] in expression for tier in tiers) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what needs the judged sample into a slow tier, and give what is of a tier more time."""
    for item in items:
        if _JUDGED.intersection(getattr(item, "fixturenames", ())) and _is_quick(item):
            item.add_marker(pytest.mark.process)
        if not _is_quick(item) and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(_PATIENCE_S, func_only=False))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Refuse a quick test that is slow."""
    before = time.process_time()
    yield
    spent = time.process_time() - before
    if spent > _QUICK_S and _is_quick(item):
        pytest.fail(f"It took {spent:.1f} s of the processor: make it quicker, or mark it `process`.", pytrace=False)


def _is_quick(item: pytest.Item) -> bool:
    return not any(item.get_closest_marker(tier) for tier in TIERS)


class NetworkUsed(AssertionError):
    """A test tried to reach another machine."""


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> Iterator[None]:
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

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
        yield


@pytest.fixture(autouse=True, scope="session")
def _certificates_are_read_once() -> Iterator[None]:
    """Each client of an SDK reads the authorities' certificates, which takes 40 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """libpq's URL of a PostgreSQL server that lives as long as the test session."""
    from tests import postgres

    with postgres.running_server() as url:
        yield url


@pytest.fixture(scope="session")
def _postgres_template(postgres_server: str) -> Iterator[str]:
    """The name of a PostgreSQL database that is a store without a run in it; to be copied."""
    from faithview.store.database import open_database
    from tests import postgres

    name = f"template_{os.getpid()}"
    with postgres.fresh_database(postgres_server, name) as url:
        open_database(url).close()
        yield name


@pytest.fixture
def engine_name(request: pytest.FixtureRequest) -> str:
    """The database that the test runs on: that of `--engine`, unless the test names one."""
    name: str = request.config.getoption("--engine")
    return name


@pytest.fixture
def database_url(engine_name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """SQLAlchemy's URL of an empty database of the test's own."""
    if engine_name == "sqlite":
        yield f"sqlite:///{tmp_path / 'faithview.db'}"
        return
    with _fresh_database(request) as url:
        yield url


@pytest.fixture
def store_url(engine_name: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """SQLAlchemy's URL of a store of the test's own without a run in it."""
    if engine_name == "sqlite":
        yield f"sqlite:///{request.getfixturevalue('store_file')}"
        return
    with _fresh_database(request, template=request.getfixturevalue("_postgres_template")) as url:
        yield url


def _fresh_database(request: pytest.FixtureRequest, **options: str) -> AbstractContextManager[str]:
    from tests import postgres

    server_url: str = request.getfixturevalue("postgres_server")
    return postgres.fresh_database(server_url, f"test_{os.getpid()}_{next(_database_numbers)}", **options)


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

    return _filled_once("demo", load_sample_runs, tmp_path_factory)


@pytest.fixture(scope="session")
def whole_sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all that `faithview demo` shows, reviews and a second judge included; to be copied."""
    from faithview.services.demo import load_sample

    return _filled_once("sample", load_sample, tmp_path_factory)


def _filled_once(name: str, fill: Callable[[Any], object], factory: pytest.TempPathFactory) -> Path:
    """Return a copy of a store that the first process of the session that asks for it fills for all of them."""
    from filelock import FileLock

    from tests.factories import open_services

    folder = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    path, unfinished = folder / f"{name}.db", folder / f"{name}.unfinished.db"

    def work() -> None:
        with open_services(unfinished) as services:
            fill(services)

    with FileLock(folder / f"{name}.lock"):
        if not path.exists():
            _apart(work)
            unfinished.rename(path)
    return Path(shutil.copy(path, factory.mktemp(name)))


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser for the tests of one file.

    While playwright is open, the main thread has a running event loop and `asyncio.run` in other tests would fail.
    """
    from tests.browser import launch

    with launch() as launched:
        yield launched


@pytest.fixture
def browser_page(browser: Any) -> Iterator[Any]:
    """A page with a fresh profile, 1440 x 900; the test fails if the page logged an error or threw."""
    from tests.browser import collect_errors, new_context

    with new_context(browser) as context:
        page = context.new_page()
        errors = collect_errors(page)
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
