"""Reviewers in a queue: what they may see, what is stored, how they change their minds, and what a key press costs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import Engine, event

from faithview import Verdict
from faithview.domain.claim import Claim, Evidence
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.label import LabelKind, LabelRole
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from faithview.domain.spot_check import QueueItem
from faithview.domain.views import View
from faithview.services.container import Services
from faithview.services.judge_quality import agreement
from faithview.services.results.runs import get_summary
from faithview.services.review import disagreements, labels, queue
from faithview.services.review.labels import LabelProvenance
from faithview.services.review.spot_check_design import DrawOrder, Strata, draw
from tests.services.labelled import C, S, make_claim, make_row, store_rows

SECRET = "SECRET"
_MOST_STATEMENTS, _MOST_BUILDS = 30, 2


def _store(services: Services, *, blind: bool = True, people: int = 1, claims: int = 3) -> int:
    judged = Claim(
        text="It opens at 9.",
        verdict=Verdict.CONTRADICTED,
        spans=(Span(start=0, end=14),),
        confidence=0.123456,
        support_score=0.654321,
        explanation=f"{SECRET} explanation",
        correction=f"{SECRET} correction",
        supporting_chunk_ids=("open",),
        evidence=(Evidence(chunk_id="open", quote=f"{SECRET} quote", span=None),),
    )
    sample = Sample(
        answer="It opens at 9.",
        chunks=(Chunk(text="It opens at 10.", chunk_id="open"),),
        question="When?",
        extra={"verdict": f"{SECRET} extra"},
    )
    rows = [(sample, Result(state=State.JUDGED, judge="lexical", claims=(judged,)))] * claims
    store_rows(services, "r", rows)
    order = DrawOrder(name="check", run_ids=["r"], size=claims, seed=1, is_blind=blind, reviewers_per_item=people)
    return draw(services, order, created_by="ann")


def _submit(services: Services, check: int, position: int, verdict: str, *, by: str = "ann") -> queue.QueuedClaim:
    queue.label_and_advance(services, check, position, verdict, reviewer=by, seconds=2.0)
    return queue.get_claim(services, check, position, reviewer=by)


def test_a_blind_claim_holds_nothing_of_the_judge_until_it_is_labelled(services: Services) -> None:
    check = _store(services)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is None
    shown = repr(asdict(claim))
    for secret in (SECRET, "contradicted", "0.123456", "0.654321"):
        assert secret not in shown
    assert (claim.text, claim.spans, claim.run_name) == ("It opens at 9.", ((0, 14),), "r")
    revealed = _submit(services, check, claim.item.position, "supported")
    assert revealed.judged is not None
    assert revealed.judged.explanation == f"{SECRET} explanation"
    other = queue.get_claim(services, check, claim.item.position, reviewer="bob")
    assert other.judged is None


def test_a_stratum_named_after_the_verdict_is_not_shown(services: Services) -> None:
    _store(services)
    order = DrawOrder(name="by verdict", run_ids=["r"], size=2, seed=1, strata=Strata.VERDICT)
    claim = queue.next_claim(services, draw(services, order, created_by="ann"), reviewer="ann")
    assert claim is not None
    assert claim.judged is None
    assert C not in repr(claim.item.drawn)


def test_an_open_check_shows_the_judge_at_once_and_stores_that_it_did(services: Services) -> None:
    check = _store(services, blind=False)
    claim = queue.next_claim(services, check, reviewer="ann")
    assert claim is not None
    assert claim.judged is not None
    (label,) = _submit(services, check, claim.item.position, "supported").own
    assert (label.is_blind, label.judge_seen) == (False, True)


def test_a_label_of_a_queue_stores_how_it_was_given(services: Services) -> None:
    check = _store(services)
    (label,) = _submit(services, check, 1, "not_a_claim").own
    assert (label.kind, label.spot_check_id, label.inclusion_probability, label.seconds) == (
        LabelKind.NOT_A_CLAIM, check, 1.0, 2.0,
    )  # fmt: skip
    assert (label.is_blind, label.judge_seen) == (True, False)


def test_a_change_of_mind_after_the_reveal_is_a_second_label_that_is_not_blind(services: Services) -> None:
    check = _store(services)
    _submit(services, check, 1, "supported")
    _submit(services, check, 1, "supported")
    (label,) = _submit(services, check, 1, "contradicted").own
    assert (label.is_blind, label.judge_seen, label.verdict) == (False, True, C)
    row = queue.get_claim(services, check, 1, reviewer="ann").item.drawn.row
    assert [found.verdict for found in labels.claim_history(services, "r", row)] == [S, C]
    anchoring = agreement.measure_agreement(services, "r").anchoring
    assert (anchoring.flipped.value, anchoring.to_judge.value, anchoring.blind.value) == (1.0, 1.0, 0.0)


def test_undo_takes_the_newest_label_back_and_does_not_hide_the_judge_again(services: Services) -> None:
    check = _store(services)
    _submit(services, check, 1, "supported")
    _submit(services, check, 2, "supported")
    claim = queue.undo_last(services, check, reviewer="ann")
    assert (claim.item.position, claim.own, claim.judged is not None) == (2, (), True)
    again = queue.next_claim(services, check, reviewer="ann")
    assert again is not None
    assert again.item.position == 2
    (label,) = _submit(services, check, 2, "contradicted").own
    assert not label.is_blind
    assert queue.undo_last(services, check, reviewer="ann").item.position == 2
    assert queue.undo_last(services, check, reviewer="ann").item.position == 1
    with pytest.raises(NotFound):
        queue.undo_last(services, check, reviewer="ann")
    assert sum(len(labels.claim_history(services, "r", row)) for row in (1, 2, 3)) == 6
    assert queue.get_queue_progress(services, check).done == 0


def test_a_disagreement_waits_for_an_adjudicator_and_is_settled_by_one(services: Services) -> None:
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
        ("supported", LabelProvenance(reviewer="ann", inclusion_probability=0.0), "inclusion probability"),
    ],
)
def test_what_cannot_be_used_is_refused_and_nothing_is_stored(
    services: Services, verdict: str, given: LabelProvenance, words: str
) -> None:
    store_rows(services, "r", [make_row({"c": "x"}, make_claim("x", S))])
    with pytest.raises(InvalidInput, match=words):
        labels.label_claim(services, "r", 1, 1, verdict, given)
    for place in ((0, 0), (0, 99), (-1, 1)):
        with pytest.raises(InvalidInput, match="not within"):
            labels.label_missed_claim(
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
    services: Services, monkeypatch: pytest.MonkeyPatch, blind: bool
) -> None:
    check = _store(services, blind=blind)
    first = queue.next_claim(services, check, reviewer="ann")
    assert first is not None
    built: list[int] = []
    show = queue._show

    def build(services: Services, item: QueueItem, reviewer: str) -> queue.QueuedClaim:
        built.append(item.position)
        return show(services, item, reviewer)

    monkeypatch.setattr(queue, "_show", build)
    with _counted() as statements:
        step = queue.label_and_advance(services, check, 1, "supported", reviewer="ann", seconds=2.0)
        if blind:
            assert step is not None
            assert step.claim is not None
            assert (step.claim.item.position, step.claim.judged is not None) == (1, True)
            step = queue.advance(services, check, 1, reviewer="ann")
    assert step is not None
    assert step.claim is not None
    assert (step.claim.item.position, step.claim.judged is None) == (2, blind)
    assert (step.progress.done, dict(step.progress.by_reviewer)) == (1, {"ann": 1})
    assert len(built) <= _MOST_BUILDS
    assert len(statements) <= _MOST_STATEMENTS, "\n".join(statements)


def test_going_on_leads_through_what_was_seen_then_behind_then_from_the_start(services: Services) -> None:
    check = _store(services, blind=False, claims=4)

    def go_on(position: int, *, ahead: tuple[int, ...] = (), by: str = "ann") -> int | None:
        claim = queue.advance(services, check, position, reviewer=by, ahead=ahead).claim
        return None if claim is None else claim.item.position

    assert queue.next_claim(services, check, reviewer="bob") is not None  # bob holds 1
    assert go_on(1, ahead=(1, 3)) == 3
    assert go_on(3) == 4
    assert go_on(4) == 2  # 4 is given back, 1 is bob's
    assert go_on(1, by="bob") == 3
    back = queue.go_back(services, check, 2, reviewer="ann", behind=(3, 4))
    assert back is not None
    assert back.claim is not None
    assert back.claim.item.position == 4
    assert queue.go_back(services, check, 4, reviewer="ann", behind=(3,)) is None
    assert not queue.hold_claim(services, back.claim.item.item_id, reviewer="bob"), "Going nowhere gave the claim back."
