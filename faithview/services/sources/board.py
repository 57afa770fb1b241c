"""Where unsupported claims come from: the worst chunks and documents of a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, Term
from faithview.domain.views import View
from faithview.services.comparison.compare import Comparison
from faithview.services.container import Services
from faithview.services.results.runs import get_run, get_summary
from faithview.store.comparison import compared_answers
from faithview.store.sources import chunk_uses
from faithview.store.sources.chunk_uses import ChunkUse


class Fault(StrEnum):
    """What speaks against a chunk.

    `contradicted`: claims cite it that it contradicts. `not_supporting`: claims cite it that it does not support, or
    only in part. `unused`: it is retrieved and no claim cites it. `newly_broken`: claims that rested on it broke.
    """

    CONTRADICTED = "contradicted"
    NOT_SUPPORTING = "not_supporting"
    UNUSED = "unused"
    NEWLY_BROKEN = "newly_broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFault:
    """One chunk, or one document, on the board.

    `count` is what the board is sorted by: claims, or answers for `unused`. `share` is the count among all claims that
    cite it, None for `unused` and `newly_broken`. `retrieved` counts answers and `cited` claims, of all chunks of a
    document together. `row` is an answer to look at. `text` and `text_id` are None for a document; `parts` are the ids
    of its chunks, with where their texts are.
    """

    name: str
    document: str | None
    count: int
    share: float | None
    retrieved: int
    cited: int
    chunks: int
    row: int
    text_id: int | None
    text: str | None = None
    parts: tuple[tuple[str, int], ...] = ()


class _Lost(NamedTuple):
    chunk_id: str
    claims: int
    row: int


Board: TypeAlias = Mapping[Fault, tuple[ChunkFault, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBoard:
    """A board with what it rests on.

    `totals` counts all chunks, or documents, of each fault, of which `faults` holds the worst. `retrieved` counts the
    different ones in the contexts of the run's answers, `cited` those that a claim cites, and `undocumented` the chunks
    whose metadata name no document. Of the run's `claims`, `citing` cite a chunk: the others can be laid at no chunk's
    door.
    """

    faults: Board
    totals: Mapping[Fault, int]
    retrieved: int
    cited: int
    undocumented: int
    claims: int
    citing: int


def load_board(
    services: Services,
    run_id: str,
    *,
    view: View = View.JUDGE,
    since: Comparison | None = None,
    by_document: bool = False,
    limit: int = 20,
) -> SourceBoard:
    """Return the worst chunks, or documents, of a run by each fault, the worst first, and what that rests on.

    Args:
        services: FaithView.
        run_id: the run.
        view: whose verdicts count.
        since: the comparison of a run before the last event with this one, for what broke since; without it nothing is
            there.
        by_document: sum the chunks of each document; a chunk that names none is one of its own.
        limit: how many of each fault.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(services, run_id)
    uses = chunk_uses.list_chunk_uses(services.db, run.run_id, view=view)
    broken = {} if since is None else _broken(services, since)
    groups = _group(uses, broken, by_document=by_document)
    found: dict[Fault, list[ChunkFault]] = {fault: [] for fault in Fault}
    for name, members in groups.items():
        for fault, count, share in _counts(members, broken):
            if count:
                shown = name if by_document else members[0].chunk_id
                found[fault].append(_fault(shown, members, count, share, by_document=by_document))
    ranked = {
        fault: sorted(items, key=lambda item: (-item.count, -(item.share or 0), item.name))[:limit]
        for fault, items in found.items()
    }
    texts = chunk_uses.load_texts(
        services.db, [item.text_id for items in ranked.values() for item in items if item.text_id is not None]
    )
    in_context = [members for members in groups.values() if any(use.retrieved for use in members)]
    return SourceBoard(
        faults={
            fault: tuple(item if item.text_id is None else replace(item, text=texts[item.text_id]) for item in items)
            for fault, items in ranked.items()
        },
        totals={fault: len(items) for fault, items in found.items()},
        retrieved=len(in_context),
        cited=sum(any(use.cited for use in members) for members in in_context),
        undocumented=sum(use.document is None for use in uses),
        claims=sum(get_summary(services, run.run_id).claims.values()),
        citing=chunk_uses.count_citing_claims(services.db, run.run_id),
    )


