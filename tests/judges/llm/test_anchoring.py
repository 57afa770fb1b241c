"""Copied words are found where they stand, however a model wrote them, and nowhere else."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.sample import Sample
from faithview.judges.llm.methods.method import is_remark
from faithview.judges.llm.replies.anchoring import anchor_claims, anchor_pieces, cited_chunks, evidence_from
from faithview.judges.llm.replies.reading import Repair, Repairs
from faithview.judges.llm.replies.schemas import Quote


@pytest.mark.parametrize(
    ("text", "quote", "found"),
    [
        ("All cost 20 euros a month.", "All cost … a month", ["All cost", "a month"]),
        ("All cost 20 euros a month.", "All [...] a month.", ["All", "a month."]),
        ("All cost 20 euros a month.", "(...) cost 20 euros…", ["cost 20 euros"]),
        ("All cost 20 euros a month.", "a month … All cost", []),  # in another order they say something else
        ("All cost 20 euros a month.", "All cost … a year", []),
        ("Wait... what is it?", "Wait... what", ["Wait... what"]),
        ('{"a": "x \\"y\\" z"}', 'x "y" z', ['x \\"y\\" z']),
        ('He said "y" z.', 'He said \\"y\\" z', ['He said "y" z']),
        ("line one\\nline two", "line one line two", ["line one\\nline two"]),
        ("line one\nline two", "line one\\nline two", ["line one\nline two"]),
        ('{"name": "Caf\\u00e9"}', '"name": "Café"', ['name": "Caf\\u00e9"']),
        ("Café", "Caf\\u00e9", ["Café"]),
        ("Cafe\u0301 Sol", "Café Sol", ["Cafe\u0301 Sol"]),
        ("a “b” ‘c’ – d", "a \"b\" 'c' - d", ["a “b” ‘c’ – d"]),
        ("the **free** plan", "the free plan", ["the **free** plan"]),
        ("the free plan", "the `free` plan", ["the free plan"]),
        ("per\u00adson al", "person al", ["per\u00adson al"]),
        ("20\u00a0000 euros", "20 000 euros", ["20\u00a0000 euros"]),
        ("It costs 5.", "It costs 6.", []),
        ("It costs 15.", "…", []),
        ("It costs 15.", "", []),
        ("a.b", "a+b", []),
    ],
)
def test_words_are_found_in_pieces_escapes_and_other_marks(text: str, quote: str, found: list[str]) -> None:
    assert [span.of(text) for span in anchor_pieces(text, quote)] == found


@given(text=st.text(max_size=60), quote=st.text(max_size=20))
def test_any_quote_has_places_inside_the_text_in_their_order(text: str, quote: str) -> None:
    spans = anchor_pieces(text, quote)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


def test_equal_quotes_of_claims_are_the_occurrences_in_their_order() -> None:
    answer = "It is free. It is new. It is free."
    places = anchor_claims(answer, ["It is free.", "It is new.", "it is  free.", "It is free."])
    assert [[span.start for span in spans] for spans in places] == [[0], [12], [23], [0]]


_SAMPLE = Sample.of("x", ["The frame lasts ten years from purchase.", "Batteries last.", "Batteries last a year."])


def _evidence(*quotes: tuple[int, str]) -> tuple[list[tuple[str, str, bool]], dict[Repair, int]]:
    repairs = Repairs()
    found = evidence_from([Quote(chunk=chunk, quote=quote) for chunk, quote in quotes], _SAMPLE, repairs)
    return [(item.chunk_id, item.quote, item.is_verified) for item in found], dict(repairs)


def test_words_of_another_chunk_go_there_if_they_stand_in_it_alone() -> None:
    found, repairs = _evidence((2, "the frame lasts … from purchase"), (9, "ten years from purchase"))
    assert found == [
        ("1", "The frame lasts", True),
        ("1", "from purchase", True),
        ("1", "ten years from purchase", True),
    ]
    assert repairs == {Repair.OTHER_CHUNK: 2}


@pytest.mark.parametrize("quote", ["Batteries last", "a year", "lasts for ever and ever"])
def test_words_of_several_chunks_of_none_or_too_few_stay_where_they_were_said_to_be(quote: str) -> None:
    assert _evidence((1, quote)) == ([("1", quote, False)], {})


def test_words_that_stand_nowhere_are_dropped_only_with_a_chunk_that_does_not_exist() -> None:
    assert _evidence((0, "no such words at all")) == ([], {Repair.NO_CHUNK: 1})


def test_chunks_whose_words_were_found_are_cited_first() -> None:
    found = evidence_from([Quote(chunk=2, quote="made up"), Quote(chunk=1, quote="ten years")], _SAMPLE, Repairs())
    assert cited_chunks(found) == ("1", "2")


@pytest.mark.parametrize(
    "statement",
    [
        "The passages do not say who runs it.",
        "The provided context doesn't mention a price.",
        "However, none of the chunks specify a date.",
        "There is no information about fees in the retrieved documents.",
        "The price is not mentioned in the context.",
        "The context says nothing about it.",
    ],
)
def test_a_statement_about_the_chunks_is_a_remark(statement: str) -> None:
    assert is_remark(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "The policy does not cover flood damage.",
        "The manual does not mention Linux.",
        "The passages do not give a price, but a trial costs 5 euros.",
        "The context window does not fit.",
        "According to the passages, it opens at ten.",
        "The museum is not listed.",
        "The document provides no warranty.",
        "The report was not included in the budget.",
    ],
)
def test_a_claim_about_the_world_is_none(statement: str) -> None:
    assert not is_remark(statement)
