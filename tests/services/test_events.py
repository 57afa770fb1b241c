"""Events: noted down, detected from runs, and the runs around them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from faithview import Sample, Verdict
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.event import EventKind
from faithview.domain.run import RunStatus
from faithview.services.container import Store
from faithview.services.events import add_event, delete_event, list_events, parse_time
from faithview.services.results import list_runs
from tests.factories import add_run, make_result, make_run, store_run

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def _day(number: int) -> datetime:
    return MONDAY + timedelta(days=number)


def _store(
    services: Store,
    run_id: str,
    day: int,
    *,
    kb: str | None = None,
    fingerprint: str = "lexical/1",
    extra: dict[str, str] | None = None,
    rows: int = 3,
) -> None:
    samples = [Sample(answer=f"a{n}", key=str(n), extra=extra or {}) for n in range(rows)]
    run = make_run(run_id, as_of=_day(day), kb_version=kb, fingerprint=fingerprint)
    store_run(services.db, samples, [make_result(Verdict.SUPPORTED)] * rows, run=run)


def test_an_event_is_kept_in_utc_with_the_complete_runs_around_it(services: Store) -> None:
    _store(services, "r1", 0)
    _store(services, "r2", 2)
    _store(services, "r3", 4)
    at = _day(1).astimezone(timezone(timedelta(hours=2)))
    added = add_event(services, "  Articles\n added ", at=at, kb_version="v2")
    assert (added.label, added.kind, added.at) == ("Articles added", EventKind.KNOWLEDGE_BASE, _day(1))
    assert (added.before_run_id, added.after_run_id) == ("r1", "r2")
    assert list_events(services) == [added]
    assert list_events(services)[0].at.utcoffset() == timedelta(0)


def test_an_event_without_runs_on_one_side_says_so(services: Store) -> None:
    _store(services, "r1", 1)
    add_run(services, [Sample(answer="x")], "not judged")
    first, last = add_event(services, "before all", at=_day(0)), add_event(services, "after all", at=_day(2))
    assert (first.before_run_id, first.after_run_id) == (None, "r1")
    assert (last.before_run_id, last.after_run_id) == ("r1", None)
    assert [run.status for run in list_runs(services)].count(RunStatus.COMPLETE) == 1


def test_a_changed_knowledge_base_judge_model_and_prompt_are_detected(services: Store) -> None:
    _store(services, "r1", 0, kb="v1", extra={"Model Name": "small", "prompt_version": "p1"})
    _store(services, "r2", 1, kb="v2", extra={"Model Name": "small", "prompt_version": "p1"})
    _store(services, "r3", 2, kb="v2", fingerprint="lexical/2", extra={"Model Name": "large", "prompt_version": "p2"})
    found = list_events(services)
    assert [(e.kind, e.label, e.at, e.before_run_id, e.after_run_id) for e in found] == [
        (EventKind.KNOWLEDGE_BASE, "Knowledge base: v1 → v2", _day(1), "r1", "r2"),
        (EventKind.JUDGE, "Judge: lexical/1 → lexical/2", _day(2), "r2", "r3"),
        (EventKind.MODEL, "Model: small → large", _day(2), "r2", "r3"),
        (EventKind.PROMPT, "Prompt: p1 → p2", _day(2), "r2", "r3"),
    ]
    assert all(event.is_detected and event.event_id is None for event in found)
    assert found[0].kb_version == "v2"


def test_a_run_that_says_nothing_is_no_change(services: Store) -> None:
    for day, kb in enumerate(["v1", None, "v1", None, "v2"]):
        _store(services, f"r{day}", day, kb=kb)
    (event,) = list_events(services)
    assert (event.label, event.before_run_id, event.after_run_id) == ("Knowledge base: v1 → v2", "r2", "r4")


def test_a_column_that_varies_within_a_run_says_nothing_about_it(services: Store) -> None:
    samples = [Sample(answer="a", key=str(n), extra={"model": f"m{n}"}) for n in range(3)]
    for day in (0, 1):
        run = make_run(f"r{day}", as_of=_day(day))
        store_run(services.db, samples[: 3 - day], [make_result(Verdict.SUPPORTED)] * (3 - day), run=run)
    assert list_events(services) == []


def test_two_judges_over_the_same_answers_are_no_change_and_runs_of_one_judge_are_compared(services: Store) -> None:
    for day in (0, 1):
        kb = f"v{day}"
        _store(services, f"a{day}", day, kb=kb, fingerprint="lexical/1")
        _store(services, f"b{day}", day, kb=kb, fingerprint="openai/x" if day else "other/x")
    (event,) = list_events(services)
    assert (event.kind, event.before_run_id, event.after_run_id) == (EventKind.KNOWLEDGE_BASE, "a0", "a1")


def test_a_detected_event_that_was_noted_down_is_listed_once(services: Store) -> None:
    _store(services, "r1", 0, kb="v1")
    _store(services, "r2", 2, kb="v2")
    noted = add_event(services, "The update", at=_day(1), kind=EventKind.KNOWLEDGE_BASE)
    (event,) = list_events(services)
    assert (event.event_id, event.label, event.kb_version) == (noted.event_id, "The update", "v2")


@pytest.mark.parametrize(("day", "kind"), [(1, EventKind.MODEL), (3, EventKind.KNOWLEDGE_BASE)])
def test_a_noted_event_of_another_kind_or_time_hides_no_detected_one(
    services: Store, day: int, kind: EventKind
) -> None:
    _store(services, "r1", 0, kb="v1")
    _store(services, "r2", 2, kb="v2")
    add_event(services, "Something else", at=_day(day), kind=kind)
    assert sorted(event.is_detected for event in list_events(services)) == [False, True]


def test_a_deleted_event_is_gone_and_an_unknown_one_is_refused(services: Store) -> None:
    event = add_event(services, "x", at=MONDAY)
    assert event.event_id is not None
    delete_event(services, event.event_id)
    assert list_events(services) == []
    with pytest.raises(NotFound, match=f"no event {event.event_id}"):
        delete_event(services, event.event_id)


@pytest.mark.parametrize(
    ("label", "at", "expected"),
    [
        (" ", MONDAY, "1 to 500 characters, not 0"),
        ("x" * 501, MONDAY, "not 501"),
        ("a\x00b", MONDAY, "cannot be stored"),
        ("fine", MONDAY.replace(tzinfo=None), "has no time zone"),
        ("fine", MONDAY.replace(year=1), "outside the years 1970 to 2199"),
        ("fine", MONDAY.replace(year=9999), "outside the years 1970 to 2199"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_an_event_that_cannot_be_kept_is_refused(services: Store, label: str, at: datetime, expected: str) -> None:
    with pytest.raises(InvalidInput, match=expected):
        add_event(services, label, at=at)
    assert list_events(services) == []


def test_a_time_without_a_zone_is_utc_and_a_doubtful_one_is_refused() -> None:
    assert parse_time("2026-03-02 09:00").at == MONDAY
    assert parse_time("2026-03-02 09:00").is_assumed_utc
    assert not parse_time("2026-03-02T11:00:00+02:00").is_assumed_utc
    with pytest.raises(InvalidInput, match="'03/04/2025' cannot be read, is ambiguous"):
        parse_time("03/04/2025")
