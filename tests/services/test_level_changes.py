"""What a trend finds in series whose truth is known, and that a comparison says the same of the same runs."""

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from faithview import Result, Sample
from faithview.domain.answer import View
from faithview.domain.buckets import Step
from faithview.domain.event import EventKind
from faithview.domain.trend import Grouping
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.events import add_event, list_events
from faithview.services.level_changes import (
    LevelChange,
    TrendFinding,
    find_step,
    list_regressions,
    summarise_trend,
)
from faithview.services.results import get_summary, list_runs
from faithview.services.trends import TrendQuery, load_trend
from faithview.ui.changes.finding import compare_finding
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


def _find(services: Store, step: Step = Step.RUN) -> TrendFinding:
    whole, segments = (
        load_trend(services, TrendQuery(step=step, grouping=g)) for g in (Grouping.ALL, Grouping.SEGMENT)
    )
    return summarise_trend(services, whole, segments, list_events(services))


def _change(services: Store) -> LevelChange:
    change = _find(services).level_change
    assert change is not None
    return change


def _open_falls(services: Store) -> list[LevelChange]:
    whole, segments = (load_trend(services, TrendQuery(grouping=group)) for group in (Grouping.ALL, Grouping.SEGMENT))
    return list_regressions(services, whole, segments, list_events(services))


@pytest.mark.parametrize("step", [Step.RUN, Step.WEEK])
def test_the_samples_fall_is_found_with_its_event_segment_and_recovery(
    demo_file: Path, tmp_path: Path, step: Step
) -> None:
    with open_services(shutil.copy(demo_file, tmp_path / "demo.db")) as services:
        change = _find(services, step).level_change
        assert change is not None
        names = {run.run_id: run.name[-3:] for run in list_runs(services)}
        found = compare_runs(services, change.baseline_id, change.candidate_id)
    assert (names[change.baseline_id], names[change.candidate_id], change.segment) == ("w42", "w43", None)
    assert (change.step.p_value, change.step.pairs) == (found.difference.p_value, found.difference.pairs)
    assert change.step.delta == pytest.approx(found.difference.mean)
    assert round(change.step.delta, 2) == -0.08
    (place,) = change.places
    assert (place.segment, round(place.share_of_change, 2), round(place.share_of_answers, 2)) == (
        "Handovers",
        0.88,
        0.17,
    )
    assert [s.segment for s in found.segments if s.stands_out] == ["Handovers"]
    assert change.event is not None
    assert change.event.label.startswith("Help centre 2026-10")
    assert change.recovery is not None
    assert names[change.recovery.after.run_ids[0]] == "w45"
    assert change.recovery_event is not None
    assert change.recovery_event.label.startswith("Help centre 2026-11")
    assert not change.is_open_fall


def test_a_step_has_the_p_value_and_the_difference_of_the_comparison(services: Store) -> None:
    # Eight answers lost, none won, far inside both runs' own intervals.
    _series(services, 2, 10)
    found = compare_runs(services, "w0", "w1").difference
    step = _change(services).step
    assert step.pairs == found.pairs == 200
    assert (step.p_value, step.delta) == (found.p_value, found.mean)
    assert [change.step for change in _open_falls(services)] == [step]
    before, after = (get_summary(services, run_id) for run_id in ("w0", "w1"))
    test = find_step(services, before, after)
    assert test is not None
    assert test.p_value == found.p_value


@pytest.mark.parametrize("kind", ["no ids", "several to a question", "other ids", "no questions"])
def test_steps_are_tested_on_the_pairs_that_the_comparison_makes(services: Store, kind: str) -> None:
    def rows(wrong: int, *, is_later: bool) -> Iterable[tuple[Sample, Result]]:
        for at, (sample, result) in enumerate(_rows(60, range(wrong), key="" if kind == "no ids" else "r")):
            question = f"What about {at // 2}?" if kind == "several to a question" else sample.question
            key = f"x{at}" if kind == "other ids" and is_later else sample.key
            yield replace(sample, question=None if kind == "no questions" else question, key=key), result

    store_rows(services, "w0", [*rows(1, is_later=False)], series="s")
    store_rows(services, "w1", [*rows(14, is_later=True)][::-1], week=1, series="s")
    step, found = _change(services).step, compare_runs(services, "w0", "w1")
    assert (step.p_value, step.pairs) == (found.difference.p_value, found.pairing.scored)
    assert step.delta == pytest.approx(found.difference.mean)


def test_a_slow_fall_without_a_significant_step_is_a_drift(services: Store) -> None:
    _series(services, 10, 13, 16, 19, 22, 25)
    change = _change(services)
    assert change.is_drift
    assert change.is_open_fall
    assert (change.baseline_id, change.candidate_id, change.step.pairs) == ("w0", "w5", 200)
    assert change.step.delta == pytest.approx(-(25 - 16) / 200)  # 25 wrong, against a mean of 16
    assert [fall.is_drift for fall in _open_falls(services)] == [True]


