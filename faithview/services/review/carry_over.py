"""Labels carried over to later runs: a label stays valid for the same claim as long as its evidence is unchanged."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, LabelKind, label_still_holds, standing_labels
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.store import carry_over
from faithview.store.carry_over import Candidate, Carry, Side
from faithview.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """How many claims of a run have labels from earlier runs.

    `inherited` counts claims with a label that is still valid, so they need no new one. `stale` counts claims that have
    only labels whose chunks have changed: those labels do not count, and the claims need new ones.
    """

    inherited: int
    stale: int


def carry_labels(db: Database, run_id: str) -> Carried:
    """Copy the labels of earlier runs to a run's claims that have the same text and evidence.

    Valid labels count in this run and name their origin. Labels whose evidence has changed become stale: they do not
    count, and their claims come first in a spot-check. Retracted labels are not copied, and a reviewer's own label in
    this run takes precedence. Repeated calls change nothing.
    """
    _carry_to(db, run_id, None)
    return _count_uncached(db, run_id)


def propagate_adjudication(db: Database, run_id: str, row: int, claim_number: int) -> None:
    """Update the copies of a claim's labels in other runs after the claim was labelled or a label was retracted.

    A tie that is settled here is then settled there too, and reopened if the adjudication is retracted.
    """
    for other_run, sample_ids in carry_over.list_copies(db, run_id, row, claim_number).items():
        _carry_to(db, other_run, sample_ids)


def _carry_to(db: Database, run_id: str, sample_ids: Collection[int] | None) -> None:
    candidates = [
        candidate
        for candidate in carry_over.list_candidates(db, run_id, sample_ids=sample_ids)
        if _match_certainty(candidate.old, candidate.new) > 0
    ]
    retracted_origins = carry_over.list_retracted_origins(db, run_id) if candidates else set()
    carry_over.carry(db, run_id, _choose(candidates, retracted_origins), now=datetime.now(UTC), within=sample_ids)


def count_carried(store: Store, reference: str) -> Carried:
    """Return how many claims of a run have a carried-over label that counts, or only stale ones; raises NotFound."""
    return _count_uncached(store.db, get_run(store, reference).run_id)


def list_stale_labels(store: Store, reference: str) -> list[tuple[int, Label]]:
    """Return (row, label) of a run's stale labels; raises NotFound."""
    return carry_over.list_stale(store.db, get_run(store, reference).run_id)


def _match_certainty(old: Side, new: Side) -> int:
    """Return how surely two answers match: 2 by the row's own key, 1 by the question, 0 if not."""
    same_question = old.question is not None and old.question == new.question
    if old.key == new.key:
        # Rows without their own key are numbered, and numbers have no meaning in another file.
        is_place = old.key == str(old.position)
        if same_question or not is_place or (old.question is None and new.question is None):
            return 2
    return 1 if same_question else 0


def _choose(candidates: list[Candidate], retracted_origins: set[int]) -> list[Carry]:
    """Return one label per reviewer, role and claim: a valid one first, then the surest match, then the newest."""
    given: dict[tuple[int | None, int, int | None, int], list[Candidate]] = {}
    for candidate in candidates:
        place = (candidate.old_claim, candidate.old.sample_id, candidate.claim_id, candidate.new.sample_id)
        given.setdefault(place, []).append(candidate)
    best: dict[object, tuple[tuple[bool, int, int], Carry]] = {}
    for on_claim in given.values():
        by_id = {candidate.label.label_id: candidate for candidate in on_claim}
        for label in _counting([candidate.label for candidate in on_claim]):
            candidate = by_id[label.label_id]
            holds = _label_holds_for(candidate)
            if label.label_id in retracted_origins or (candidate.claim_id is None and not holds):
                continue
            # A missed claim is a separate claim, so it does not compete with other labels of its author.
            apart = (label.corrected_text, label.span) if candidate.claim_id is None else None
            who = (candidate.new.sample_id, candidate.claim_id, label.reviewer, label.role, apart)
            order = (holds, _match_certainty(candidate.old, candidate.new), label.label_id)
            if who not in best or order > best[who][0]:
                best[who] = (order, _carry(candidate, holds))
    return [item for _, item in best.values()]


def _counting(labels: list[Label]) -> list[Label]:
    if labels[0].kind is not LabelKind.MISSED_CLAIM and labels[0].claim_number is not None:
        return standing_labels(labels)
    retracted = {label.retracts for label in labels if label.kind is LabelKind.RETRACTION}
    return [label for label in labels if label.kind is LabelKind.MISSED_CLAIM and label.label_id not in retracted]


def _label_holds_for(candidate: Candidate) -> bool:
    verdict = candidate.label.verdict
    # Chunks cited for "not mentioned" are not evidence; a reviewer who saw support saw it somewhere in the context.
    is_cited = candidate.judged is not Verdict.NOT_MENTIONED or verdict is Verdict.NOT_MENTIONED
    return label_still_holds(
        verdict,
        cited=set(candidate.cited) if is_cited else set(),
        old_context=set(candidate.old_context),
        new_context=set(candidate.new_context),
    )


def _carry(candidate: Candidate, holds: bool) -> Carry:
    label = candidate.label
    carried = Label(
        label_id=0,
        kind=label.kind,
        reviewer=label.reviewer,
        at=label.at,
        claim_number=candidate.number,
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
    return Carry(sample_id=candidate.new.sample_id, claim_id=candidate.claim_id, label=carried)


def _count_uncached(db: Database, run_id: str) -> Carried:
    inherited, stale = carry_over.count_carried(db, run_id)
    return Carried(inherited=inherited, stale=stale)
