"""The bundled sample, judged into an empty store."""

import pytest

from faithview import Sample, State
from faithview.domain.alert import AlertKind
from faithview.domain.claim import Verdict
from faithview.domain.event import EventKind
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.alerts import add_rule, list_open_alerts
from faithview.services.bundled_files import Example, load_examples
from faithview.services.container import Store
from faithview.services.demo import (
    DISAGREEMENTS,
    REVIEWERS,
    load_sample,
    load_sample_runs,
    sample_week_names,
    sample_weeks,
)
from faithview.services.events import list_events
from faithview.services.results import iterate_answers, list_runs, list_summaries
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.disagreements import list_disagreements
from faithview.services.runs.judge_answer import check_sample
from faithview.stats.corrected_score import CorrectedScore
from faithview.store.alerts import list_alerts
from faithview.store.benchmarks import list_benchmarks
from faithview.store.knowledge import list_knowledge_bases, load_knowledge
from faithview.store.labels import list_labels
from faithview.store.runs import count_runs
from faithview.store.spot_checks import get_queue_progress, list_spot_checks
from tests.factories import add_run, open_services


@pytest.mark.process
def test_the_demo_is_five_runs_judged_by_the_embedded_judge() -> None:
    told: list[str] = []
    with open_services("sqlite://") as services:
        add_rule(services, AlertKind.FELL, 0.05, segment="Handovers")
        add_rule(services, AlertKind.FELL, 0.05, segment="Billing")
        assert load_sample_runs(services, on_run=lambda run: told.append(run.name)) == 5
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
        (alert,) = list_alerts(services.db)
        assert (alert.run_name, alert.rule.segment) == ("Help centre 2026-w43", "Handovers")
        assert alert.value < -0.2
        assert list_open_alerts(services) == []  # fixed by the second update
        _check_events(services)
        _check_knowledge_bases(services)
        assert load_sample_runs(services) == 0
        assert count_runs(services.db) == 5
        assert len(list_events(services)) == 2


def _check_events(services: Store) -> None:
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


def _check_knowledge_bases(services: Store) -> None:
    """Every chunk that a run retrieved is in the knowledge base that the run names."""
    assert [(base.version, base.chunks) for base in list_knowledge_bases(services.db)] == [
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
    with open_services("sqlite://") as services:
        add_run(services, [Sample(answer="x")], "mine")
        assert load_sample_runs(services) == 0
        assert [run.name for run in list_runs(services)] == ["mine"]


@pytest.mark.parametrize("example", load_examples(), ids=lambda example: example.promise)
def test_every_example_gets_the_verdict_that_its_name_promises(example: Example) -> None:
    result = check_sample(Sample.of(example.answer, example.chunks, question=example.question), judge=JudgeSpec())
    if result.state is not State.JUDGED:
        assert result.state.value == example.promise
        return
    assert max(result.verdicts, key=list(Verdict).index).value == example.promise
    assert [verdict.value for verdict in result.verdicts if verdict is not Verdict.SUPPORTED] == (
        [] if example.promise == "supported" else [example.promise]
    )


@pytest.mark.process
def test_the_whole_sample_shows_what_reviewers_and_a_second_judge_add() -> None:
    told: list[str] = []
    with open_services("sqlite://") as services:
        assert load_sample(services, on_step=told.append) == 6
        assert len(told) == 9
        weeks = sample_weeks(services)
        assert set(sample_week_names()) < set(weeks)
        assert len(list_disagreements(services)) == DISAGREEMENTS
        progress = {
            check.name: get_queue_progress(services.db, check.spot_check_id) for check in list_spot_checks(services.db)
        }
        done = {name: (each.done, each.items) for name, each in progress.items()}
        assert done == {
            "After the update of 14 October": (60, 60),
            "Week of 9 November": (60, 60),
            "Week of 2 November": (23, 40),  # 7 of them were labelled in the others
        }
        october = correct_run(services, weeks["2026-w43"].run_id)
        assert october is not None
        assert isinstance(october.score, CorrectedScore)
        assert october.headline is not None
        assert october.score.corrected.interval is not None
        assert october.score.corrected.interval.low < october.score.judge < october.score.corrected.interval.high
        unfinished = correct_run(services, weeks["2026-w45"].run_id)
        assert unfinished is not None
        assert unfinished.headline is None
        assert [run.judge.name for run in list_runs(services)].count("lexical") == 1
        assert {result.document["judge"] for result in list_benchmarks(services.db)} == {"embedded", "lexical"}
        given = list_labels(services.db, weeks["2026-w43"].run_id)
        assert {label.reviewer for _, label in given} == set(REVIEWERS)
        assert all(label.is_blind for _, label in given)
        assert load_sample(services) == 0


def test_a_store_with_other_runs_has_no_sample() -> None:
    with open_services("sqlite://") as services:
        assert sample_weeks(services) == {}
        add_run(services, [Sample(answer="x")], "mine", series="Help centre")
        assert sample_weeks(services) == {}