def test_a_rise_that_makes_up_half_of_a_fall_is_a_recovery_and_a_smaller_one_is_none(services: Store) -> None:
    _series(services, 0, 30, 20, 8)
    change = _change(services)
    assert (change.candidate_id, change.is_open_fall) == ("w1", False)
    assert change.recovery is not None
    assert change.recovery.after.run_ids == ("w3",)
    assert _open_falls(services) == []


def test_a_fall_that_no_single_rise_made_good_is_not_open(services: Store) -> None:
    _series(services, 0, 12, 9, 6, 3, 0, answers=40)
    change = _change(services)
    assert (change.candidate_id, change.recovery, change.is_open_fall) == ("w1", None, False)
    assert _open_falls(services) == []


def _fall_with_versions(services: Store, before: str | None, after: str | None, *, key: str = "r") -> None:
    for week, (name, wrong, version) in enumerate((("w0", 1, before), ("w1", 20, after))):
        rows = _rows(60, range(wrong), key="r" if week == 0 else key)
        store_rows(services, name, rows, week=week, series="s", kb_version=version)


def test_an_event_between_runs_of_two_known_versions_is_the_cause(services: Store) -> None:
    _fall_with_versions(services, "v1", "v2")
    event = _change(services).event
    assert event is not None
    assert event.kb_version == "v2"


def test_a_second_event_between_the_runs_leaves_the_cause_unknown(services: Store) -> None:
    _fall_with_versions(services, "v1", "v2")
    add_event(services, "New prompt", at=NOW + timedelta(days=3), kind=EventKind.PROMPT)
    change = _change(services)
    assert change.event is None
    assert len(change.events_between) == 2


def test_an_event_between_runs_of_one_version_is_named_but_not_the_cause(services: Store) -> None:
    _fall_with_versions(services, "v1", "v1")
    add_event(services, "Articles changed", at=NOW + timedelta(days=3), kind=EventKind.KNOWLEDGE_BASE)
    change = _change(services)
    assert change.event is None
    assert [event.label for event in change.events_between] == ["Articles changed"]


def test_an_event_is_not_the_cause_where_less_than_four_fifths_of_the_answers_are_paired(services: Store) -> None:
    store_rows(services, "w0", _rows(60, [1]), series="s", kb_version="v1")
    store_rows(services, "w1", _rows(60, range(13, 40), first=13), week=1, series="s", kb_version="v2")
    change = _change(services)
    assert (change.step.pairs, change.event, len(change.events_between)) == (47, None, 1)


def test_runs_over_other_questions_are_independent_and_said_to_be(services: Store) -> None:
    # The shared answers did not change, the other ones are harder.
    store_rows(services, "w0", _rows(200, range(10)), series="s")
    store_rows(services, "w1", _rows(200, range(200, 240), first=140), week=1, series="s")
    change = _change(services)
    assert (change.step.pairs, change.event) == (None, None)
    assert (change.shared, change.answers) == (60, 200)


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
    assert [fall.segment for fall in _open_falls(services)] == ["Alpha"]
    found = compare_runs(services, "w0", "w1")
    assert {s.segment for s in found.moved_apart} == {"Alpha", "Beta"}
    text = compare_finding(found)
    assert "But **Alpha** fell by **0.25** (adjusted p 0.0002, n 60 pairs) and **Beta** rose by **0.25**" in text


def test_the_whole_is_no_regression_of_its_own_where_a_segment_has_most_of_the_fall(services: Store) -> None:
    def segment(at: int) -> str:
        return "Billing" if at < 160 else "Security"

    store_rows(services, "w0", _rows(200, [], segment=segment), series="s")
    store_rows(services, "w1", _rows(200, range(160, 190), segment=segment), week=1, series="s")
    (place,) = _change(services).places
    assert (place.segment, place.share_of_change, place.share_of_answers) == ("Security", 1.0, 0.2)
    assert [fall.segment for fall in _open_falls(services)] == ["Security"]


def test_few_answers_and_changes_within_chance_show_nothing(services: Store) -> None:
    _series(services, 0, 2, answers=2)
    finding = _find(services)
    assert finding.level_change is None
    assert finding.tests is not None
    assert (finding.tests.steps, finding.tests.untested) == ((), 1)
    for week in range(4):
        wrong = [at for at in range(30) if (at + week) % 5 == 0]
        store_rows(services, f"v{week}", _rows(30, wrong), week=week + 2, series="s")
    assert _find(services).level_change is None


def test_labels_do_not_move_a_trend(services: Store) -> None:
    _series(services, 20, 20, answers=60)
    for row in range(1, 21):
        say(services, "w1", row, 1, "supported")
    finding = _find(services)
    assert finding.line is not None
    assert finding.line.view is View.JUDGE
    assert finding.level_change is None


def test_the_finding_is_about_the_judge_with_most_runs_and_of_as_many_about_the_newest(services: Store) -> None:
    def store(name: str, week: int, fingerprint: str) -> None:
        store_rows(services, name, _rows(2, []), week=week, fingerprint=fingerprint)

    store("a", 5, "new")
    store("b", 4, "old")
    line = _find(services).line
    assert line is not None
    assert line.fingerprint == "new"
    store("c", 3, "old")
    line = _find(services).line
    assert line is not None
    assert line.fingerprint == "old"
