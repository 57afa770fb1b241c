"""Reviewers in a queue: what they may see, what is stored, how they change their minds, and what a key press costs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import Engine, event

from faithview import Verdict
from faithview.domain.answer import View
from faithview.domain.claim import ClaimRef, Evidence
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import LabelKind, LabelRole
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.domain.spot_check import QueueItem
from faithview.services.container import Store
from faithview.services.judge_quality import scorecards
from faithview.services.results import get_summary
from faithview.services.review import disagreements, labels, queue
from faithview.services.review.corrected_score import correct_run
from faithview.services.review.key_presses import UNDO, do_marked
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import C, S, draw_check, label_missed_claim, make_claim, make_result, make_row, store_rows

SECRET = "SECRET"
_MOST_STATEMENTS, _MOST_BUILDS = 48, 2  # one of them is the row of the audit log


def _store(services: Store, *, blind: bool = True, people: int = 1, claims: int = 3) -> int:
    judged = make_claim(
        "It opens at 9.",
        Verdict.CONTRADICTED,
        "open",
        spans=(Span(start=0, end=14),),
        confidence=0.123456,
        support=0.654321,
        explanation=f"{SECRET} explanation",
        correction=f"{SECRET} correction",
        evidence=(Evidence(chunk_id="open", quote=f"{SECRET} quote", span=None),),
    )
    samples = [
        Sample(
            answer="It opens at 9.",
            chunks=(Chunk(text="It opens at 10.", chunk_id="open"),),
            question=f"When, {number}?",
            extra={"verdict": f"{SECRET} extra"},
        )
        for number in range(claims)
    ]
    store_rows(services, "r", [(sample, make_result(judged)) for sample in samples])
    return draw_check(services, "r", size=claims, name="check", is_blind=blind, reviewers_per_item=people)


def _submit(services: Store, check: int, position: int, verdict: str, *, by: str = "ann") -> queue.QueuedClaim:
    queue.label_and_advance(services, check, position, verdict, reviewer=by, seconds=2.0)
    return queue.get_claim(services, check, position, reviewer=by)


def test_a_blind_claim_holds_nothing_of_the_judge_until_it_is_labelled(services: Store) -> None:
    check = _store(services)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is None
    shown = repr(asdict(claim))
    for secret in (SECRET, "contradicted", "0.123456", "0.654321"):
        assert secret not in shown
    assert (claim.text, claim.spans, claim.run_name) == ("It opens at 9.", ((0, 14),), "r")
    labelled = _submit(services, check, claim.item.position, "supported")
    assert labelled.judged is not None
    assert labelled.judged.explanation == f"{SECRET} explanation"
    other = queue.get_claim(services, check, claim.item.position, reviewer="bob")
    assert other.judged is None


def test_an_open_check_shows_the_judge_at_once_and_stores_that_it_did(services: Store) -> None:
    check = _store(services, blind=False)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is not None
    (label,) = _submit(services, check, claim.item.position, "supported").own
    assert not label.is_blind


def test_a_label_of_a_queue_stores_how_it_was_given(services: Store) -> None:
    check = _store(services)
    (label,) = _submit(services, check, 1, "not_a_claim").own
    assert (label.kind, label.spot_check_id, label.inclusion_probability, label.seconds) == (
        LabelKind.NOT_A_CLAIM, check, 1.0, 2.0,
    )  # fmt: skip
    assert label.is_blind


def _agreement(services: Store) -> tuple[object, ...]:
    """All figures that blind labels alone may move."""
    measured = scorecards.measure_agreement(services, "r")
    correction = correct_run(services, "r")
    reviewed = get_summary(services, "r", view=View.REVIEWED).score
    cards = [(card.figures, card.wrong) for card in scorecards.list_judge_cards(services)]
    return measured.judge, measured.pairs, correction, reviewed, cards


def test_a_change_of_mind_is_kept_beside_the_blind_label_and_counts_nowhere(
    services: Store,
) -> None:
    check = _store(services, people=2)
    for position, verdict in enumerate(("supported", "contradicted", "contradicted"), start=1):
        for by in ("ann", "bob"):
            _submit(services, check, position, verdict, by=by)
    before = _agreement(services)
    changed = _submit(services, check, 1, "contradicted")
    (label,) = changed.own
    assert (label.is_blind, label.verdict) == (True, S)
    second = changed.second_thought
    assert second is not None
    assert (second.is_blind, second.verdict) == (False, C)
    assert _agreement(services) == before
    row = changed.item.place.row
    own = [found for found in labels.claim_history(services, "r", row) if found.reviewer == "ann"]
    assert [found.verdict for found in own] == [S, C]
    told = disagreements.get_labelled_claim(services, ClaimRef(run_id="r", row=row, claim_number=1))
    assert told.second_thoughts == (second,)


def test_a_label_goes_on_to_the_next_claim_without_the_judge_and_a_repeated_one_stores_nothing(
    services: Store,
) -> None:
    check = _store(services)
    step = queue.label_and_advance(services, check, 1, "supported", reviewer="ann")
    assert step is not None
    assert step.claim is not None
    assert (step.claim.item.position, step.claim.judged) == (2, None)
    assert queue.label_and_advance(services, check, 1, "supported", reviewer="ann") is None
    assert (
        len(labels.claim_history(services, "r", queue.get_claim(services, check, 1, reviewer="ann").item.place.row))
        == 1
    )


def test_a_claim_that_has_changed_is_not_labelled(services: Store) -> None:
    check = _store(services)
    other = queue.get_claim(services, check, 2, reviewer="ann").mark
    with pytest.raises(InvalidInput, match="has changed since"):
        queue.label_and_advance(services, check, 1, "supported", reviewer="ann", mark=other)


def test_the_results_have_the_judges_verdict_and_a_second_thought(services: Store) -> None:
    check = _store(services)
    for position, verdict in enumerate(("supported", "contradicted"), start=1):
        _submit(services, check, position, verdict)
    _submit(services, check, 1, "not_mentioned")
    one, two = queue.list_results(services, check, reviewer="ann")
    assert (one.label.verdict, one.judged, one.agrees) == (S, C, False)
    assert one.second_thought is not None
    assert (two.label.verdict, two.judged, two.agrees, two.second_thought) == (C, C, True, None)
    assert queue.list_results(services, check, reviewer="bob") == []
    with pytest.raises(NotFound):
        queue.list_results(services, 99, reviewer="ann")


def test_undo_shows_the_claim_again_still_blind(services: Store) -> None:
    check = _store(services)
    _submit(services, check, 1, "supported")
    _submit(services, check, 2, "supported")
    claim = queue.undo_last(services, check, reviewer="ann")
    assert (claim.item.position, claim.own, claim.judged) == (2, (), None)
    again = queue.next_claim(services, check, reviewer="ann")
    assert again is not None
    assert again.item.position == 2
    (label,) = _submit(services, check, 2, "contradicted").own
    assert label.is_blind
    assert queue.undo_last(services, check, reviewer="ann").item.position == 2
    assert queue.undo_last(services, check, reviewer="ann").item.position == 1
    with pytest.raises(NotFound):
        queue.undo_last(services, check, reviewer="ann")
    assert sum(len(labels.claim_history(services, "r", row)) for row in (1, 2, 3)) == 6
    assert spot_checks.get_queue_progress(services.db, check).done == 0


def test_on_inspect_a_blind_label_stays_too_and_a_change_can_be_taken_back(services: Store) -> None:
    check = _store(services)
    place = _submit(services, check, 1, "supported").item.place
    mark = queue.get_claim(services, check, 1, reviewer="ann").mark
    do_marked(services, mark, "contradicted", LabelProvenance(reviewer="ann"))
    claim = disagreements.get_labelled_claim(services, place)
    assert claim.effective.verdict is S
    do_marked(services, mark, UNDO, LabelProvenance(reviewer="ann"))
    assert disagreements.get_labelled_claim(services, place).second_thoughts == ()
    with pytest.raises(InvalidInput, match="blind"):
        do_marked(services, mark, UNDO, LabelProvenance(reviewer="ann"))


def test_a_disagreement_waits_for_an_adjudicator_and_is_settled_by_one(services: Store) -> None:
    check = _store(services, people=2, claims=1)
    _submit(services, check, 1, "supported")
    _submit(services, check, 1, "not_mentioned", by="bob")
    (place,) = disagreements.list_disagreements(services, "r")
    assert get_summary(services, "r", view=View.REVIEWED).score.mean == 0.0  # the judge's verdict stands
    disagreements.adjudicate(services, place.run_id, place.row, place.claim_number, "supported", reviewer="eve")
    assert disagreements.list_disagreements(services, "r") == []
    assert get_summary(services, "r", view=View.REVIEWED).score.mean == 1.0
    told = disagreements.get_labelled_claim(services, place)
    assert [label.role for label in told.history] == [LabelRole.REVIEWER] * 2 + [LabelRole.ADJUDICATOR]


@pytest.mark.parametrize(
    ("verdict", "given", "words"),
    [
        ("so-so", LabelProvenance(reviewer="ann"), "no verdict 'so-so'"),
        ("supported", LabelProvenance(reviewer="  "), "1 to 100"),
        ("supported", LabelProvenance(reviewer="x" * 101), "1 to 100"),
        ("supported", LabelProvenance(reviewer="a\x00b"), "cannot be stored"),
        ("supported", LabelProvenance(reviewer="ann", note="\ud800"), "cannot be stored"),
    ],
)
@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)  # the rule is the same on every engine
def test_what_cannot_be_used_is_refused_and_nothing_is_stored(
    services: Store, verdict: str, given: LabelProvenance, words: str
) -> None:
    store_rows(services, "r", [make_row({"c": "x"}, make_claim("x", S))])
    with pytest.raises(InvalidInput, match=words):
        labels.label_claim(services, "r", 1, 1, verdict, given)
    for place in ((0, 0), (0, 99), (-1, 1)):
        with pytest.raises(InvalidInput, match="not within"):
            label_missed_claim(
                services,
                "r",
                1,
                start=place[0],
                end=place[1],
                verdict="supported",
                provenance=LabelProvenance(reviewer="ann"),
            )
    assert labels.claim_history(services, "r", 1) == []


@contextmanager
def _counted() -> Iterator[list[str]]:
    """Collect the SQL statements of the block; the start of a transaction on SQLite is none."""
    statements: list[str] = []

    def collect(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("BEGIN"):
            statements.append(statement)

    event.listen(Engine, "before_cursor_execute", collect)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", collect)


@pytest.mark.parametrize("blind", [True, False])
def test_a_label_and_the_next_claim_take_few_statements_and_two_views(
    services: Store, monkeypatch: pytest.MonkeyPatch, blind: bool
) -> None:
    check = _store(services, blind=blind)
    first = queue.next_claim(services, check, reviewer="ann")
    assert first is not None
    built: list[int] = []
    show = queue._show

    def build(services: Store, item: QueueItem, reviewer: str) -> queue.QueuedClaim:
        built.append(item.position)
        return show(services, item, reviewer)

    monkeypatch.setattr(queue, "_show", build)
    with _counted() as statements:
        step = queue.label_and_advance(services, check, 1, "supported", reviewer="ann", seconds=2.0)
    assert step is not None
    assert step.claim is not None
    assert (step.claim.item.position, step.claim.judged is None) == (2, blind)
    assert (step.progress.done, dict(step.progress.by_reviewer)) == (1, {"ann": 1})
    assert len(built) <= _MOST_BUILDS
    assert len(statements) <= _MOST_STATEMENTS, "\n".join(statements)


def test_going_on_leads_through_what_was_seen_then_behind_then_from_the_start(services: Store) -> None:
    check = _store(services, blind=False, claims=4)

    def go_on(position: int, *, ahead: tuple[int, ...] = ()) -> int | None:
        claim = queue.advance(services, check, position, reviewer="ann", ahead=ahead).claim
        return None if claim is None else claim.item.position

    assert go_on(1, ahead=(3, 4)) == 3
    assert go_on(3) == 4
    assert go_on(4) == 1
