"""The replies written by hand to both versions of the prompts are whole, and the third marks the wrong words."""

import pytest

from faithview.domain.claim import Verdict
from tests.performance.prompt_versions import VERSIONS, choose_answers, judge_version


def test_half_of_the_answers_have_an_error() -> None:
    answers = choose_answers()
    assert len({answer.answer_id for answer in answers}) == 40
    assert sum(bool(answer.errors) for answer in answers) == 20


@pytest.mark.slow
def test_every_reply_is_read_in_one_call_and_the_third_version_marks_fewer_right_words() -> None:
    precision = {}
    for version in VERSIONS:
        outcome = judge_version(version, "single")
        assert [judged.result.error for judged in outcome.judged] == [None] * 40
        assert outcome.calls == 40
        precision[version] = float(outcome.quality()[4])
        named = [
            bool(claim.mismatches)
            for judged in outcome.judged
            for claim in judged.result.claims
            if claim.verdict is Verdict.CONTRADICTED
        ]
        assert any(named) == (version == "v3")
    assert precision["v2"] < 0.8 < 0.95 < precision["v3"]
