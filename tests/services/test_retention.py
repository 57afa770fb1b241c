"""Old texts are deleted for good: whole runs or only their texts, logged answers too; on both engines."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from faithview.domain.answer import View
from faithview.domain.audit import Action
from faithview.domain.errors import InvalidInput, RunConflict
from faithview.domain.live import Fate, LoggedAnswer
from faithview.domain.retention import DELETED_TEXT, Retention, parse_days, parse_retention
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.sample import Chunk, Sample
from faithview.services import schema
from faithview.services.comparison.baselines import find_previous
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store, build
from faithview.services.datasets import place_older_runs
from faithview.services.results import get_run, get_summary, iterate_answers, list_runs
from faithview.services.retention import apply_retention, plan_retention
from faithview.services.review.carry_over import carry_labels
from faithview.services.runs.create import judge_again
from faithview.settings import Settings
from faithview.store import audit, labels, live, retention, runs
from faithview.store.schema.live import LoggedAnswerRow
from faithview.store.schema.runs import ResultRow, RunRow
from tests.factories import LEXICAL, add_judged_run, add_run, draw_check, open_services, say

_WORD = "zyzzyva"
_OLD = datetime.now(UTC) - timedelta(days=100)
_RULE = Retention(keep_days=90)
_SCORES = Retention(keep_days=90, keep_scores=True)


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
    (entry,) = (e for e in audit.list_entries(services.db) if e.action is Action.RUN_DELETED)
    assert (entry.run_name, entry.detail) == ("old", "retention")


def test_a_plan_that_somebody_else_carried_out_meanwhile_deletes_nothing_twice(services: Store) -> None:
    _store(services, _WORD, name="old")
    plan = plan_retention(services, _RULE)
    assert len(apply_retention(services, plan).runs) == 1
    assert apply_retention(services, plan).runs == ()


def test_scores_labels_and_intervals_stay_where_only_texts_go(services: Store) -> None:
    old = _store(services, _WORD, name="old")
    before = {view: get_summary(services, old.run_id, view=view) for view in View}
    texts = list(iterate_answers(services, old.run_id))
    apply_retention(services, plan_retention(services, _SCORES))
    after = {view: get_summary(services, old.run_id, view=view) for view in View}
    for view in View:
        for figure in ("score", "states", "claims", "weighted", "faithful_rows", "hallucination_rate", "segments"):
            assert getattr(after[view], figure) == getattr(before[view], figure), (view, figure)
    with services.db.bookkeep() as connection:  # worked out anew, and not only kept
        connection.execute(update(RunRow).values(summary=None))
    assert get_summary(services, old.run_id).score == before[View.JUDGE].score
    emptied = list(iterate_answers(services, old.run_id))
    assert [len(one.result.claims) for one in emptied] == [len(one.result.claims) for one in texts]
    assert {one.sample.answer for one in emptied} == {DELETED_TEXT}
    assert not [one for one in emptied if one.sample.chunks or one.sample.extra or one.sample.reference]
    assert get_run(services, old.run_id).texts_deleted_at is not None
    (label,) = (given for _, given in labels.list_labels(services.db, old.run_id))
    assert (label.verdict, label.note) == ("supported", None)
    (entry,) = (e for e in audit.list_entries(services.db) if e.action is Action.RUN_EMPTIED)
    assert (entry.run_name, entry.items) == ("old", 12)
    assert plan_retention(services, _SCORES).is_empty
    assert len(plan_retention(services, _RULE).runs) == 1


def test_answers_to_one_question_stay_together_under_another_name(services: Store) -> None:
    old = _store(services, _WORD, name="old")

    def clusters() -> list[str]:
        with services.db.read() as connection:
            query = select(ResultRow.cluster).where(ResultRow.run_id == old.run_id).order_by(ResultRow.position)
            return list(connection.execute(query).scalars())

    before = clusters()
    apply_retention(services, plan_retention(services, _SCORES))
    after = clusters()
    assert [before.index(one) for one in before] == [after.index(one) for one in after]
    assert not set(before) & set(after)
    assert all(one.startswith("deleted-") for one in after)


def test_a_run_without_texts_is_neither_judged_labelled_nor_compared(services: Store) -> None:
    old, new = _store(services, _WORD, name="old"), _store(services, _WORD, name="new", at=None)
    apply_retention(services, plan_retention(services, _SCORES))
    emptied = get_run(services, old.run_id)
    with pytest.raises(RunConflict, match=r"texts of run .* were deleted"):
        judge_again(services, emptied, JudgeSpec(name="lexical"))
    with pytest.raises(RunConflict, match=r"texts of run .* were deleted"):
        draw_check(services, old.run_id, size=4, name="June", by="Ada")
    with pytest.raises(InvalidInput, match="texts of this run were deleted"):
        say(services, old.run_id, 1, 1, "contradicted", by="Ada")
    with pytest.raises(RunConflict, match=r"texts of run .* were deleted"):
        runs.take_run(services.db, old.run_id, worker="a:1:b", now=datetime.now(UTC))
    with pytest.raises(InvalidInput, match="cannot be compared"):
        compare_runs(services, old.run_id, new.run_id)
    assert find_previous(services, new) is None
    place_older_runs(services)
    assert get_run(services, old.run_id).dataset is None


def test_labels_that_were_carried_over_stay_on_both_sides(services: Store) -> None:
    old, new = _store(services, _WORD, name="old"), _store(services, _WORD, name="new", at=None)
    later = _store(services, _WORD, name="later", at=None)

    def standing(run: Run) -> list[tuple[int, str | None, bool]]:
        listed = labels.list_labels(services.db, run.run_id)
        return [(row, label.verdict, label.retracts is not None) for row, label in listed]

    before = {run.name: standing(run) for run in (old, new, later)}
    apply_retention(services, plan_retention(services, _SCORES))
    for run in (old, new, later):
        carry_labels(services.db, run.run_id)
    assert {run.name: standing(run) for run in (old, new, later)} == before
    assert any(before["new"])


def test_a_store_with_emptied_runs_is_whole(store_url: str) -> None:
    settings = Settings(database_url=store_url)
    with build(settings) as services:
        _store(services, _WORD, name="old")
        _store(services, "aardvark", name="new", at=None)
        apply_retention(services, plan_retention(services, _SCORES))
    assert schema.check_whole(settings)[1] == []


@pytest.mark.parametrize("rule", [_RULE, _SCORES])
def test_no_word_of_the_texts_stays_in_the_files(store_file: Path, rule: Retention) -> None:
    with open_services(store_file) as services:
        old = _store(services, _WORD, name="old")
        _store(services, "aardvark", name="new", at=None)
        compare_runs(services, old.run_id, "new")
        _log(services, at=_OLD)
        apply_retention(services, plan_retention(services, rule))
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


@pytest.mark.parametrize("rule", [_RULE, _SCORES])
def test_a_run_that_is_judged_or_checked_again_since_the_plan_was_made_is_left_alone(
    services: Store, rule: Retention
) -> None:
    judged, checked = (_store(services, _WORD, name=name) for name in ("judged", "checked"))
    plan = plan_retention(services, rule)
    assert len(plan.runs) == 2
    runs.take_run(services.db, judged.run_id, worker="a:1:b", now=datetime.now(UTC))
    draw_check(services, checked.run_id, size=4, name="January", by="Ada")
    assert apply_retention(services, plan).runs == ()
    assert not retention.delete_run_texts(services.db, judged.run_id, now=datetime.now(UTC))
    assert {run.name for run in list_runs(services)} == {"judged", "checked"}
    assert all(run.texts_deleted_at is None for run in list_runs(services))


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
    assert parse_retention(f"{text.strip().replace(' ', '')} keep-scores").keep_scores


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "90d keep", "1e9d", "90 d keep-scores x", "90d,"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        parse_retention(text)


def test_nothing_is_kept_for_no_time(services: Store) -> None:
    with pytest.raises(InvalidInput, match="more than 0 days"):
        plan_retention(services, Retention(keep_days=0))
