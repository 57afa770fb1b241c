"""Where a quote stands in a text."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.spans import Occurrences, Span, find_quote, is_verbatim, merge_spans, span_at

SHORT = st.text(alphabet="ab😀é ", max_size=12)


@pytest.mark.parametrize(
    ("text", "start", "end", "occurrence"),
    [
        ("one two one", 0, 3, 0),
        ("one two one", 8, 11, 1),
        ("aaaa", 0, 2, 0),
        ("aaaa", 1, 3, 1),
        ("aaaa", 2, 4, 2),
        ("😀 x 😀 x", 6, 7, 1),
    ],
    ids=["first", "second", "overlapping 0", "overlapping 1", "overlapping 2", "after emoji"],
)
def test_occurrences_are_counted_from_0_overlapping_ones_too(text: str, start: int, end: int, occurrence: int) -> None:
    span = span_at(text, start, end)
    assert span == Span(start=start, end=end, occurrence=occurrence)
    assert find_quote(text, text[start:end], occurrence=occurrence) == span


def test_offsets_count_code_points_and_not_bytes_or_utf16_units() -> None:
    text = "👩‍👩‍👧 é e\u0301 fin"  # a family of five code points, é in one, é in two
    span = find_quote(text, "fin")
    assert span is not None
    assert (span.start, span.end) == (11, 14)
    assert text[span.start : span.end] == "fin"


@given(text=SHORT, data=st.data())
def test_every_span_is_found_again_by_its_quote_and_occurrence(text: str, data: st.DataObject) -> None:
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = span_at(text, start, end)
    assert span.of(text) == text[start:end]
    assert find_quote(text, span.of(text), occurrence=span.occurrence) == span
    assert is_verbatim(text, text[start:end], span)


@pytest.mark.parametrize(("quote", "occurrence"), [("", 0), ("c", 0), ("a", 1), ("ab ", 0)])
def test_what_does_not_stand_there_is_not_found(quote: str, occurrence: int) -> None:
    assert find_quote("ab", quote, occurrence=occurrence) is None


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 2), (0, 4)])
def test_ranges_that_are_empty_or_not_inside_the_text_are_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="span"):
        span_at("abc", start, end)


def test_overlap_needs_a_common_code_point() -> None:
    first = Span(start=0, end=3)
    assert first.overlaps(Span(start=2, end=5))
    for apart in (Span(start=3, end=5), Span(start=7, end=9)):
        assert not first.overlaps(apart)
        assert not apart.overlaps(first)


def test_a_long_text_that_is_searched_once_gives_the_same_occurrences() -> None:
    sentence = "Links expire after seven days, and nobody is told when that happens. "
    text = sentence * 3_000 + "The end of it is said once."
    places = [(at * len(sentence), (at + 1) * len(sentence) - 1) for at in (0, 1, 2_999)]
    places += [(len(text) - 27, len(text)), (len(text) - 5, len(text)), places[1]]
    occurrences = Occurrences(text, places)
    assert [occurrences.span_at(*place) for place in places] == [span_at(text, *place) for place in places]
    with pytest.raises(ValueError, match="span"):
        occurrences.span_at(0, len(text) + 1)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)).map(lambda p: (p[0], p[0] + p[1])), max_size=8))
def test_merged_spans_cover_the_same_places_once(spans: list[tuple[int, int]]) -> None:
    merged = merge_spans(spans)
    places = {at for start, end in spans for at in range(start, end)}
    assert [at for start, end in merged for at in range(start, end)] == sorted(places)
    assert all(left[1] < right[0] for left, right in itertools.pairwise(merged))


def test_a_span_is_of_the_first_occurrence_unless_it_is_said_otherwise() -> None:
    assert span_at("one one", 0, 3) == Span(start=0, end=3)
    assert find_quote("one one", "one") == Span(start=0, end=3)


def test_a_quote_is_verbatim_only_where_it_stands() -> None:
    assert not is_verbatim("abc", "b", None)
    assert not is_verbatim("abc", "b", Span(start=0, end=1))
    assert not is_verbatim("abc", "c", Span(start=2, end=4))


def test_occurrences_are_counted_on_from_the_last_one() -> None:
    occurrences = Occurrences("one one one")
    assert [occurrences.span_at(start, start + 3).occurrence for start in (4, 8, 0)] == [1, 2, 0]
