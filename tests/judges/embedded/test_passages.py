"""What the reader is given: the passages most like a claim, whole, under their headings, within the budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.sample import Chunk, Sample
from faithview.judges.embedded.passages import MOST_CHARACTERS, PassageIndex, reader_input

_PLANS = Chunk(
    chunk_id="plans",
    text="## Compare plans\nAll prices are per month.\n\n"
    "| | Basic | Plus |\n|---|---|---|\n| Price | €5 | €9 |\n| Seats | 3 | 10 |",
)
_REFUND = Chunk(chunk_id="refund", text="**Refunds**\nYou can return a device within 14 days. Batteries are excluded.")


def _index(*chunks: Chunk, question: str | None = None) -> PassageIndex:
    return PassageIndex(chunks, question)


def test_a_sentence_comes_with_the_heading_of_its_chunk() -> None:
    assert "**Refunds**\nYou can return a device within 14 days." in _index(_REFUND, _PLANS).pick(
        "Return it in 14 days"
    )


def test_a_row_comes_with_the_head_of_its_table() -> None:
    picked = _index(_PLANS).pick("Plus costs €9", most=70)
    assert "| | Basic | Plus |\n| Price | €5 | €9 |" in picked
    assert "|---|" not in picked


def test_what_shares_most_words_comes_first_into_the_budget() -> None:
    filler = [Chunk(chunk_id=str(n), text=f"Note {n}. " + "Nothing of interest is said here. " * 8) for n in range(9)]
    picked = _index(*filler, _REFUND).pick("A device can be returned within 14 days.")
    assert "within 14 days" in picked
    assert len(picked) < MOST_CHARACTERS + 100


def test_the_question_tells_two_chunks_apart_that_say_the_same() -> None:
    team = Chunk(
        chunk_id="t", text="**Guests on Team**\nGuests can upload files of 25 MB. " + "Other matters follow. " * 30
    )
    firm = Chunk(
        chunk_id="b", text="**Guests on Business**\nGuests can upload files of 250 MB. " + "Other matters follow. " * 30
    )
    picked = _index(firm, team, question="What may guests on Team upload?").pick("Guests can upload files", most=60)
    assert "25 MB" in picked
    assert "Business" not in picked


def test_the_input_holds_the_claim_without_the_question_and_what_stands_before() -> None:
    sample = Sample(answer="Yes. It costs €9.", chunks=(_PLANS,), question="Is there a Plus plan?")
    got = reader_input(sample, PassageIndex(sample.chunks, sample.question), 5, 17)
    assert (got.claim, got.asked) == ("It costs €9.", "")


@pytest.mark.parametrize("texts", [[], [""], ["\n \n"], ["x" * 5000]])
def test_odd_chunks_are_no_trouble(texts: list[str]) -> None:
    chunks = [Chunk(chunk_id=str(number), text=text) for number, text in enumerate(texts)]
    assert len(_index(*chunks).pick("A claim with words.")) <= MOST_CHARACTERS


@given(st.lists(st.text(max_size=300), max_size=4), st.text(max_size=80), st.text(max_size=80))
def test_every_line_that_is_picked_stands_in_a_chunk(texts: list[str], claim: str, question: str) -> None:
    chunks = [Chunk(chunk_id=str(number), text=text) for number, text in enumerate(texts)]
    for line in PassageIndex(chunks, question).pick(claim).split("\n"):
        assert any(line in text for text in texts) or not line
