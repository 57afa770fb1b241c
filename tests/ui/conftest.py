"""Pages run from app.py without a browser, over stores made for them."""

import functools
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.settings import DATABASE_VARIABLE
from faithview.store import results, runs
from faithview.ui import navigation
from faithview.ui.reader.payload import Payload
from faithview.ui.reader.reader import CHOICES, Choice
from tests.dashboard import ROOT
from tests.factories import add_run, make_claim, make_result, open_services

# Opens a page over the test's store: `open_page("pages/changes.py?tab=documents", document="…")`.
OpenPage = Callable[..., AppTest]

_WORKER = "nobody:1:test"


@pytest.fixture(autouse=True, scope="session")
def _packages_are_searched_once() -> Iterator[None]:
    """Every AppTest searches all installed packages for components, which takes as long as all its pages do."""
    search = functools.cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", search)
        yield


@pytest.fixture(autouse=True)
def _own_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the process's own main module back: `AppTest` leaves the page there, and a spawned process would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True, scope="session")
def _app_runs_every_page() -> Iterator[None]:
    """Pages are run by app.py, as the dashboard's server has it; AppTest begins anew with each run."""
    begin = PagesManager.__init__

    def beginning(self: PagesManager, *given: object, **named: object) -> None:
        begin(self, *given, **named)
        PagesManager.uses_pages_directory = False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PagesManager, "__init__", beginning)
        yield


@pytest.fixture
def services(store_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The services over an empty store, which the pages use too."""
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{store_file}")
    st.cache_resource.clear()
    with open_services(store_file) as opened:
        yield opened
    st.cache_resource.clear()


@pytest.fixture
def demo(services: Store, store_file: Path, demo_file: Path) -> Store:
    """The same with the demo's runs."""
    with closing(sqlite3.connect(demo_file)) as judged, closing(sqlite3.connect(store_file)) as store:
        judged.backup(store)
    return services


@pytest.fixture
def failed_run(services: Store) -> str:
    """The id of a run with one judged answer, one that failed and one that is still waiting."""
    samples = [Sample.of(f"Inbox {n} is blue.", ["Blue."], key=f"r{n}") for n in (1, 2, 3)]
    run = add_run(services, samples, "Half $x$ done")
    now = datetime.now(UTC)
    runs.take_run(services.db, run.run_id, worker=_WORKER, now=now)
    claim = make_claim("Inbox 1 is blue.", Verdict.SUPPORTED)
    outcomes = [
        (1, samples[0], make_result(claim)),
        (2, samples[1], make_result(state=State.FAILED, error="The judge's reply was <b>no</b> JSON.")),
    ]
    results.save_results(services.db, run.run_id, outcomes, worker=_WORKER, now=now, seconds=1.0)
    runs.release_dead_worker(services.db, run.run_id, worker=_WORKER)
    return run.run_id


def _press_reader(
    answer: Payload, *, key: str, on_choice: Callable[[Choice], None], row: str, claim: int, height: str
) -> None:
    """Stand in for the reader: a button for each label that it would take, and one for a press that comes too late."""
    st.text(repr(answer))
    for verdict in CHOICES:
        on_click = partial(on_choice, Choice(row=row, claim=claim, verdict=verdict))
        st.button(verdict, key=f"reader.{verdict}", on_click=on_click, disabled=not answer["claims"][0]["can_label"])
    st.button("late", key="reader.late", on_click=partial(on_choice, Choice(row="0", claim=1, verdict="supported")))


@pytest.fixture
def reader_of_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Review with a button for each label in place of the reader, which is drawn by a browser alone."""
    for module in ("queue", "disagreements"):
        monkeypatch.setattr(f"faithview.ui.review.{module}.reader", _press_reader)


@pytest.fixture
def open_page(services: Store, monkeypatch: pytest.MonkeyPatch) -> OpenPage:
    """A function that opens a page at an address and fails where the page raises."""
    assert os.environ[DATABASE_VARIABLE].startswith("sqlite:")
    shown: list[str] = []
    run = StreamlitPage.run

    def noting_run(self: StreamlitPage) -> None:
        shown.append(str(self._page))
        run(self)

    monkeypatch.setattr(StreamlitPage, "run", noting_run)

    def opened(page: str, **parameters: str) -> AppTest:
        page, _, tab = page.partition("?tab=")
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        if Path(page).stem not in ("overview", navigation.ADDRESSES[page]):  # AppTest learns the address from a run
            app.run()
        _fill(app, {**parameters, **({"tab": tab} if tab else {})})
        app.switch_page(page).run()  # at once, as somebody who follows a link
        assert not app.exception
        assert shown[-1] == str(ROOT / page)
        return app

    return opened


def _fill(app: AppTest, parameters: Mapping[str, str]) -> None:
    for name, value in parameters.items():
        app.query_params[name] = value


def words_of(app: AppTest) -> str:
    """Everything that a page says, in the order of its kinds, a line each."""
    assert not app.exception
    kinds = (app.title, app.header, app.markdown, app.caption, app.info, app.warning, app.success, app.error, app.text)
    return "\n".join(str(one.value) for kind in kinds for one in kind)
