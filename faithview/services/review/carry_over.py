"""Labels carried forward: what people said of a claim stays true in later runs while its evidence is the same."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, LabelKind, label_still_holds, standing_labels
from faithview.services.container import Services
from faithview.services.results.runs import get_run
from faithview.store.database import Database
from faithview.store.review import carry_over, earlier_labels
from faithview.store.review.carry_over import Carry
from faithview.store.review.earlier_labels import Candidate, Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a run has from earlier ones, in claims.

    `inherited` have a label that still holds, so that nobody has to label them again. `stale` have only labels whose
    chunks have changed since: they count no more and have to be checked again.
    """

    inherited: int
    stale: int


def carry_forward(services: Services, reference: str) -> Carried:
    """Give a run the labels of earlier runs on the same claims with the same evidence; again changes nothing.

    Labels that hold count in this run, marked with their origin. Those that rest on something that has changed are kept
    as stale, do not count, and bring their claims to the top of a spot-check. What was taken back where it was given is
    not carried, and what a person said in this run itself comes first.

    Raises:
        NotFound: there is no such run.
    """
    return carry_labels(services.db, get_run(services, reference).run_id)


def carry_labels(db: Database, run_id: str) -> Carried:
    """Do as `carry_forward` does, for callers that hold a store and an id."""
    _carry_to(db, run_id, None)
    return _count(db, run_id)


def carry_onward(db: Database, run_id: str, row: int, claim_number: int) -> None:
    """Carry again to the answers, in other runs, that have inherited what was said of a claim.

    So that a tie is not open there any more once it has been settled here, and open again when that is taken back.
    """
    for heir, sample_ids in earlier_labels.list_heirs(db, run_id, row, claim_number).items():
        _carry_to(db, heir, sample_ids)


def _carry_to(db: Database, run_id: str, sample_ids: Collection[int] | None) -> None:
    found = earlier_labels.list_candidates(db, run_id, sample_ids=sample_ids)
    candidates = [one for one in found if _is_same_place(one)]
    void = earlier_labels.list_void_origins(db, run_id) if candidates else set()
    carry_over.carry(db, run_id, _choose(candidates, void), now=datetime.now(UTC), within=sample_ids)


def count_carried(services: Services, reference: str) -> Carried:
    """Return how many labels a run was saved and how many of its claims must be checked again; raises NotFound."""
    return _count(services.db, get_run(services, reference).run_id)


def list_stale_labels(services: Services, reference: str) -> list[tuple[int, Label]]:
    """Return (row, label) of a run's labels that have become stale; raises NotFound."""
    return carry_over.list_stale(services.db, get_run(services, reference).run_id)


def _is_same_place(found: Candidate) -> bool:
    """Return whether both claims answer the same question: equal texts under different questions are other claims."""
    return _rank(found.old, found.new) > 0


def _rank(old: Side, new: Side) -> int:
    """Return how surely two answers are about the same: 2 by the row's own key, 1 by the question, 0 not."""
    same_question = old.question is not None and old.question == new.question
    if old.key == new.key:
        # Rows without a key of their own are named after their places, which mean nothing in another file.
        is_place = old.key == str(old.position)
        if same_question or not is_place or (old.question is None and new.question is None):
            return 2
    return 1 if same_question else 0


def _choose(candidates: list[Candidate], void: set[int]) -> list[Carry]:
    """Return one label a person, role and claim: one that holds, of the surest place, the newest."""
    given: dict[tuple[int | None, int, int | None, int], list[Candidate]] = {}
    for found in candidates:
        place = (found.old_claim, found.old.sample_id, found.claim_id, found.new.sample_id)
        given.setdefault(place, []).append(found)
    best: dict[object, tuple[tuple[bool, int, int], Carry]] = {}
    for on_claim in given.values():
        by_id = {found.label.label_id: found for found in on_claim}
        for label in _counting([found.label for found in on_claim]):
            found = by_id[label.label_id]
            holds = _holds(found)
            if label.label_id in void or (found.claim_id is None and not holds):
                continue
            # A missed claim is a claim of its own, so it competes with no other label of its author.
            apart = (label.corrected_text, label.span) if found.claim_id is None else None
            who = (found.new.sample_id, found.claim_id, label.reviewer, label.role, apart)
            order = (holds, _rank(found.old, found.new), label.label_id)
            if who not in best or order > best[who][0]:
                best[who] = (order, _carry(found, holds))
    return [item for _, item in best.values()]


def _counting(labels: list[Label]) -> list[Label]:
    if labels[0].kind is not LabelKind.MISSED_CLAIM and labels[0].claim_number is not None:
        return standing_labels(labels)
    retracted = {label.retracts for label in labels if label.kind is LabelKind.RETRACTION}
    return [label for label in labels if label.kind is LabelKind.MISSED_CLAIM and label.label_id not in retracted]


def _holds(found: Candidate) -> bool:
    verdict = found.label.verdict
    # What a judge cites for "not mentioned" bears nothing; whoever saw support there saw it somewhere in the context.
    is_borne = found.judged is not Verdict.NOT_MENTIONED or verdict is Verdict.NOT_MENTIONED
    return label_still_holds(
        verdict,
        cited=set(found.cited) if is_borne else set(),
        old_context=set(found.old_context),
        new_context=set(found.new_context),
    )


def _carry(found: Candidate, holds: bool) -> Carry:
    label = found.label
    carried = Label(
        label_id=0,
        kind=label.kind,
        reviewer=label.reviewer,
        at=label.at,
        claim_number=found.number,
        verdict=label.verdict,
        role=label.role,
        note=label.note,
        corrected_text=label.corrected_text,
        span=label.span,
        is_blind=label.is_blind,
        judge_seen=label.judge_seen,
        origin=label.label_id,
        is_stale=not holds,
    )
    return Carry(sample_id=found.new.sample_id, claim_id=found.claim_id, label=carried)


def _count(db: Database, run_id: str) -> Carried:
    inherited, stale = carry_over.count_carried(db, run_id)
    return Carried(inherited=inherited, stale=stale)
