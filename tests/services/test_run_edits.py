"""A run is renamed, noted on, archived and deleted."""

from datetime import timedelta

import pytest

from faithview import Sample, Verdict
from faithview.domain.alert import AlertKind
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput, NotFound, RunConflict
from faithview.domain.inbox import Facet, make_filter
from faithview.domain.run import Run
from faithview.services import results
from faithview.services.alerts import add_rule, evaluate_alerts, list_open_alerts
from faithview.services.comparison.baselines import find_pair, find_previous
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import list_labelled_runs
from faithview.services.results import delete_run, get_run, list_runs, list_summaries
from faithview.services.review.inbox import list_groups
from faithview.services.trends import TrendQuery, load_trend
from faithview.store import spot_checks
from faithview.store.alerts import list_alerts
from faithview.store.runs import count_runs
from faithview.store.series import list_series
from faithview.wording.runs import contents_words
from tests.factories import HOSTILE, NOW, draw_check, make_result, make_run, say, store_run

SAMPLES = [Sample.of(f"Answer {n}.", ["A chunk."], question=f"Question {n}?") for n in range(4)]


def _store(services: Store, run_id: str, *, day: int = 0, repeat_of: str | None = None) -> Run:
    verdicts = [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    run = make_run(run_id, as_of=NOW + timedelta(days=day), series="desk", repeat_of=repeat_of)
    return store_run(services.db, SAMPLES, [make_result(*verdicts)] * 4, run=run)


def _listed(services: Store, *, archived: bool | None = False) -> list[str]:
    return [run.run_id for run in list_runs(services, archived=archived)]


def test_a_run_gets_another_name_that_no_run_has(services: Store) -> None:
    _store(services, "a")
    _store(services, "b", day=1)
    assert results.rename_run(services, "a", "  October\n audit ").name == "October audit"
    assert results.rename_run(services, "a", "October audit").name == "October audit"
    with pytest.raises(RunConflict, match="Another run is named 'October audit'"):
        results.rename_run(services, "b", "October audit")
    for name in ("", " \n", "x" * 201, "a\x00b"):
        with pytest.raises(InvalidInput):
            results.rename_run(services, "b", name)
    with pytest.raises(NotFound):
        results.rename_run(services, "nobody", "c")
    assert get_run(services, "b").name == "b"


def test_a_note_is_kept_as_it_is_and_an_empty_one_removes_it(services: Store) -> None:
    _store(services, "a")
    assert get_run(services, "a").note == ""
    assert results.note_on_run(services, "a", f" {HOSTILE} ").note == HOSTILE.strip()
    with pytest.raises(InvalidInput, match="at most 2,000 characters, not 2,001"):
        results.note_on_run(services, "a", "x" * 2001)
    with pytest.raises(InvalidInput, match="cannot be stored"):
        results.note_on_run(services, "a", "\x00")
    assert get_run(services, "a").note == HOSTILE.strip()
    assert results.note_on_run(services, "a", "").note == ""


def test_an_archived_run_is_in_no_list_and_nothing_rests_on_it(services: Store) -> None:
    for day, run_id in enumerate("abc"):
        _store(services, run_id, day=day)
    say(services, "b", 1, 2, "supported", by="Ada")
    assert results.archive_run(services, "b").archived_at is not None
    assert _listed(services) == ["c", "a"]
    assert _listed(services, archived=True) == ["b"]
    assert _listed(services, archived=None) == ["c", "b", "a"]
    assert (count_runs(services.db, series="desk"), count_runs(services.db, archived=True)) == (2, 1)
    assert [s.run.run_id for s in list_summaries(services)] == ["c", "a"]
    assert [(s.name, s.runs) for s in list_series(services.db)] == [("desk", 2)]
    previous = find_previous(services, get_run(services, "c"))
    assert previous is not None
    assert previous.run_id == "a"
    assert find_pair(services, "desk") == (get_run(services, "a"), get_run(services, "c"))
    (line,) = load_trend(services, TrendQuery(series="desk")).of_view(View.JUDGE)
    assert [point.run_ids for point in line.points] == [("a",), ("c",)]
    everything = make_filter('"Claim 2"', {Facet.VERDICT: [*Verdict]})
    assert list_groups(services, everything, series="desk").total_claims == 8
    assert list_labelled_runs(services) == []


def test_an_archived_run_opens_by_its_name_and_comes_back_as_it_was(services: Store) -> None:
    _store(services, "a")
    before = get_run(services, "a")
    archived = results.archive_run(services, "a")
    assert results.archive_run(services, "a") == archived
    assert get_run(services, "a") == archived
    assert list_series(services.db) == []
    assert results.restore_run(services, "a") == before
    assert results.restore_run(services, "a") == before
    assert _listed(services) == ["a"]


def test_repeats_are_archived_and_brought_back_with_their_run(services: Store) -> None:
    _store(services, "a")
    _store(services, "a2", repeat_of="a")
    results.archive_run(services, "a")
    assert _listed(services) == []
    results.restore_run(services, "a")
    results.archive_run(services, "a2")
    assert _listed(services) == ["a"]


def test_alerts_of_an_archived_run_are_not_open_until_it_comes_back(services: Store) -> None:
    add_rule(services, AlertKind.BELOW, 0.9)
    run = _store(services, "a")
    evaluate_alerts(services, run, environ={})
    assert len(list_open_alerts(services)) == 1
    results.archive_run(services, "a")
    assert list_open_alerts(services) == []
    assert len(list_alerts(services.db)) == 1
    assert evaluate_alerts(services, run, environ={}) == []
    results.restore_run(services, "a")
    assert len(list_open_alerts(services)) == 1


def test_what_goes_with_a_run_is_counted_before_it_goes(services: Store) -> None:
    _store(services, "a")
    _store(services, "b", day=1)
    _store(services, "a2", repeat_of="a")
    own = draw_check(services, "a", size=2, name="October")
    both = draw_check(services, "a", "b", size=4, name="Both")
    for claim, reviewer in ((1, "Ada"), (2, "Ada"), (1, "Ben")):
        say(services, "a", 1, claim, "supported", by=reviewer)
    contents = results.get_contents(services, "a")
    assert (contents.answers, contents.claims, contents.repeats) == (4, 8, 1)
    assert contents.labels == {"Ada": 2, "Ben": 1}
    assert (contents.spot_checks, contents.shortened_spot_checks) == (("October",), ("Both",))
    assert contents_words(contents) == (
        "4 answers, 8 claims, 3 labels by Ada and Ben, the spot-check 'October' and part of the spot-check 'Both'"
    )
    delete_run(services, "a")
    assert [check.spot_check_id for check in spot_checks.list_spot_checks(services.db)] == [both]
    assert own != both
    with pytest.raises(NotFound):
        results.get_contents(services, "a")
    assert _listed(services) == ["b", "a2"]
