"""Quotes get exact places, and sentences hold every word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.sample import Sample
from faithview.judges.llm.methods.method import sentences_of
from faithview.judges.llm.replies.anchoring import anchor, evidence_from
from faithview.judges.llm.replies.reading import Repairs
from faithview.judges.llm.replies.schemas import Quote


@pytest.mark.parametrize(
    ("quote", "occurrence", "found"),
    [
        ("cost 20 euros", 1, (4, 17)),
        ("cost  20\neuros", 1, (4, 17)),
        ("COST 20 EUROS", 1, (4, 17)),
        ("“cost 20 euros”", 1, (4, 17)),
        ("...cost 20 euros…", 1, (4, 17)),
        ("It's", 1, (19, 23)),
        ("cost 20 euros", 7, (4, 17)),  # a wrong count does no harm where there is one place only
        ("same", 1, (32, 36)),
        ("same", 2, (38, 42)),
        ("Same", 2, (38, 42)),
        ("same", 3, None),  # which one is not known
        ("cost 21 euros", 1, None),
        ("", 1, None),
        ("…", 1, None),
    ],
)
def test_a_quote_is_found_where_it_stands(quote: str, occurrence: int, found: tuple[int, int] | None) -> None:
    text = "All cost 20 euros. It’s monthly same, same."
    span = anchor(text, quote, occurrence=occurrence)
    assert (span and (span.start, span.end)) == found


@given(text=st.text(max_size=80), start=st.integers(0, 80), length=st.integers(1, 20))
def test_every_piece_of_a_text_is_found_as_it_stands(text: str, start: int, length: int) -> None:
    quote = text[start : start + length]
    span = anchor(text, quote)
    assert span is None if not quote else span is not None and span.of(text) == quote


@given(text=st.text(max_size=60), quote=st.text(max_size=20), occurrence=st.integers(-3, 5))
def test_any_quote_gives_a_place_in_the_text_or_none(text: str, quote: str, occurrence: int) -> None:
    span = anchor(text, quote, occurrence=occurrence)
    assert span is None or 0 <= span.start < span.end <= len(text)


def test_evidence_is_the_chunks_own_words_and_each_only_once() -> None:
    sample = Sample.of("x", ["One  Two.", "Other."])
    quotes = [Quote(chunk=1, quote="one two."), Quote(chunk=1, quote="One  Two."), Quote(chunk=2, quote="invented")]
    assert [(e.chunk_id, e.quote, e.is_verified) for e in evidence_from(quotes, sample, Repairs())] == [
        ("1", "One  Two.", True),
        ("2", "invented", False),
    ]


@given(st.text(max_size=200))
def test_sentences_hold_every_word_and_stand_in_their_order(answer: str) -> None:
    ranges = sentences_of(answer)
    assert ranges == sorted(ranges)
    assert all(a < b for a, b in ranges)
    covered = {i for a, b in ranges for i in range(a, b)}
    assert all(i in covered for i, c in enumerate(answer) if c.isalnum())
