"""What can become a sample, and how its chunks are numbered."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from faithview import Chunk, Sample
from faithview.domain.errors import InvalidSample
from faithview.domain.sample import free_id


def test_plain_texts_become_chunks_with_their_rank_as_id() -> None:
    sample = Sample.of("a", ["x", Chunk(text="y", chunk_id="kb-7", score=0.5), "z"], question="q")
    assert [(c.chunk_id, c.rank, c.text) for c in sample.chunks] == [("1", 1, "x"), ("kb-7", 2, "y"), ("3", 3, "z")]


def test_a_context_may_be_anything_that_gives_texts_and_chunks() -> None:
    for context in (["x", "y"], ("x", "y"), {"x": 1, "y": 2}.keys(), (text for text in "xy")):
        assert [chunk.text for chunk in Sample.of("a", context).chunks] == ["x", "y"]


@pytest.mark.parametrize(
    ("context", "words"),
    [
        ({"words": "x"}, "Chunk 1 of the context must be a string, a Chunk, or a mapping with `text` "),
        (None, "not None"),
        (5, "not int"),
        (b"x", "not bytes"),
        (["x", {"page": 1}], "Chunk 2 of the context must be a string, .* it has only 'page'"),
        (["x", 1], "Chunk 2 of the context must be a string, a Chunk, or a mapping with `text`, not int"),
    ],
)
def test_another_context_is_refused(context: Any, words: str) -> None:
    with pytest.raises(InvalidSample, match=words):
        Sample.of("a", context)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (["a", "a", "a"], ["a", "a#2", "a#3"]),
        (["a", "a#2", "a"], ["a", "a#2", "a#2#2"]),
        (["2", "", ""], ["2", "2#2", "3"]),
        (["", "1"], ["1#2", "1"]),
    ],
    ids=["thrice", "taken", "unnamed beside a number", "number later"],
)
def test_chunk_ids_are_made_unique_and_no_chunk_is_dropped(given: list[str], wanted: list[str]) -> None:
    sample = Sample(answer="x", chunks=tuple(Chunk(text=f"t{n}", chunk_id=i) for n, i in enumerate(given)))
    assert [c.chunk_id for c in sample.chunks] == wanted
    assert [c.text for c in sample.chunks] == [f"t{n}" for n in range(len(given))]
    assert Sample(answer="x", chunks=sample.chunks).chunks == sample.chunks  # numbering again changes nothing


@pytest.mark.parametrize("place", ["answer", "question", "key", "segment", "reference", "chunk", "chunk id"])
@pytest.mark.parametrize(("bad", "word"), [("ab\x00c", "NUL"), ("ab\ud800c", "surrogate")])
def test_characters_that_cannot_be_stored_are_refused_with_their_place(place: str, bad: str, word: str) -> None:
    fields: dict[str, str] = {"answer": "x"}
    chunk = Chunk(text=bad if place == "chunk" else "t", chunk_id=bad if place == "chunk id" else "c")
    if not place.startswith("chunk"):
        fields[place] = bad
    with pytest.raises(InvalidSample, match=word) as caught:
        Sample(chunks=(chunk,), **fields)  # type: ignore[arg-type]  # a field of it
    assert place in str(caught.value)
    assert "position 2" in str(caught.value)


def test_other_control_characters_emoji_and_right_to_left_texts_are_welcome() -> None:
    text = "\x01\x7f\u202eשלום \u200f👩‍👧 <script> $x_1$ \ufeff\uffff"
    assert Sample.of(text, [text], question=text, key=text).answer == text


@pytest.mark.parametrize("name", ["key", "segment"])
def test_what_an_index_cannot_hold_is_refused(name: str) -> None:
    Sample(answer="x", **{name: "é" * 500})  # type: ignore[arg-type]  # a field of it
    with pytest.raises(InvalidSample, match=f"{name} has 501 characters"):
        Sample(answer="x", **{name: "é" * 501})  # type: ignore[arg-type]  # a field of it


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"answer": None}, "answer must be a string, not None"),
        ({"answer": b"x"}, "answer must be a string, not bytes"),
        ({"answer": "x", "question": 5}, "question must be a string, not int"),
        ({"answer": "x", "chunks": (Chunk(text=None),)}, "chunk '1' must be a string, not None"),  # type: ignore[arg-type]  # the point of the test
        ({"answer": "x", "chunks": (Chunk(text="t", chunk_id=5),)}, "chunk id must be a string, not int"),  # type: ignore[arg-type]  # the point of the test
    ],
)
def test_what_is_no_text_is_refused_by_name(texts: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidSample, match=words):
        Sample(**texts)


def test_a_timestamp_needs_a_time_zone() -> None:
    with pytest.raises(InvalidSample, match="no time zone"):
        Sample(answer="x", timestamp=datetime(2026, 1, 1))  # noqa: DTZ001 - the point of the test


@pytest.mark.parametrize("score", [float("nan"), float("inf"), "0.5"])
def test_a_chunk_s_score_is_a_number(score: Any) -> None:
    with pytest.raises(InvalidSample, match="score of chunk 'c'"):
        Sample(answer="x", chunks=(Chunk(text="t", chunk_id="c", score=score),))


def test_an_empty_segment_is_none() -> None:
    assert Sample(answer="x", segment="").segment is None


@pytest.mark.parametrize(("texts", "wanted"), [([], False), (["", " \n"], False), (["", "x"], True)])
def test_context_of_white_space_is_no_context(texts: list[str], wanted: bool) -> None:
    assert Sample.of("a", texts).has_context is wanted


def test_a_timestamp_that_is_no_time_in_utc_is_refused() -> None:
    with pytest.raises(InvalidSample, match="not a valid time in UTC"):
        Sample(answer="a", timestamp=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))))


def test_equal_ids_are_counted_on_and_not_anew_each_time() -> None:
    class Asked(set[str]):
        questions = 0

        def __contains__(self, one: object) -> bool:
            self.questions += 1
            return super().__contains__(one)

    plain: set[str] = set()
    taken, counted = Asked(), dict[str, int]()
    for wanted in ["a#3", "b", *["a"] * 500, "a#2", "b"]:
        expected = free_id(wanted, plain)
        assert free_id(wanted, taken, counted) == expected
        plain.add(expected)
        taken.add(expected)
    assert taken.questions < 3 * 504
