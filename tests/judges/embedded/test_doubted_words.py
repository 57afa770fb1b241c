"""Which words an explanation names as doubted: words that somebody can check."""

import pytest

from faithview.domain.sample import Sample
from faithview.judges.embedded.judge import _doubted_words
from faithview.judges.embedded.reader import Reading
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.splitting.claims import split_answer

_ANSWER = "The device can not be returned to the shop within 14 days."


@pytest.mark.parametrize(
    ("marked", "named"),
    [
        ("The", []),
        ("to the", []),
        ("not", ["not"]),
        ("within 14", ["within 14"]),
        ("the shop", ["the shop"]),
        ("sho", ["shop"]),
    ],
)
def test_articles_and_the_like_are_not_named_alone(marked: str, named: list[str]) -> None:
    sample = Sample.of(_ANSWER, ["Devices can be returned to any shop within 30 days."])
    comparison = read_answer(sample, split_answer(sample.answer)).comparisons[0]
    start = _ANSWER.index(marked) - comparison.start
    reading = Reading(entailed=0.1, neutral=0.2, contradicted=0.7, worst=0.9, wrong=((start, start + len(marked)),))
    assert [_ANSWER[a:b] for a, b in _doubted_words(sample, comparison, reading)] == named
