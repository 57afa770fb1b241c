"""Old runs and the texts of logged answers are deleted for good; on both engines."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput
from faithview.domain.live import Fate, LoggedAnswer
from faithview.domain.retention import Retention, parse_days
from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.results import get_run, list_runs
from faithview.services.retention import apply_retention, plan_retention
from faithview.store import audit, live, runs
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.runs import RunRow
from tests.factories import LEXICAL, add_judged_run, add_run, draw_check, open_services, say

_WORD = "zyzzyva"
_OLD = datetime.now(UTC) - timedelta(days=100)
_RULE = Retention(keep_days=90)


def _samples(word: str, number: int = 12) -> list[Sample]:
    return [
        Sample(
            key=f"row {at}",
            question=f"When does {word} number {at // 2} open?",
            answer=f"The {word} number {at} opens at 9. The {word} is blue.",
            reference=f"{word} at 8",
            chunks=(Chunk(chunk_id=f"{at}", text=f"The {word} number {at} opens at 8.", metadata={"of": word}),),
            segment="hours" if at % 2 else "days",
            extra={"made by": word},
        )
        for at in range(number)
    ]


def _store(services: Store, word: str, *, name: str, at: datetime | None = _OLD) -> Run:
    run = add_judged_run(services, _samples(word), name, judge=LEXICAL, series="Desk")
    say(services, run.run_id, 1, 1, "supported", by="Ada", note=f"{word} it is")
    if at is not None:
        _date(services, run, at)
    return get_run(services, run.run_id)


def _date(services: Store, run: Run, at: datetime) -> None:
    with services.db.bookkeep() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run.run_id).values(created_at=at))


def _log(services: Store, *, at: datetime) -> None:
    sample = Sample.of(f"The {_WORD} is open.", [_WORD], key=f"{at:%d %H:%M:%S.%f}")
    live.append(services.db, [LoggedAnswer(application="desk", sample=sample)], now=at)


def test_old_runs_go_and_new_ones_stay(services: Store) -> None:
    old, new = _store(services, _WORD, name="old"), _store(services, "aardvark", name="new", at=None)
    plan = plan_retention(services, _RULE)
    assert ([run.run_id for run in plan.runs], plan.answers, plan.logged) == ([old.run_id], 12, 0)
    assert len(list_runs(services)) == 2
    done = apply_retention(services, plan)
    assert [run.run_id for run in done.runs] == [old.run_id]
    assert [run.run_id for run in list_runs(services)] == [new.run_id]
    assert plan_retention(services, _RULE).is_empty
    (entry,) = (e for e in audit.list_entries(services.db) if e.action == Action.RUN_DELETED)
    assert (entry.run_name, entry.detail) == ("old", "retention")


def test_a_plan_that_somebody_else_carried_out_meanwhile_deletes_nothing_twice(services: Store) -> None:
    _store(services, _WORD, name="old")
    plan = plan_retention(services, _RULE)
    assert len(apply_retention(services, plan).runs) == 1
    assert apply_retention(services, plan).runs == ()


def test_no_word_of_the_texts_stays_in_the_files(store_file: Path) -> None:
    with open_services(store_file) as services:
        old = _store(services, _WORD, name="old")
        _store(services, "aardvark", name="new", at=None)
        compare_runs(services, old.run_id, "new")
        _log(services, at=_OLD)
        apply_retention(services, plan_retention(services, _RULE))
        content = b"".join(file.read_bytes() for file in store_file.parent.glob(f"{store_file.name}*"))
    assert b"aardvark" in content
    # The index of words leaves out the letters that a word shares with the one before it.
    assert _WORD[1:].encode() not in content
    assert _WORD[:5].encode() not in content


def test_the_file_becomes_smaller(store_file: Path) -> None:
    with open_services(store_file) as services:
        _date(services, add_run(services, _samples("word " * 500, 400), "old", judge=LEXICAL), _OLD)
        services.db.empty_log()
        before = store_file.stat().st_size
        apply_retention(services, plan_retention(services, _RULE))
        assert store_file.stat().st_size < before / 2


def test_a_run_with_an_open_spot_check_is_spared_unless_forced(services: Store) -> None:
    old = _store(services, _WORD, name="old")
    check = draw_check(services, old.run_id, size=4, name="January", by="Ada")
    plan = plan_retention(services, _RULE)
    assert (plan.runs, [run.open_checks for run in plan.spared]) == ((), [("January",)])
    assert check is not None
    apply_retention(services, plan)
    assert len(list_runs(services)) == 1
    forced = plan_retention(services, Retention(keep_days=90, force=True))
    assert (len(forced.runs), forced.spared) == (1, ())
    apply_retention(services, forced)
    assert list_runs(services) == []


def test_a_run_that_is_being_judged_is_left_alone(services: Store) -> None:
    run = add_run(services, _samples(_WORD), "old", judge=LEXICAL)
    _date(services, run, _OLD)
    runs.take_run(services.db, run.run_id, worker="a:1:b", now=datetime.now(UTC))
    plan = plan_retention(services, Retention(keep_days=90, force=True))
    assert (plan.runs, [one.run_id for one in plan.busy]) == ((), [run.run_id])


def test_a_run_that_is_judged_or_checked_again_since_the_plan_was_made_is_left_alone(services: Store) -> None:
    judged, checked = (_store(services, _WORD, name=name) for name in ("judged", "checked"))
    plan = plan_retention(services, _RULE)
    assert len(plan.runs) == 2
    runs.take_run(services.db, judged.run_id, worker="a:1:b", now=datetime.now(UTC))
    draw_check(services, checked.run_id, size=4, name="January", by="Ada")
    assert apply_retention(services, plan).runs == ()
    assert {run.name for run in list_runs(services)} == {"judged", "checked"}


def test_old_logged_answers_lose_their_texts_and_are_never_drawn(services: Store) -> None:
    _log(services, at=_OLD)
    _log(services, at=datetime.now(UTC))
    plan = plan_retention(services, _RULE)
    assert (plan.logged, plan.runs) == (1, ())
    assert apply_retention(services, plan).logged == 1
    with services.db.read() as connection:
        kept = select(LoggedAnswerRow.fate, func.count(LoggedAnswerRow.answer)).group_by(LoggedAnswerRow.fate)
        assert {row[0]: row[1] for row in connection.execute(kept)} == {Fate.WAITING: 1, Fate.SKIPPED: 0}
    (entry,) = audit.list_entries(services.db)
    assert (entry.action, entry.items, entry.detail) == (Action.LOG_EMPTIED, 1, "retention")


@pytest.mark.parametrize(("text", "days"), [("90d", 90), ("12h", 0.5), ("4w", 28), (" 1.5 D ", 1.5)])
def test_times_are_read(text: str, days: float) -> None:
    assert parse_days(text.replace(" D", "D")) == days


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "90d keep", "1e9d", "90d,"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        parse_days(text)


def test_nothing_is_kept_for_no_time(services: Store) -> None:
    with pytest.raises(InvalidInput, match="more than 0 days"):
        plan_retention(services, Retention(keep_days=0))