def worst_chunks(
    services: Services,
    run_id: str,
    *,
    view: View = View.JUDGE,
    since: Comparison | None = None,
    by_document: bool = False,
    limit: int = 20,
) -> Board:
    """Return the board of `load_board` alone; raises NotFound."""
    return load_board(services, run_id, view=view, since=since, by_document=by_document, limit=limit).faults


def broken_terms(change: Change) -> Iterator[Term]:
    """Yield the claims of an answer that lost their support, each as its term of the difference."""
    for term in change.terms:
        # One that was unsupported before weighs more in a shorter answer; that broke nothing.
        if term.value < 0 and term.flipped and term.baseline is not None and term.candidate is not None:
            yield term


def _group(uses: Sequence[ChunkUse], broken: Mapping[int, _Lost], *, by_document: bool) -> Mapping[str, list[ChunkUse]]:
    retrieved = {use.text_id for use in uses}
    # Gone from the context of every answer, which is how most evidence breaks.
    gone = [
        ChunkUse(text_id=text_id, chunk_id=lost.chunk_id, document=None, retrieved=0, first_row=lost.row)
        for text_id, lost in broken.items()
        if text_id not in retrieved
    ]
    groups: dict[str, list[ChunkUse]] = defaultdict(list)
    for use in (*uses, *gone):
        groups[(use.document or use.chunk_id) if by_document else str(use.text_id)].append(use)
    return groups


def _counts(members: Sequence[ChunkUse], broken: Mapping[int, _Lost]) -> Iterable[tuple[Fault, int, float | None]]:
    cited = sum(sum(use.cited.values()) for use in members)
    contradicted = sum(use.cited.get(Verdict.CONTRADICTED, 0) for use in members)
    weak = sum(use.cited.get(v, 0) for use in members for v in (Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED))
    yield Fault.CONTRADICTED, contradicted, contradicted / cited if cited else None
    yield Fault.NOT_SUPPORTING, weak, weak / cited if cited else None
    yield Fault.UNUSED, 0 if cited else sum(use.retrieved for use in members), None
    yield Fault.NEWLY_BROKEN, sum(broken[use.text_id].claims for use in members if use.text_id in broken), None


def _fault(name: str, members: Sequence[ChunkUse], count: int, share: float | None, *, by_document: bool) -> ChunkFault:
    return ChunkFault(
        name=name,
        document=members[0].document,
        count=count,
        share=share,
        retrieved=sum(use.retrieved for use in members),
        cited=sum(sum(use.cited.values()) for use in members),
        chunks=len(members),
        row=min(use.first_row for use in members),
        text_id=None if by_document else members[0].text_id,
        parts=tuple(sorted((use.chunk_id, use.text_id) for use in members)),
    )


def _broken(services: Services, since: Comparison) -> dict[int, _Lost]:
    """Return the chunks that bore claims of the baseline which broke, by where their texts are."""
    numbers = {
        change.baseline_row: [term.baseline for term in broken_terms(change) if term.baseline is not None]
        for change in since.changes
    }
    rows = {change.baseline_row: change.candidate_row for change in since.changes}
    samples = compared_answers.find_samples(
        services.db, since.baseline.run_id, [row for row, found in numbers.items() if found]
    )
    claims = compared_answers.load_claims(services.db, sorted(samples.values()), since.view)
    contexts = compared_answers.load_contexts(services.db, sorted(samples.values()))
    lost: dict[int, _Lost] = {}
    for row, sample_id in samples.items():
        for number in numbers[row]:
            for position in claims[sample_id][number - 1].cited:
                chunk = contexts[sample_id][position]
                known = lost.get(chunk.text_id)
                lost[chunk.text_id] = _Lost(
                    chunk_id=chunk.facts.chunk_id,
                    claims=1 + (known.claims if known else 0),
                    row=known.row if known else rows[row],
                )
    return lost
