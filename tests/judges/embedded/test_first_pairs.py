"""What a new user tries first: one short chunk, one statement, one small difference."""

from collections.abc import Callable

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.judges.embedded import judge as embedded
from faithview.judges.lexical import judge as lexical
from faithview.judges.text.tokens import tokenize
from tests.performance.first_pairs import judged, read_pairs

# Of wrong statements a sixth may pass; of right ones a third is flagged at most, more than is wanted of the judge.
_MOST_PASSED = 1 / 6
_MOST_FLAGGED = 1 / 3


@pytest.mark.process
@pytest.mark.parametrize("judge", [embedded.judge_sample, lexical.judge_sample], ids=["embedded", "lexical"])
@pytest.mark.parametrize("hand", ["b", "e"])
def test_few_wrong_statements_pass_and_few_right_ones_are_flagged(judge: Callable[[Sample], Result], hand: str) -> None:
    outcomes = list(judged([pair for pair in read_pairs() if pair.hand == hand], judge))
    wrong = [outcome.is_supported for outcome in outcomes if not outcome.pair.is_right]
    right = [not outcome.is_supported for outcome in outcomes if outcome.pair.is_right]
    assert sum(wrong) <= _MOST_PASSED * len(wrong)
    assert sum(right) <= _MOST_FLAGGED * len(right)


@pytest.mark.process
def test_a_chunk_says_this_only_where_its_words_do() -> None:
    said = 0
    for outcome in judged(read_pairs()[::4], embedded.judge_sample):
        known = {t.word.stem for text in (outcome.pair.chunk, outcome.pair.question or "") for t in tokenize(text)}
        for claim in outcome.result.claims:
            if (claim.explanation or "").endswith("hunk 1 says this."):
                said += 1
                assert claim.verdict is Verdict.SUPPORTED
                assert {t.word.stem for t in tokenize(claim.text) if t.word.is_content} <= known
    assert said
