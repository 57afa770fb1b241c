"""The bundled sample, judged into an empty store."""

import pytest

from faithview import Sample, State
from faithview.domain.alert import AlertKind
from faithview.domain.event import EventKind
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Services, build
from faithview.services.demo import load_demo, load_examples
from faithview.services.knowledge.versions import list_knowledge_bases
from faithview.services.monitoring.alerts import add_rule, list_alerts, list_open_alerts
from faithview.services.results.answers import iterate_answers
from faithview.services.results.runs import count_runs, list_runs, list_summaries
from faithview.services.runs.create import RunRequest, create_run
from faithview.services.runs.judge_answer import check_sample
from faithview.services.trends.events import list_events
from faithview.settings import Settings
from faithview.store.knowledge.versions import load_knowledge


@pytest.mark.slow
def test_the_demo_is_five_runs_judged_by_the_embedded_judge() -> None:
    told: list[str] = []
    with build(Settings(database_url="sqlite://")) as services:
        add_rule(services, AlertKind.FELL, 0.05, segment="Handovers")
        add_rule(services, AlertKind.FELL, 0.05, segment="Billing")
        assert load_demo(services, on_run=lambda run: told.append(run.name)) == 5
        summaries = list_summaries(services)
        assert [summary.run.name for summary in reversed(summaries)] == told
        for summary in summaries:
            assert summary.run.status is RunStatus.COMPLETE
            assert summary.states[State.JUDGED] > 60
            assert summary.states[State.FAILED] == summary.states[State.PENDING] == 0
            assert summary.score.mean is not None
            assert 0.5 < summary.score.mean < 1
            assert len(summary.segments) >= 3
        assert len({summary.score.mean for summary in summaries}) == 5
        (alert,) = list_alerts(services)
        assert (alert.run_name, alert.rule.segment) == ("Help centre 2026-w43", "Handovers")
        assert alert.value < -0.2
        assert list_open_alerts(services) == []  # mended by the second update
        _check_events(services)
        _check_knowledge_bases(services)
        assert load_demo(services) == 0
        assert count_runs(services) == 5
        assert len(list_events(services)) == 2


def _check_events(services: Services) -> None:
    """The two updates stand between the right weeks, and what is detected from the runs is no third or fourth one."""
    names = {run.run_id: run.name.removeprefix("Help centre ") for run in list_runs(services)}
    events = list_events(services)
    assert [(event.kind, event.kb_version, event.is_detected) for event in events] == [
        (EventKind.KNOWLEDGE_BASE, "2026-10", False),
        (EventKind.KNOWLEDGE_BASE, "2026-11", False),
    ]
    assert [(names[str(event.before_run_id)], names[str(event.after_run_id)]) for event in events] == [
        ("2026-w42", "2026-w43"),
        ("2026-w44", "2026-w45"),
    ]


def _check_knowledge_bases(services: Services) -> None:
    """Every chunk that a run retrieved is in the knowledge base that the run names."""
    assert [(base.version, base.chunks) for base in list_knowledge_bases(services)] == [
        ("2026-09", 110),
        ("2026-10", 126),
        ("2026-11", 122),
    ]
    for run in list_runs(services):
        retrieved = {chunk.chunk_hash for a in iterate_answers(services, run.run_id) for chunk in a.sample.chunks}
        assert len(retrieved) > 50
        knowledge = load_knowledge(services.db, run.kb_version)
        assert knowledge is not None
        assert retrieved <= knowledge.hashes


def test_a_store_with_runs_is_left_as_it_is() -> None:
    with build(Settings(database_url="sqlite://")) as services:
        create_run(services, [Sample(answer="x")], RunRequest(name="mine", judge=JudgeSpec()))
        assert load_demo(services) == 0
        assert [run.name for run in list_runs(services)] == ["mine"]


def test_every_example_can_be_judged() -> None:
    examples = load_examples()
    assert len(examples) >= 2
    for example in examples:
        result = check_sample(Sample.of(example.answer, example.chunks, question=example.question), judge=JudgeSpec())
        assert result.state is not State.FAILED
