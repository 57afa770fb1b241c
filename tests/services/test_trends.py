"""Trends over stores made by hand: points, what is left out, local days, and level changes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from faithview import Result, Sample, State, Verdict
from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.errors import InvalidInput
from faithview.domain.run import RunStatus
from faithview.domain.trend import Grouping, Trend
from faithview.services import trends
from faithview.services.container import Store
from faithview.services.results import delete_run, get_run, get_summary
from faithview.services.review import queue
from faithview.services.review.corrected_score import correct_run
from faithview.services.trends import TrendQuery, list_worst, load_trend
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.run_score import Cluster, run_score
from faithview.store import runs, summaries
from tests.factories import NOW, add_run, draw_check, make_result, make_run, store_run

S, N, C = Verdict.SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED
FAILED = "failed"


def _rows(
    *rows: tuple[Sequence[Verdict] | str, str | None, str | None], question: str = "q"
) -> tuple[list[Sample], list[Result]]:
    """Return samples and results from (verdicts or "failed", segment, timestamp); each its own question."""
    samples, results = [], []
    for number, (said, segment, at) in enumerate(rows, start=1):
        samples.append(
            Sample(
                answer=f"Answer {number}.",
                question=f"{question}{number}",
                key=f"r{number}",
                segment=segment,
                timestamp=None if at is None else datetime.fromisoformat(at).replace(tzinfo=UTC),
            )
        )
        results.append(make_result(state=State.FAILED) if isinstance(said, str) else make_result(*said))
    return samples, results


def _store(
    services: Store,
    run_id: str,
    *rows: tuple[Sequence[Verdict] | str, str | None, str | None],
    week: int = 0,
    fingerprint: str = "lexical/1",
    kb: str | None = None,
    repeat_of: str | None = None,
) -> None:
    samples, results = _rows(*rows)
    run = make_run(run_id, as_of=NOW + timedelta(weeks=week))
    run = replace(run, fingerprint=fingerprint, kb_version=kb, repeat_of=repeat_of)
    store_run(services.db, samples, results, run=run)


def _means(trend: Trend, view: View = View.JUDGE) -> dict[tuple[str | None, str], list[float]]:
    return {(line.group, line.fingerprint): [p.mean for p in line.points] for line in trend.of_view(view)}


def test_points_are_the_runs_own_scores_in_the_order_of_their_answers(services: Store) -> None:
    _store(services, "b", ([S, S], None, None), ([S, N], None, None), (FAILED, None, None), ([], None, None), week=1)
    _store(services, "a", ([S], None, None), ([C], None, None), week=0)
    trend = load_trend(services, TrendQuery())
    (line,) = trend.lines
    assert (line.group, line.fingerprint, line.view) == ("", "lexical/1", View.JUDGE)
    assert [p.run_ids for p in line.points] == [("a",), ("b",)]
    first, second = line.points
    assert (first.mean, first.judged, first.left_out) == (0.5, 2, {})
    assert (second.mean, second.judged, second.rows) == (0.75, 2, 4)
    assert second.left_out == {"failed": 1, "no_claims": 1}
    assert second.interval == get_summary(services, "b").score.interval
    expected = run_score([Cluster(answers=1, total=1.0), Cluster(answers=1, total=0.5)], unscored=1)
    assert second.interval == expected.interval


def test_judges_are_never_joined_into_one_line(services: Store) -> None:
    for week, judge in enumerate(["lexical/1", "lexical/1", "lexical/2", "openai:m/claims+1"]):
        _store(services, f"r{week}", ([S, N], "A", None), week=week, fingerprint=judge, kb="v1")
    for grouping in Grouping:
        trend = load_trend(services, TrendQuery(grouping=grouping))
        prints = [line.fingerprint for line in trend.lines]
        assert sorted(prints) == ["lexical/1", "lexical/2", "openai:m/claims+1"]
        # The judge with most runs; of the others the one that judged last comes first.
        assert [line.fingerprint for line in trend.of_view(View.JUDGE)] == [
            "lexical/1",
            "openai:m/claims+1",
            "lexical/2",
        ]
    by_judge = load_trend(services, TrendQuery(grouping=Grouping.JUDGE))
    assert all(line.group == line.fingerprint for line in by_judge.lines)


def test_repeats_and_unfinished_runs_make_no_point_and_are_counted(services: Store) -> None:
    _store(services, "a", ([S], None, None))
    _store(services, "again", ([N], None, None), week=1, repeat_of="a")
    _store(services, "failed", (FAILED, None, None), week=2)
    samples, results = _rows(([S], None, None), ([S], None, None))
    store_run(services.db, samples, results[:1], run=make_run("half", as_of=NOW + timedelta(weeks=3)))
    runs.create_run(services.db, make_run("waiting", as_of=NOW + timedelta(weeks=4)), samples)
    trend = load_trend(services, TrendQuery())
    assert [p.run_ids for p in trend.lines[0].points] == [("a",)]
    assert trend.repeats == 1
    assert sorted(run.run_id for run in trend.incomplete) == ["half", "waiting"]
    assert [run.run_id for run in trend.unscored] == ["failed"]
    waiting = next(run for run in trend.incomplete if run.run_id == "waiting")
    assert waiting.status is RunStatus.PENDING


def test_runs_older_than_those_shown_are_counted(services: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trends, "MOST_RUNS", 3)
    for week in range(4):
        _store(services, f"r{week}", ([S], None, None), week=week)
    trend = load_trend(services, TrendQuery())
    assert [p.run_ids[0] for p in trend.lines[0].points] == ["r1", "r2", "r3"]
    assert trend.older == 1


def test_segments_have_lines_with_their_states_and_what_has_none_is_the_rest(services: Store) -> None:
    _store(
        services,
        "a",
        ([S, S], "A", None),
        ([S, N], "A", None),
        (FAILED, "A", None),
        ([C], "B", None),
        ([S, S, N, N], None, None),
        ([], None, None),
    )
    services_kept = summaries.keep_summary(services.db, get_run(services, "a"))
    assert get_summary(services, "a").segments == services_kept.segments
    lines = {line.group: line.points[0] for line in load_trend(services, TrendQuery(grouping=Grouping.SEGMENT)).lines}
    assert set(lines) == {"A", "B", None}
    assert (lines["A"].mean, lines["A"].judged, lines["A"].left_out) == (0.75, 2, {"failed": 1})
    assert (lines["B"].mean, lines["B"].judged) == (0.0, 1)
    rest = lines[None]
    assert rest.mean == pytest.approx(0.5)
    assert (rest.judged, rest.rows, rest.left_out, rest.interval) == (1, 2, {"no_claims": 1}, None)


def test_versions_and_models_have_lines_of_their_own(services: Store) -> None:
    _store(services, "a", ([S], None, None), kb="v1")
    _store(services, "b", ([N], None, None), week=1, kb="v2")
    _store(services, "c", ([S], None, None), week=2)
    assert _means(load_trend(services, TrendQuery(grouping=Grouping.KB))) == {
        ("v1", "lexical/1"): [1.0],
        ("v2", "lexical/1"): [0.0],
        (None, "lexical/1"): [1.0],
    }
    samples, results = _rows(([S], None, None), ([N], None, None))
    told = [replace(sample, extra={"model": "writer-2"}) for sample in samples]
    store_run(services.db, told, results, run=make_run("d", as_of=NOW + timedelta(weeks=3)))
    by_model = _means(load_trend(services, TrendQuery(grouping=Grouping.MODEL)))
    assert by_model == {(None, "lexical/1"): [1.0, 0.0, 1.0], ("writer-2", "lexical/1"): [0.5]}


def test_the_corrected_line_is_the_estimate_of_runs_with_a_spot_check(services: Store) -> None:
    rows = [([S, N] if n % 3 else [S, S], None, None) for n in range(12)]
    _store(services, "a", *rows)
    _store(services, "b", *rows, week=1)
    assert load_trend(services, TrendQuery()).of_view(View.CORRECTED) == []
    check = draw_check(services, "b", size=16)
    while (claim := queue.next_claim(services, check, reviewer="ann")) is not None:
        queue.label_and_advance(services, check, claim.item.position, "supported", reviewer="ann")
    (line,) = load_trend(services, TrendQuery()).of_view(View.CORRECTED)
    found = correct_run(services, "b")
    assert found is not None
    estimate = found.score
    assert isinstance(estimate, CorrectedScore)
    (point,) = line.points
    assert (point.run_ids, point.mean, point.interval) == (
        ("b",),
        estimate.corrected.score,
        estimate.corrected.interval,
    )
    assert point.judged == estimate.labelled
    assert load_trend(services, TrendQuery(grouping=Grouping.SEGMENT)).of_view(View.CORRECTED) == []
    assert load_trend(services, TrendQuery(step=Step.DAY)).of_view(View.CORRECTED) == []


# The night on which clocks in Berlin go back: 25 October 2026 has 25 hours there, from 22:00 UTC to 23:00 UTC.
_NIGHT = (
    ([S], "A", "2026-10-24T21:59:59"),
    ([N], "A", "2026-10-24T22:00:00"),
    ([S], "B", "2026-10-25T00:30:00"),  # 02:30, the first time
    ([S], "B", "2026-10-25T01:30:00"),  # 02:30, the second time
    ([N], "A", "2026-10-25T22:59:59"),
    ([S], "A", "2026-10-25T23:00:00"),
    (FAILED, "A", "2026-10-25T12:00:00"),
    ([S], "A", None),
)


def test_days_are_cut_where_the_zones_clocks_strike_midnight(services: Store) -> None:
    _store(services, "a", *_NIGHT)
    trend = load_trend(services, TrendQuery(step=Step.DAY, zone="Europe/Berlin"))
    (line,) = trend.lines
    assert [(p.at.isoformat(), p.judged, p.mean) for p in line.points] == [
        ("2026-10-23T22:00:00+00:00", 1, 1.0),
        ("2026-10-24T22:00:00+00:00", 4, 0.5),
        ("2026-10-25T23:00:00+00:00", 1, 1.0),
    ]
    assert line.points[1].end == datetime(2026, 10, 25, 23, tzinfo=UTC)
    assert line.points[1].left_out == {"failed": 1}
    assert trend.undated == 1
    by_utc = load_trend(services, TrendQuery(step=Step.DAY, zone="UTC"))
    assert [(p.at.day, p.judged) for p in by_utc.lines[0].points] == [(24, 2), (25, 4)]
    by_segment = load_trend(services, TrendQuery(step=Step.DAY, zone="Europe/Berlin", grouping=Grouping.SEGMENT))
    assert _means(by_segment) == {("A", "lexical/1"): [1.0, 0.0, 1.0], ("B", "lexical/1"): [1.0]}


def test_weeks_and_months_join_rows_of_several_runs_by_question(services: Store) -> None:
    _store(services, "a", ([S], None, "2026-09-30T22:30:00"), ([N], None, "2026-10-05T08:00:00"))
    _store(services, "b", ([S, N], None, "2026-10-04T21:00:00"), week=1)
    month = load_trend(services, TrendQuery(step=Step.MONTH, zone="Europe/Berlin"))
    (point,) = month.lines[0].points  # half past ten in UTC is 1 October in Berlin
    assert (point.run_ids, point.judged, point.mean) == (("a", "b"), 3, 0.5)
    # Both runs' first row asks "q1": one cluster of two answers with 1.5 between them, and one of one with 0.
    expected = run_score([Cluster(answers=2, total=1.5), Cluster(answers=1, total=0.0)], unscored=0)
    assert point.interval == expected.interval
    weeks = load_trend(services, TrendQuery(step=Step.WEEK, zone="Europe/Berlin"))
    assert [(p.run_ids, p.judged) for p in weeks.lines[0].points] == [(("a", "b"), 2), (("a",), 1)]


def test_days_by_two_judges_are_lines_of_their_own(services: Store) -> None:
    _store(services, "a", ([N], None, "2026-10-05T08:00:00"), ([S], None, "2026-10-06T08:00:00"))
    _store(services, "b", ([S], None, "2026-10-05T08:00:00"), week=1, fingerprint="lexical/2")
    trend = load_trend(services, TrendQuery(step=Step.DAY))
    assert _means(trend) == {("", "lexical/1"): [0.0, 1.0], ("", "lexical/2"): [1.0]}


def test_what_was_kept_follows_every_change_of_the_store(services: Store) -> None:
    _store(services, "a", ([N], None, "2026-10-05T08:00:00"))
    query = TrendQuery(step=Step.DAY)
    assert _means(load_trend(services, query)) == {("", "lexical/1"): [0.0]}
    _store(services, "b", ([S], None, "2026-10-05T09:00:00"), week=1)
    assert _means(load_trend(services, query)) == {("", "lexical/1"): [0.5]}
    delete_run(services, "a")
    assert _means(load_trend(services, query)) == {("", "lexical/1"): [1.0]}
    assert load_trend(services, TrendQuery(step=Step.DAY, zone="Asia/Tokyo")).lines[0].points[0].at.hour == 15


def test_an_unknown_zone_is_refused_and_an_empty_store_has_no_lines(services: Store) -> None:
    with pytest.raises(InvalidInput, match="There is no time zone 'Nowhere'"):
        load_trend(services, TrendQuery(zone="Nowhere"))
    for step in Step:
        assert load_trend(services, TrendQuery(step=step)).lines == ()
    assert list_worst(services, []) == []


def test_the_worst_answers_of_points_are_listed_worst_first(services: Store) -> None:
    _store(services, "a", ([S, N], "A", None), ([S, C], "B", None), ([S], "A", None))
    _store(services, "b", ([N], "A", None), ([S, S, N], None, None), (FAILED, "A", None), week=1)
    _store(services, "c", ([N], "A", None), week=2)
    points = load_trend(services, TrendQuery()).lines[0].points
    found = list_worst(services, points[:2])
    assert [(w.run_id, w.key, w.faithfulness) for w in found] == [
        ("b", "r1", 0.0),
        ("a", "r2", 0.5),  # as low as the next, and contradicted
        ("a", "r1", 0.5),
        ("b", "r2", pytest.approx(2 / 3)),
        ("a", "r3", 1.0),
    ]
    assert len(list_worst(services, points, limit=2)) == 2


def test_the_worst_answers_of_a_day_are_of_that_day_only(services: Store) -> None:
    _store(services, "a", *_NIGHT)
    points = load_trend(services, TrendQuery(step=Step.DAY, zone="Europe/Berlin")).lines[0].points
    assert [w.key for w in list_worst(services, points[1:2])] == ["r2", "r5", "r3", "r4"]
    assert [w.key for w in list_worst(services, points[2:])] == ["r6"]


@pytest.mark.parametrize("step", [Step.DAY, Step.WEEK, Step.MONTH])
@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Kiritimati"])
def test_a_stored_time_that_stands_for_no_date_is_undated_and_hides_no_other_point(
    services: Store, step: Step, zone: str
) -> None:
    rows = (
        ([S], None, "2026-03-01T12:00"),
        ([N], None, "9999-12-31T23:59"),
        ([N], None, "0001-01-01T00:00"),
        ([S, N], None, "1970-01-01T12:00"),
    )
    _store(services, "r", *rows)
    trend = load_trend(services, TrendQuery(step=step, zone=zone))
    # Half a century apart, and yet only the two points that hold answers.
    assert list(_means(trend).values()) == [[0.5, 1.0]]
    assert trend.undated == 2


def test_a_new_run_takes_its_time_from_the_plausible_timestamps_of_its_answers(services: Store) -> None:
    times = ["9999-12-31T00:00", "2026-03-01T12:00", "0001-01-01T00:00"]
    samples = [Sample(answer="a", timestamp=datetime.fromisoformat(at).replace(tzinfo=UTC)) for at in times]
    run = add_run(services, samples, "r")
    assert run.as_of == datetime(2026, 3, 1, 12, tzinfo=UTC)
