"""Relevance without a model: whether answer and chunks speak of what was asked, in figures a person can follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.sample import Chunk, Sample
from faithview.judges.companions import companions, relevance

_QUESTION = "How much does the annual parking permit cost?"


def test_a_well_grounded_answer_to_another_question_is_seen() -> None:
    sample = Sample(
        question=_QUESTION,
        answer="The museum opens at nine on weekdays.",
        chunks=(
            Chunk(chunk_id="a", text="The museum opens at nine on weekdays."),
            Chunk(chunk_id="b", text="An annual parking permit costs 90 euros."),
        ),
    )
    assert companions(sample) == {
        "answer_relevance": 0.0,
        "context_relevance": 0.5,
        "context_relevance[a]": 0.0,
        "context_relevance[b]": 1.0,
    }


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("The annual parking permit costs 90 euros.", "Parking is behind the house."),
        ("Parking is behind the house.", "The museum opens at nine."),
    ],
)
def test_what_says_more_of_the_question_is_more_relevant(better: str, worse: str) -> None:
    assert relevance(_QUESTION, better) > relevance(_QUESTION, worse)


def test_words_count_by_their_stems() -> None:
    assert relevance("Which permits are sold?", "A permit") == relevance("Which permit is sold?", "Permits")
    assert relevance("Which permits are sold?", "A permit") > 0


def test_without_a_question_or_words_in_it_there_are_no_figures() -> None:
    chunks = (Chunk(text="Text."),)
    assert companions(Sample(answer="A.", chunks=chunks)) == {}
    assert companions(Sample(answer="A.", chunks=chunks, question="?!")) == {}
    assert relevance("?!", "Text.") == 0.0


def test_without_chunks_there_is_no_context_relevance() -> None:
    assert companions(Sample(answer="A parking permit.", question=_QUESTION)).keys() == {"answer_relevance"}


@given(question=st.text(max_size=60), text=st.text(max_size=120))
def test_relevance_is_a_share(question: str, text: str) -> None:
    assert 0 <= relevance(question, text) <= 1
