"""The bundled sample, judged into an empty store."""

import pytest

from faithview import Sample, State
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import build
from faithview.services.demo import load_demo, load_examples
from faithview.services.evaluation import create_run
from faithview.services.judging import check_sample
from faithview.settings import Settings


@pytest.mark.slow
def test_the_demo_is_five_runs_judged_by_the_embedded_judge() -> None:
    told: list[str] = []
    with build(Settings(database_url="sqlite://")) as services:
        assert load_demo(services, on_run=lambda run: told.append(run.name)) == 5
        summaries = services.list_summaries()
        assert [summary.run.name for summary in reversed(summaries)] == told
        for summary in summaries:
            assert summary.run.status is RunStatus.COMPLETE
            assert summary.states[State.JUDGED] > 60
            assert summary.states[State.FAILED] == summary.states[State.PENDING] == 0
            assert summary.score.mean is not None
            assert 0.5 < summary.score.mean < 1
            assert len(summary.segments) >= 3
        assert len({summary.score.mean for summary in summaries}) == 5
        assert load_demo(services) == 0
        assert services.count_runs() == 5


def test_a_store_with_runs_is_left_as_it_is() -> None:
    with build(Settings(database_url="sqlite://")) as services:
        create_run(services, [Sample(answer="x")], name="mine", judge=JudgeSpec())
        assert load_demo(services) == 0
        assert [run.name for run in services.list_runs()] == ["mine"]


def test_every_example_can_be_judged() -> None:
    examples = load_examples()
    assert len(examples) >= 2
    for example in examples:
        result = check_sample(Sample.of(example.answer, example.chunks, question=example.question), judge=JudgeSpec())
        assert result.state is not State.FAILED
