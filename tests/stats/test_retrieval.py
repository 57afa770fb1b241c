"""BM25: worked out by hand on a small corpus, and the order that it gives."""

import math

import pytest

from faithview.stats.retrieval import QuestionMatcher

CORPUS = ["refunds take days", "delivery takes days", "gift cards", "parking is free"]


def _score(count: int, found_in: int, length: int, mean: float, size: int = 4) -> float:
    rarity = math.log(1 + (size - found_in + 0.5) / (found_in + 0.5))
    return rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean))


def test_a_score_is_that_of_the_formula() -> None:
    matcher = QuestionMatcher(CORPUS, ["refunds take refunds", "cards"])
    mean = (3 + 3 + 2 + 3) / 4
    question = matcher.count("How are refunds and cards?")
    expected = {0: _score(2, 1, 3, mean), 1: _score(1, 1, 1, mean)}
    assert matcher.score_passages(question) == pytest.approx(expected)
    assert matcher.score(question, matcher.count("refunds take refunds")) == pytest.approx(expected[0])


def test_a_word_that_the_corpus_lacks_is_the_rarest() -> None:
    matcher = QuestionMatcher(CORPUS, ["zebra", "days"])
    scores = matcher.score_passages(matcher.count("zebra days"))
    assert scores[0] > scores[1] > 0


def test_ignored_words_do_not_count() -> None:
    matcher = QuestionMatcher(CORPUS, ["the how", "the refund"], ignored={"the", "how"})
    assert list(matcher.score_passages(matcher.count("how is the refund"))) == [1]


def test_nothing_in_common_has_no_score() -> None:
    matcher = QuestionMatcher([], ["a text"])
    assert matcher.score_passages(matcher.count("quite different")) == {}
    assert matcher.score(matcher.count("quite different"), matcher.count("a text")) == 0


def test_a_large_corpus_is_sampled_evenly() -> None:
    corpus = [f"word{number} common" for number in range(12_000)]
    matcher = QuestionMatcher(corpus, ["common", "word1"])
    scores = matcher.score_passages(matcher.count("common word1"))
    assert scores[1] > scores[0]
