"""A search through texts finds what the folded texts hold, whatever it leaves out for letters of ASCII."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, column, func, select, table, text

from faithview.store import dialect
from faithview.store.search import contains
from faithview.store.urls import parse

# Letters that fold to others, in ASCII and beyond it, and characters that a pattern would take for wildcards.
LETTERS = "aABiIıİ\u0307jJ\u0301kK\N{KELVIN SIGN}sSſßẞσςΣéÉ%_\\ x"
# PostgreSQL folds letters as the locale says: the first one only those of ASCII, the last one also by their neighbours.
LOCALES = {
    "C": "LOCALE_PROVIDER libc LOCALE 'C'",
    "C.UTF-8": "LOCALE_PROVIDER libc LOCALE 'C.UTF-8'",
    "PG_UNICODE_FAST": "LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST' LOCALE 'C'",
}
TEXTS = table("texts", column("text"))


@pytest.fixture(scope="module", params=["sqlite", *LOCALES])
def connection(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A connection to a database with a table of short texts and of none."""
    if (request.param == "sqlite") != (request.config.getoption("--engine") == "sqlite"):
        pytest.skip("for the other --engine")
    if request.param == "sqlite":
        with _filled(f"sqlite:///{tmp_path_factory.mktemp('texts') / 'texts.db'}") as connection:
            yield connection
        return
    import psycopg

    from tests import postgres

    server_url: str = request.getfixturevalue("postgres_server")
    name = f"texts_{list(LOCALES).index(request.param)}"
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' {LOCALES[request.param]}")
        with _filled(postgres.sqlalchemy_url(server_url, database=name)) as connection:
            yield connection
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _filled(url: str) -> Iterator[Connection]:
    engine = dialect.make_engine(parse(url))
    letters = random.Random(4)
    made = ["".join(letters.choices(LETTERS, k=letters.randint(0, 12))) for _ in range(400)]
    with engine.connect() as connection:
        connection.execute(text("CREATE TABLE texts (text TEXT)"))
        connection.execute(TEXTS.insert(), [{"text": one} for one in [*made, *LETTERS, None]])
        yield connection
    engine.dispose()


def _folding(connection: Connection, needle: str) -> list[str]:
    """Return the texts that hold the needle after every letter of both was folded."""
    if connection.dialect.name == "sqlite":
        every = [one for one in connection.execute(select(TEXTS.c.text)).scalars() if one is not None]
        return sorted(one for one in every if needle.casefold() in one.casefold())

    def folded(value: object) -> object:
        return func.translate(func.replace(func.lower(value), "ß", "ss"), "ς", "σ")

    query = select(TEXTS.c.text).where(func.strpos(folded(TEXTS.c.text), folded(needle)) > 0)
    return sorted(connection.execute(query).scalars())


def _found(connection: Connection, needle: str) -> list[str]:
    condition = contains(TEXTS.c.text, needle, dialect=connection.dialect.name)
    return sorted(connection.execute(select(TEXTS.c.text).where(condition)).scalars())


def test_a_search_finds_what_the_folded_texts_hold(connection: Connection) -> None:
    letters = random.Random(5)
    pairs = [first + second for first in LETTERS for second in LETTERS]
    needles = [*LETTERS, *pairs, *("".join(letters.choices(LETTERS, k=3)) for _ in range(300)), "aB", "ISK", "strasse"]
    other = {needle for needle in needles if _found(connection, needle) != _folding(connection, needle)}
    assert not other


@pytest.mark.parametrize("needle", ["\x00", "\ud800"])
def test_what_no_database_stores_is_in_no_text(connection: Connection, needle: str) -> None:
    assert not _found(connection, needle)
