"""Labels carried over to later runs: a label stays valid for the same claim as long as its evidence is unchanged.

Also where a claim's carried-over labels come from, and which chunks changed under those that became stale.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, LabelKind, label_still_holds, retracted_ids, standing_labels
from faithview.domain.pairing import ChunkFacts
from faithview.domain.sample import Chunk, Sample
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedChunk:
    """A chunk that changed under a label: its text in the earlier run, and in the new one.

    `old` is None for a chunk that was added, `new` for one that was removed.
    """

    chunk_id: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleLabel:
    """A label that is no longer valid, with its origin and the chunks that changed since."""

    label: Label
    row: int
    origin_run: str
    changes: tuple[ChangedChunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InheritedLabel:
    """A label that was given in an earlier run.

    `label` is None while the claim is reviewed blind, so this object does not reveal the verdict. `origin_run`,
    `origin_key` and `origin_claim` say where the label was given, None if that was deleted. `changes` are the chunks
    that changed under a stale label.
    """

    reviewer: str
    at: datetime
    is_stale: bool
    label: Label | None
    origin_run: str | None = None
    origin_name: str | None = None
    origin_key: str | None = None
    origin_claim: int | None = None
    changes: tuple[ChangedChunk, ...] = ()


def list_inherited(
    store: Store, run_id: str, row: int, labels: Sequence[Label], *, is_blind: bool = False
) -> tuple[InheritedLabel, ...]:
    """Return a claim's carried-over labels that were not retracted, oldest first."""
    retracted = retracted_ids(labels)
    carried = [label for label in labels if label.origin is not None and label.label_id not in retracted]
    return tuple(_explain(store, run_id, row, label, is_blind=is_blind) for label in carried)


def explain_stale_label(
    store: Store, run_id: str, row: int, label: Label, *, is_blind: bool = False
) -> StaleLabel | None:
    """Return the chunks that changed under a stale label, for a word diff; None if its origin was deleted.

    The changes cover the chunks that the claim cited. In a blind review they cover all chunks, because a selection
    would reveal the judge's citations or the reviewer's verdict.

    Raises:
        NotFound: there is no such row.
    """
    origin = None if label.origin is None else carry_over.find_origin(store.db, label.origin)
    if origin is None:
        return None
    origin_run, origin_row, given = origin
    before = get_answer_at(store, origin_run, origin_row)
    cited: set[str] = set()
    if given.claim_number is not None and not is_blind:
        claim = before.result.claims[given.claim_number - 1]
        cited = {*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.evidence)}
    after = get_answer_at(store, run_id, row).sample
    is_absence = is_blind or label.verdict is Verdict.NOT_MENTIONED
    changes = list_changed_chunks(before.sample, after, cited=cited, is_absence=is_absence)
    return StaleLabel(label=label, row=row, origin_run=origin_run, changes=tuple(changes))


def list_changed_chunks(before: Sample, after: Sample, *, cited: set[str], is_absence: bool) -> list[ChangedChunk]:
    """Return which chunks changed between two contexts; `stats.pairing` defines edited chunks.

    Args:
        before: the answer with its earlier chunks.
        after: the answer with its new chunks.
        cited: ids of the earlier chunks that mattered; empty for all.
        is_absence: True if added chunks matter as well, because "not mentioned" has to be checked in every chunk.
    """
    # Imported here, so that judging a run does not wait for numpy.
    from faithview.stats.pairing import match_chunks

    texts_after = {chunk.chunk_hash for chunk in after.chunks}
    texts_before = {chunk.chunk_hash for chunk in before.chunks}
    old = [chunk for chunk in before.chunks if chunk.chunk_hash not in texts_after]
    new = [chunk for chunk in after.chunks if chunk.chunk_hash not in texts_before]
    pairs = match_chunks(
        [_chunk_facts(chunk) for chunk in old],
        [_chunk_facts(chunk) for chunk in new],
        texts=([chunk.text for chunk in old], [chunk.text for chunk in new]),
    )
    changes: list[ChangedChunk] = []
    for pair in pairs:
        was = None if pair.baseline is None else old[pair.baseline]
        now = None if pair.candidate is None else new[pair.candidate]
        if was is not None and (not cited or is_absence or was.chunk_id in cited):
            changes.append(ChangedChunk(chunk_id=was.chunk_id, old=was.text, new=now.text if now else None))
        elif was is None and now is not None and is_absence:
            changes.append(ChangedChunk(chunk_id=now.chunk_id, old=None, new=now.text))
    return changes


def _chunk_facts(chunk: Chunk) -> ChunkFacts:
    return ChunkFacts(chunk_id=chunk.chunk_id, chunk_hash=chunk.chunk_hash, rank=chunk.rank)


def _explain(store: Store, run_id: str, row: int, label: Label, *, is_blind: bool) -> InheritedLabel:
    visible = None if is_blind else label
    origin = None if label.origin is None else carry_over.find_origin(store.db, label.origin)
    if origin is None:
        return InheritedLabel(reviewer=label.reviewer, at=label.at, is_stale=label.is_stale, label=visible)
    origin_run, origin_row, given = origin
    stale = explain_stale_label(store, run_id, row, label, is_blind=is_blind) if label.is_stale else None
    return InheritedLabel(
        reviewer=label.reviewer,
        at=label.at,
        is_stale=label.is_stale,
        label=visible,
        origin_run=origin_run,
        origin_name=get_run(store, origin_run).name,
        origin_key=get_answer_at(store, origin_run, origin_row).sample.key,
        origin_claim=given.claim_number,
        changes=stale.changes if stale else (),
    )
