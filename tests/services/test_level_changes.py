"""What a trend finds in series whose truth is known, and that Compare says the same of the same runs."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from faithview import Result, Sample
from faithview.domain.answer import View
from faithview.domain.event import EventKind
from faithview.domain.trend import Grouping
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.events import add_event, list_events
from faithview.services.level_changes import (
    LevelChange,
    StepTests,
    TrendFinding,
    find_step,
    list_regressions,
    summarise_trend,
)
from faithview.services.results import get_summary
from faithview.services.trends import TrendQuery, load_trend
from faithview.ui.changes.comparison_finding import compare_finding
from tests.factories import NOW, N, S, make_claim, make_row, open_services, say, store_rows

CHUNKS = {"a": "So it is."}


@pytest.fixture
def services(store_file: Path) -> Iterator[Store]:
    """Store over an empty store."""
    with open_services(store_file) as built:
        yield built


def _rows(
    answers: int,
    wrong: Collection[int],
    *,
    first: int = 0,
    key: str = "r",
    segment: Callable[[int], str | None] = lambda _: None,
) -> list[tuple[Sample, Result]]:
    """Answers of one claim each, the wrong ones by their number."""
    rows = []
    for at in range(first, first + answers):
        sample, result = make_row(
            CHUNKS,
            make_claim("So it is.", N if at in wrong else S, "a"),
            question=f"What about {at}?",
            key=f"{key}{at}" if key else "",
        )
        rows.append((replace(sample, segment=segment(at)), result))
    return rows


def _series(services: Store, *wrong: int, answers: int = 200) -> None:
    for week, number in enumerate(wrong):
        store_rows(services, f"w{week}", _rows(answers, range(number)), week=week, series="s")


def _unlike_series(services: Store, *wrong: int) -> None:
    """Runs of 200 answers in which other answers are wrong each time, so that pairs show little more than means."""
    for week, number in enumerate(wrong):
        places = {(at * 7 + week * 31) % 200 for at in range(number)}
        store_rows(services, f"w{week}", _rows(200, places), week=week, series="s")


def _find(services: Store) -> TrendFinding:
    whole, segments = (load_trend(services, TrendQuery(grouping=group)) for group in (Grouping.ALL, Grouping.SEGMENT))
    return summarise_trend(services, whole, segments, list_events(services))


def _change(services: Store) -> LevelChange:
    change = _find(services).level_change
    assert change is not None
    return change


def _open_falls(services: Store) -> list[LevelChange]:
    whole, segments = (load_trend(services, TrendQuery(grouping=group)) for group in (Grouping.ALL, Grouping.SEGMENT))
    return list_regressions(services, whole, segments, list_events(services))


def test_a_step_has_the_p_value_and_the_difference_of_the_comparison(services: Store) -> None:
    # Eight answers lost, none won, far inside both runs' own intervals.
    _series(services, 2, 10)
    found = compare_runs(services, "w0", "w1").difference
    step = _change(services).step
    assert step.pairs == found.pairs == 200
    assert (step.p_value, step.delta) == (found.p_value, found.mean)
    assert step.is_real
    assert [change.step for change in _open_falls(services)] == [step]
    before, after = (get_summary(services, run_id) for run_id in ("w0", "w1"))
    test = find_step(services, before, after, view=View.JUDGE)
    assert test is not None
    assert test.p_value == found.p_value


@pytest.mark.parametrize("kind", ["no ids", "several to a question", "other ids", "reworded", "no questions"])
def test_steps_are_tested_on_the_pairs_that_the_comparison_makes(services: Store, kind: str) -> None:
    def rows(wrong: int, *, is_later: bool) -> Iterable[tuple[Sample, Result]]:
        for at, (sample, result) in enumerate(_rows(60, range(wrong), key="" if kind == "no ids" else "r")):
            question = sample.question
            if kind == "several to a question":
                question = f"What about {at // 2}?"
            if kind == "reworded" and is_later and at < 5:
                question = f"What about {at} now?"
            if kind == "no questions":
                question = None
            key = f"x{at}" if kind == "other ids" and is_later else sample.key
            yield replace(sample, question=question, key=key), result

    store_rows(services, "w0", [*rows(1, is_later=False)], series="s")
    store_rows(services, "w1", [*rows(14, is_later=True)][::-1], week=1, series="s")
    (line,) = load_trend(services, TrendQuery()).of_view(View.JUDGE)
    tests = StepTests(services, [line])
    test, pairs = tests(line, *line.points), tests.pairs_of(line, *line.points)
    found = compare_runs(services, "w0", "w1")
    assert test is not None
    assert test.exact is not None
    assert pairs is not None
    exact = test.exact()
    assert exact is not None
    assert exact.p_value == found.difference.p_value
    assert exact.delta == pytest.approx(found.difference.mean)
    assert exact.pairs == found.pairing.scored
    by_id = sum(number for rule, number in found.pairing.rules.items() if rule in ("key", "external_id"))
    assert pairs.by_id == by_id


def test_six_runs_from_95_to_85_are_not_steady(services: Store) -> None:
    _unlike_series(services, 10, 14, 18, 22, 26, 30)
    change = _change(services)
    assert change.is_drift
    assert change.is_open_fall
    assert (change.baseline_id, change.candidate_id) == ("w0", "w5")
    assert [fall.is_drift for fall in _open_falls(services)] == [True]


def test_a_recovery_that_did_not_hold_is_an_open_fall(services: Store) -> None:
    # 0.95 0.82 0.93 0.89 0.85 0.82.
    _unlike_series(services, 10, 36, 14, 22, 30, 36)
    change = _change(services)
    assert change.has_relapsed
    assert change.is_open_fall
    (fall,) = _open_falls(services)
    assert fall.candidate_id == change.candidate_id


def test_a_recovery_that_holds_at_the_newest_point_is_one(services: Store) -> None:
    _unlike_series(services, 10, 36, 14, 22, 12)
    change = _change(services)
    assert change.recovery is not None
    assert change.recovery.after.run_ids == ("w2",)
    assert not change.is_open_fall
    assert _open_falls(services) == []


def _fall_with_versions(services: Store, before: str | None, after: str | None, *, key: str = "r") -> None:
    for week, (name, wrong, version) in enumerate((("w0", 1, before), ("w1", 20, after))):
        rows = _rows(60, range(wrong), key="r" if week == 0 else key)
        run = store_rows(services, name, rows, week=week, series="s", kb_version=version)
        assert run.kb_version == version


def test_an_event_between_runs_of_two_known_versions_is_the_cause(services: Store) -> None:
    _fall_with_versions(services, "v1", "v2")
    change = _change(services)
    assert change.event is not None
    assert change.event.kb_version == "v2"


def test_two_events_or_other_ids_leave_the_cause_unknown(services: Store) -> None:
    _fall_with_versions(services, "v1", "v2", key="x")
    assert _change(services).step.pairs == 60  # by their questions
    assert _change(services).event is None
    assert len(_change(services).events_between) == 1


def test_a_second_event_between_the_runs_leaves_the_cause_unknown(services: Store) -> None:
    _fall_with_versions(services, "v1", "v2")
    add_event(services, "New prompt", at=NOW + timedelta(days=3), kind=EventKind.PROMPT)
    change = _change(services)
    assert change.event is None
    assert len(change.events_between) == 2


def test_an_event_between_runs_of_one_version_is_not_the_cause(services: Store) -> None:
    _fall_with_versions(services, "v1", "v1")
    add_event(services, "Articles changed", at=NOW + timedelta(days=3), kind=EventKind.KNOWLEDGE_BASE)
    change = _change(services)
    assert change.event is None
    assert [event.label for event in change.events_between] == ["Articles changed"]


def test_runs_over_other_questions_are_independent_and_said_to_be(services: Store) -> None:
    # The shared answers did not change, the other ones are harder.
    store_rows(services, "w0", _rows(200, range(10)), series="s")
    store_rows(services, "w1", _rows(200, range(200, 240), first=140), week=1, series="s")
    change = _change(services)
    assert change.step.pairs is None
    assert (change.shared, change.answers) == (60, 200)
    assert change.event is None


def test_segments_that_moved_against_each_other_are_named_by_trends_and_compare(services: Store) -> None:
    # Alpha 0.95 -> 0.70, Beta 0.70 -> 0.95.
    def segment(at: int) -> str:
        return "Alpha" if at < 60 else "Beta"

    low, high = range(3), range(18)
    store_rows(services, "w0", _rows(120, [*low, *(60 + at for at in high)], segment=segment), series="s")
    store_rows(services, "w1", _rows(120, [*high, *(60 + at for at in low)], segment=segment), week=1, series="s")
    change = _change(services)
    assert change.segment is not None
    moves = {change.segment: change.step.delta, **{str(name): step.delta for name, step in change.others}}
    assert moves == {"Alpha": pytest.approx(-0.25), "Beta": pytest.approx(0.25)}
    found = compare_runs(services, "w0", "w1")
    assert not found.is_significant
    assert {s.segment for s in found.moved_apart} == {"Alpha", "Beta"}
    text = compare_finding(found)
    assert text.startswith("**Overall, the change could be chance:**")
    assert "But **Alpha** fell by **0.25** (adjusted p 0.0002, n 60 pairs) and **Beta** rose by **0.25**" in text


def test_a_segment_is_named_by_both_pages_only_for_more_than_its_share(services: Store) -> None:
    def segment(at: int) -> str:
        return "Billing" if at < 160 else "Security"

    # Every segment falls by 0.10.
    alike = [*range(16), 160, 161, 162, 163]
    store_rows(services, "w0", _rows(200, [], segment=segment), series="s")
    store_rows(services, "w1", _rows(200, alike, segment=segment), week=1, series="s")
    assert _change(services).places == ()
    assert "no segment has significantly more of the loss than of the answers" in compare_finding(
        compare_runs(services, "w0", "w1")
    )
    store_rows(services, "w2", _rows(200, range(160, 190), segment=segment), week=2, series="s")
    found = compare_runs(services, "w0", "w2")
    (place,) = [s for s in found.segments if s.stands_out]
    assert (place.segment, place.share_of_delta, place.share_of_pairs) == ("Security", 1.0, 0.2)
    assert "all of the loss is in **Security** (20% of the answers)" in compare_finding(found)


def test_few_answers_show_nothing(services: Store) -> None:
    store_rows(services, "w0", _rows(2, []), series="s")
    store_rows(services, "w1", _rows(2, range(2)), week=1, series="s")
    finding = _find(services)
    assert finding.level_change is None
    assert finding.tests is not None
    assert finding.tests.steps == ()
    assert _open_falls(services) == []


def test_labels_on_one_run_alone_are_tested_as_the_reviewed_comparison_tests_them(services: Store) -> None:
    _series(services, 20, 20, answers=60)
    for row in range(1, 21):
        for run_id in ("w0", "w1"):
            say(services, run_id, row, 1, "supported" if run_id == "w1" else "not_mentioned")
    lines = load_trend(services, TrendQuery()).of_view(View.REVIEWED)
    test = StepTests(services, lines)(lines[0], *lines[0].points)
    found = compare_runs(services, "w0", "w1", view=View.REVIEWED).difference
    assert test is not None
    assert test.exact is not None
    exact = test.exact()
    assert (None if exact is None else exact.p_value) == found.p_value
