"""The whole answers hold together: what `tests/training/whole_answers.py` reads is what was written."""

import pytest

from faithview.domain.claim import Verdict
from tests.training.whole_answers import WholeAnswer, read_whole_answers


@pytest.fixture(scope="module")
def answers() -> list[WholeAnswer]:
    return read_whole_answers()


def test_ids_are_unique(answers: list[WholeAnswer]) -> None:
    assert len({answer.id for answer in answers}) == len(answers) >= 30


def test_sentences_make_up_the_answer(answers: list[WholeAnswer]) -> None:
    for answer in answers:
        covered = sum(end - start for start, end in answer.places())
        assert covered == len(answer.answer) - len(answer.sentences) + 1, answer.id


def test_each_sentence_has_a_verdict_beside_either_version_and_several_turn(answers: list[WholeAnswer]) -> None:
    for answer in answers:
        one, other = answer.versions
        assert one.chunks != other.chunks
        assert 2 <= len(one.chunks) <= 4
        assert len(one.verdicts) == len(other.verdicts) == len(answer.sentences) >= 6
        pairs = list(zip(one.verdicts, other.verdicts, strict=True))
        assert sum(Verdict.SUPPORTED in pair and len(set(pair)) == 2 for pair in pairs) >= 3, answer.id
