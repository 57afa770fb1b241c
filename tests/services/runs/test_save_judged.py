"""Answers that were judged elsewhere are stored as one run."""

import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.results import get_summary, iterate_answers
from faithview.services.runs.create import RunRequest, save_judged
from faithview.services.runs.judge_answer import check_sample
from tests.factories import LEXICAL

CHUNK = "The library opens at 9 am and closes at 6 pm."


def test_the_answers_stand_in_one_complete_run_with_their_results(services: Store) -> None:
    good = Sample.of("The library opens at 9 am.", CHUNK)
    bad = Sample.of("The library opens at 11 am.", CHUNK)
    judged = [(sample, check_sample(sample, judge=LEXICAL)) for sample in (good, bad)]

    run = save_judged(services, judged, RunRequest(name="Two attempts", judge=LEXICAL, threshold=0.5))

    details = list(iterate_answers(services, run.run_id))
    assert run.status is RunStatus.COMPLETE
    assert [detail.sample.answer for detail in details] == [good.answer, bad.answer]
    assert [detail.result.claims for detail in details] == [result.claims for _, result in judged]
    assert {detail.result.threshold for detail in details} == {0.5}
    assert get_summary(services, run.run_id).states[State.JUDGED] == 2


def test_a_run_of_nothing_is_refused(services: Store) -> None:
    with pytest.raises(InvalidInput, match="no answer"):
        save_judged(services, [], RunRequest(name="Nothing", judge=LEXICAL))
