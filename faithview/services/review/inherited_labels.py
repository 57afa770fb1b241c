"""Where a claim's carried-over labels come from, and which chunks changed under those that became stale."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.claim import Verdict
from faithview.domain.label import Label, retracted_ids
from faithview.domain.pairing import ChunkFacts, match_chunks
from faithview.domain.sample import Chunk, Sample
from faithview.services.container import Store
from faithview.services.results import get_answer_at, get_run
from faithview.stats.text_matching import pair_chunk_texts
from faithview.store import carry_over


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
    origin_row: int
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
    return StaleLabel(label=label, row=row, origin_run=origin_run, origin_row=origin_row, changes=tuple(changes))


def list_changed_chunks(before: Sample, after: Sample, *, cited: set[str], is_absence: bool) -> list[ChangedChunk]:
    """Return which chunks changed between two contexts; `domain.pairing` defines edited chunks.

    Args:
        before: the answer with its earlier chunks.
        after: the answer with its new chunks.
        cited: ids of the earlier chunks that mattered; empty for all.
        is_absence: True if added chunks matter as well, because "not mentioned" has to be checked in every chunk.
    """
    texts_after = {chunk.chunk_hash for chunk in after.chunks}
    texts_before = {chunk.chunk_hash for chunk in before.chunks}
    old = [chunk for chunk in before.chunks if chunk.chunk_hash not in texts_after]
    new = [chunk for chunk in after.chunks if chunk.chunk_hash not in texts_before]
    texts = {chunk.chunk_hash: chunk.text for chunk in (*old, *new)}
    pairs = match_chunks(
        [_chunk_facts(chunk) for chunk in old],
        [_chunk_facts(chunk) for chunk in new],
        text_of=lambda chunks: [texts[chunk.chunk_hash] for chunk in chunks],
        pair_texts=pair_chunk_texts,
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
