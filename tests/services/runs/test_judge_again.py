"""The answers of a stored run, judged by another judge."""

from dataclasses import replace

import pytest

from faithview import Sample
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers, list_runs
from faithview.services.runs.create import iterate_samples, judge_again, judge_here
from tests.factories import LEXICAL, NOW, add_run, full_sample
from tests.services.scripted import ScriptedJudge


def _first(services: Store, samples: list[Sample]) -> str:
    return add_run(
        services,
        samples,
        "w43",
        judge=LEXICAL,
        threshold=0.7,
        kb_version="kb 3",
        source="w43.csv",
        rows_left_out=2,
        series="Help desk",
        as_of=NOW,
    ).run_id


def test_the_same_answers_are_judged_in_a_run_of_their_own(services: Store, judge: ScriptedJudge) -> None:
    samples = [
        replace(full_sample(), timestamp=None),
        *(Sample.of(f"a{n}", [f"c{n}"], key=f"k{n}") for n in range(250)),
    ]
    first = get_run(services, _first(services, samples))
    again = judge_again(services, first, JudgeSpec(name="lexical", options={"strictness": "strict"}))
    assert list(iterate_samples(services, again)) == list(iterate_samples(services, first)) == samples
    assert (again.name, again.series, again.as_of) == ("w43 (lexical)", "Help desk", NOW)
    assert (again.threshold, again.kb_version, again.source, again.rows_left_out) == (0.7, "kb 3", "w43.csv", 2)
    assert again.status is RunStatus.PENDING
    assert again.repeat_of is None
    judge_here(services, again)
    assert sum(1 for _ in iterate_answers(services, again.run_id)) == 251
    assert get_run(services, first.run_id) == first


def test_a_judge_that_cannot_be_built_stores_nothing(services: Store) -> None:
    first = get_run(services, _first(services, [Sample.of("a", ["c"])]))
    with pytest.raises(JudgeUnavailable):
        judge_again(services, first, JudgeSpec(name="nobody"))
    assert list_runs(services) == [first]
