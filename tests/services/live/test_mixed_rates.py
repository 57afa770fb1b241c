"""Hours judged at different rates: the day's point and a run of both are weighted by one over the rates."""

import asyncio
from datetime import UTC, datetime

import pytest

from faithview.domain.buckets import Step
from faithview.domain.live import LogRecord, WindowLength
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.live import watch as watching
from faithview.services.live.append import append_answers
from faithview.services.live.watch import Watch, WatchPlan
from faithview.services.results import get_summary, iterate_answers, list_runs
from faithview.services.runs.create import judge_here
from faithview.services.trends import TrendQuery, load_trend
from tests.factories import add_run
from tests.services.scripted import ScriptedJudge

SCRIPTED = JudgeSpec(name="scripted")
RIGHT, WRONG = "xxxx", "xx"


@pytest.fixture
def day(services: Store, judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A day with an hour judged in full, all wrong, and an hour judged at a quarter, all right."""
    monkeypatch.setattr(watching, "create_judge", lambda _spec: judge)
    for hour, answer, rate, count in ((9, WRONG, 1.0, 30), (10, RIGHT, 0.25, 400)):
        at = datetime(2026, 5, 6, hour, tzinfo=UTC)
        append_answers(
            services,
            [
                LogRecord(answer=answer, context=["abc"], record_id=f"{hour}-{n}", at=at, question=f"{hour} {n}")
                for n in range(count)
            ],
        )
        plan = WatchPlan(judge=SCRIPTED, rate=rate, length=WindowLength.HOUR)
        asyncio.run(Watch(services, plan).round())
    return services


def test_a_day_of_the_trend_weighs_each_answer_with_one_over_its_chance(day: Store) -> None:
    late, early = (get_summary(day, run.run_id) for run in list_runs(day))
    assert (early.score.mean, late.score.mean) == (0.0, 1.0)
    (line,) = load_trend(day, TrendQuery(step=Step.DAY)).lines
    (point,) = line.points
    assert point.judged == 30 + late.rows
    assert point.mean == pytest.approx(4 * late.rows / (4 * late.rows + 30))
    assert point.interval is not None
    assert point.interval.low <= 400 / 430 <= point.interval.high


def test_answers_of_both_hours_in_one_run_are_weighted(day: Store) -> None:
    samples = [detail.sample for run in list_runs(day) for detail in iterate_answers(day, run.run_id)]
    run = add_run(day, samples, "both", judge=SCRIPTED, series="both")
    summary = judge_here(day, run)
    drawn = len(samples) - 30
    wanted = 4 * drawn / (4 * drawn + 30)
    assert summary.score.mean == pytest.approx(wanted)
    assert summary.weighted == pytest.approx(wanted)
    assert summary.hallucination_rate == pytest.approx(1 - wanted)
    assert summary.inclusion == (0.25, 1.0)
    assert summary.inclusion_probability is None
    assert get_summary(day, run.run_id).hallucination_rate == pytest.approx(1 - wanted)
