"""Claims are found by their words and answers by any part of their texts; what users type is data."""

import pytest
from sqlalchemy import func, select

from faithview import Sample, Verdict
from faithview.domain.answer import AnswerFilter
from faithview.domain.inbox import Facet, make_filter
from faithview.store import inbox
from faithview.store.answers import list_answers
from faithview.store.database import Database
from faithview.store.schema.runs import ClaimRow
from tests.factories import make_claim, make_result, store_run

TEXTS = (
    "An invitation is valid for 14 days.",
    "The limit of members is fifty.",
    "Members have no limit.",
    "Córdoba's été costs 3,000 €.",
    "東京は日本の首都です。",
)


@pytest.fixture
def filled(db: Database) -> Database:
    """A run with a claim of each text."""
    claims = [make_claim(text, Verdict.CONTRADICTED) for text in TEXTS]
    store_run(db, [Sample(answer="So.")], [make_result(*claims)])
    return db


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("invitations", [1]),
        ("VALID days", [1]),
        ("valid members", []),
        ("member limited", [2, 3]),
        ('"limit of members"', [2]),
        ('"members limit"', []),
        ("“limit of members”", [2]),
        ("été 3,000", [4]),
        ("日本", [5]),
        ("日本 京都", []),
        ('"unclosed limit', []),
        ("members — limit", [2, 3]),
        ("members OR days", []),
        ("members -limit", [2, 3]),
        ("limit*", [2, 3]),
        ("NEAR(members limit)", []),
        ("text:members", []),
        ("'; DROP TABLE claim; --", []),
        ("% _ \\", []),
        ("— !?", []),
        ("a\x00b", []),
        ("\ud800", []),
    ],
)
def test_a_query_finds_claims_with_all_its_words_and_has_no_operators(
    filled: Database, query: str, found: list[int]
) -> None:
    groups = inbox.list_groups(filled, ["r1"], make_filter(query, {})).groups
    assert sorted(group.claim_number for group in groups) == found
    with filled.read() as connection:
        assert connection.execute(select(func.count()).select_from(ClaimRow)).scalar_one() == len(TEXTS)


def test_a_query_of_many_words_is_cut(filled: Database) -> None:
    words = " ".join(["members"] * 40 + ["limit"] * 40)
    facets = inbox.count_facets(filled, ["r1"], make_filter(words, {}), documents=1)
    assert facets[Facet.VERDICT] == {"contradicted": 2}


def test_accents_do_not_count_on_sqlite(filled: Database) -> None:
    found = inbox.list_groups(filled, ["r1"], make_filter("CORDOBA ETE", {})).groups
    assert [group.claim_number for group in found] == ([4] if filled.dialect_name == "sqlite" else [])


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("REFUND", ["a", "b"]),
        ("fund", ["a", "b"]),
        ("50%", ["b"]),
        ("%", ["b"]),
        ("_", []),
        ("été", ["c"]),
        ("\x00", []),
        ("\ud800", []),
    ],
)
def test_answers_are_found_by_any_part_of_their_texts(db: Database, part: str, found: list[str]) -> None:
    texts = {"a": "Refunds take 5 days.", "b": "A refund of 50%.", "c": "In été."}
    samples = [Sample(answer=text, key=key) for key, text in texts.items()]
    store_run(db, samples, [make_result(Verdict.SUPPORTED) for _ in samples])
    page = list_answers(db, "r1", AnswerFilter(search=part))
    assert sorted(row.key for row in page.rows) == found


def test_letters_beyond_ascii_have_a_case_too_on_sqlite(db: Database) -> None:
    store_run(db, [Sample(answer="In été.")], [make_result(Verdict.SUPPORTED)])
    if db.dialect_name == "sqlite":  # on PostgreSQL as the locale says
        assert list_answers(db, "r1", AnswerFilter(search="ÉTÉ")).total == 1
