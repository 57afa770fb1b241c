"""A store that is deleted, moved, replaced, protected or out of reach while it is open: said, and nothing is lost."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from faithview import Sample
from faithview.domain.errors import StoreError, StoreReplaced
from faithview.settings import DATABASE_VARIABLE
from faithview.store import runs
from faithview.store.database import Database, open_database
from faithview.ui import navigation
from tests import postgres
from tests.dashboard import ROOT
from tests.factories import NOW, full_result, full_sample, make_run, open_services, store_run


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store" / "faithview.db"


@pytest.fixture
def db(store: Path) -> Database:
    db = open_database(f"sqlite:///{store}")
    sample = full_sample()
    store_run(db, [sample], [full_result(sample)])
    return db


def _write(db: Database) -> None:
    runs.create_run(db, make_run("r2"), [Sample(answer="x")])


def test_a_deleted_store_takes_nothing_and_does_not_come_back_empty(db: Database, store: Path) -> None:
    store.unlink()
    for use in (_write, lambda db: runs.count_runs(db)):
        with pytest.raises(StoreError, match="was deleted or moved while it was open"):
            use(db)
    assert not store.exists()


def test_a_moved_store_goes_on_once_it_is_back(db: Database, store: Path) -> None:
    store.rename(store.with_name("away.db"))
    with pytest.raises(StoreError, match="was deleted or moved"):
        _write(db)
    store.with_name("away.db").rename(store)
    _write(db)
    assert runs.count_runs(db) == 2


def test_a_replaced_store_is_told_and_neither_file_is_written(db: Database, store: Path, tmp_path: Path) -> None:
    db.close()  # the journal is in the file
    other = tmp_path / "other.db"
    shutil.copy(store, other)
    before = store.read_bytes()
    store.rename(store.with_name("away.db"))
    shutil.copy(other, store)
    with pytest.raises(StoreReplaced, match="was replaced by another file") as replaced:
        _write(db)
    # A run was stored into the file that was there, so "nothing was stored" would not be true.
    assert "Earlier data is in the replaced file, and nothing is written" in str(replaced.value)
    db.close()
    assert store.read_bytes() == store.with_name("away.db").read_bytes() == before


def test_a_store_of_a_url_that_only_looks_can_be_read_and_takes_nothing(db: Database, store: Path) -> None:
    db.close()
    before = store.read_bytes()
    looked = open_database(f"sqlite:///{store}?mode=ro")
    assert looked.is_read_only
    assert runs.count_runs(looked) == 1
    with pytest.raises(StoreError, match="is read-only here"):
        _write(looked)
    looked.close()
    assert store.read_bytes() == before


def test_a_store_in_a_folder_that_cannot_be_written_can_be_read(
    db: Database, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db.close()
    # As root, which tests may run as, everything may be written: the system's answer is given here.
    protected = {store, store.parent}
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) not in protected or mode == os.R_OK)
    looked = open_database(f"sqlite:///{store}")
    assert looked.is_read_only
    assert runs.count_runs(looked) == 1
    looked.close()


def test_an_older_store_that_can_only_be_read_is_not_migrated(store: Path) -> None:
    store.parent.mkdir()
    import sqlite3

    connection = sqlite3.connect(store)
    connection.executescript(
        "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('0020');"
        "CREATE TABLE run (id TEXT); CREATE TABLE sample (id TEXT); CREATE TABLE result (id TEXT);"
    )
    connection.close()
    with pytest.raises(StoreError, match=r"is read-only here and has schema 0020, but .* Copy it"):
        open_database(f"sqlite:///{store}?mode=ro")


@pytest.fixture
def page(db: Database, store: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """A function that opens a page of the dashboard over the store."""
    db.close()
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{store}")
    st.cache_resource.clear()

    def opened(name: str = navigation.OVERVIEW) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.run()
        if name != navigation.OVERVIEW:
            app.switch_page(name).run()
        assert not app.exception
        return app

    return opened


def _shown(app: AppTest) -> str:
    return " ".join(
        str(one.value) for kind in (app.title, app.text, app.markdown, app.caption, app.info) for one in kind
    )


def test_the_dashboard_says_that_its_store_is_gone_and_goes_on_when_it_is_back(
    page: Callable[..., AppTest], store: Path
) -> None:
    app = page()
    store.rename(store.with_name("away.db"))
    app.run()
    assert not app.exception
    assert "was deleted or moved while it was open" in _shown(app)
    store.with_name("away.db").rename(store)
    app.run()
    assert not app.exception
    assert "was deleted or moved" not in _shown(app)


def test_the_dashboard_shows_the_file_that_took_its_store_s_place(page: Callable[..., AppTest], store: Path) -> None:
    app = page(navigation.ANSWERS)
    store.rename(store.with_name("away.db"))
    with open_services(store):
        pass
    app.run()
    assert not app.exception
    assert "There are no runs yet." in _shown(app)


def test_words_that_pages_keep_go_with_the_store_that_they_are_about(page: Callable[..., AppTest], store: Path) -> None:
    app = page()
    kept = iter(["about the first file", "about the second file"])

    @st.cache_data
    def words() -> str:
        return next(kept)

    assert words() == "about the first file"
    app.run()
    assert words() == "about the first file"
    shutil.copy(store, store.with_name("other.db"))
    store.with_name("other.db").rename(store)
    app.run()
    assert not app.exception
    assert words() == "about the second file"


@pytest.mark.parametrize(
    "name",
    [
        navigation.OVERVIEW,
        navigation.ANSWERS,
        navigation.CHANGES,
        navigation.CLAIMS,
        navigation.REVIEW,
        navigation.TRENDS,
        navigation.UPLOAD,
    ],
)
def test_every_page_shows_a_damaged_store_in_words(page: Callable[..., AppTest], store: Path, name: str) -> None:
    app = page()
    content = bytearray(store.read_bytes())
    content[8192:-4096] = bytes(len(content) - 12_288)
    with store.open("r+b") as stream:
        stream.write(content)
    app.switch_page(name).run()
    assert not app.exception


@pytest.mark.parametrize(
    "name",
    [
        navigation.OVERVIEW,
        navigation.ANSWERS,
        navigation.CHANGES,
        navigation.CLAIMS,
        navigation.REVIEW,
        navigation.TRENDS,
        navigation.UPLOAD,
    ],
)
def test_every_page_shows_a_store_that_can_only_be_read(
    page: Callable[..., AppTest], store: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{store}?mode=ro")
    before = store.read_bytes()
    app = page(name)
    assert "This store can only be read." in _shown(app)
    assert store.read_bytes() == before


def test_a_stopped_postgresql_is_said_in_one_sentence_and_used_again_once_it_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with postgres.running_server() as server:
        url = postgres.sqlalchemy_url(server)
        db = open_database(url)
        store_run(db, [full_sample()])
        monkeypatch.setenv(DATABASE_VARIABLE, url)
    with pytest.raises(StoreError, match="cannot be used"):
        _write(db)
    with pytest.raises(StoreError, match="cannot be used"):
        runs.list_runs(db, now=NOW)
    st.cache_resource.clear()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.run()
    assert not app.exception
    assert "The store cannot be used" in _shown(app)
    db.close()
    st.cache_resource.clear()
