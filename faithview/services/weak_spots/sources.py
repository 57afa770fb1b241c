"""The board of a run's chunks and documents: the worst ones by each fault, with their claims and answers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, TypeAlias

from faithview.domain.answer import View
from faithview.domain.certainty import UNSTATED, Certainty
from faithview.domain.claim import Verdict
from faithview.domain.comparison import Change, Term
from faithview.domain.pairing import is_own_id
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.store import compared_answers, sources
from faithview.store.compared_answers import StoredClaim
from faithview.store.knowledge import ClaimDetail, load_claim_details
from faithview.store.samples import load_chunk_texts
from faithview.store.sources import ChunkUse, Citation
from faithview.wording.knowledge import chunk_name


class Fault(StrEnum):
    """A fault of a chunk.

    `contradicted`: it contradicts claims that cite it. `not_supporting`: it does not fully support claims that cite it.
    `unused`: it is retrieved and no claim cites it. `newly_broken`: claims that it supported before broke.
    """

    CONTRADICTED = "contradicted"
    NOT_SUPPORTING = "not_supporting"
    UNUSED = "unused"
    NEWLY_BROKEN = "newly_broken"


class ChunkPart(NamedTuple):
    """A chunk of a document on the board; `text_id` is the id of its text."""

    chunk_id: str
    text_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkFault:
    """One chunk, or one document, on the board.

    `name` is the chunk's own id, or the first words of a chunk without one. The board is sorted by `count`: claims, or
    answers for `unused`. `share` is the count among all claims that cite it, None for `unused` and `newly_broken`.
    `retrieved` counts answers and `cited` claims, of all chunks of a document together. `row` is an example answer.
    `parts` are the chunks; `text` and `text_id` are None for a document.
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
    parts: tuple[ChunkPart, ...] = ()


class _Lost(NamedTuple):
    chunk_id: str
    claims: int
    row: int


Board: TypeAlias = Mapping[Fault, tuple[ChunkFault, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceBoard:
    """A board with its totals.

    `faults` has the worst chunks, or documents, of each fault and `totals` counts all of them. `retrieved` counts the
    different ones in the contexts of the run's answers, `cited` those that a claim cites, and `undocumented` the chunks
    whose metadata do not name a document. Of the run's `claims`, `citing` cite a chunk; only these count for a chunk.
    """

    faults: Board
    totals: Mapping[Fault, int]
    retrieved: int
    cited: int
    undocumented: int
    claims: int
    citing: int


def load_board(
    store: Store,
    run_id: str,
    *,
    view: View = View.JUDGE,
    since: Comparison | None = None,
    by_document: bool = False,
    limit: int = 20,
) -> SourceBoard:
    """Return the chunks, or documents, of a run by each fault, the worst first, with their totals.

    Args:
        store: FaithView.
        run_id: the run.
        view: whose verdicts count.
        since: the comparison with the run before the last event; without it no chunk is `newly_broken`.
        by_document: add up the chunks of each document; a chunk without a document counts as one.
        limit: the maximum number per fault.

    Raises:
        NotFound: there is no such run.
    """
    run = get_run(store, run_id)
    uses = sources.list_chunk_uses(store.db, run.run_id, view=view)
    broken = {} if since is None else _broken(store, since)
    groups = _group_uses(uses, broken, by_document=by_document)
    faults = _faults(groups, broken, by_document=by_document)
    worst = {
        fault: sorted(items, key=lambda item: (-item.count, -(item.share or 0), item.name))[:limit]
        for fault, items in faults.items()
    }
    in_context = [members for members in groups.values() if any(use.retrieved for use in members)]
    return SourceBoard(
        faults=_with_texts(store, worst),
        totals={fault: len(items) for fault, items in faults.items()},
        retrieved=len(in_context),
        cited=sum(any(use.cited for use in members) for members in in_context),
        undocumented=sum(use.document is None for use in uses),
        claims=sum(get_summary(store, run.run_id).claims.values()),
        citing=sources.count_citing_claims(store.db, run.run_id),
    )


def broken_terms(change: Change) -> Iterator[Term]:
    """Yield the claims of an answer that broke, each as its term of the difference."""
    for term in change.terms:
        # A claim that was also unsupported before has a larger weight in a shorter answer, but it did not break.
        if term.value < 0 and term.flipped and term.baseline is not None and term.candidate is not None:
            yield term


def _faults(
    groups: Mapping[str, Sequence[ChunkUse]], broken: Mapping[int, _Lost], *, by_document: bool
) -> dict[Fault, list[ChunkFault]]:
    faults: dict[Fault, list[ChunkFault]] = {fault: [] for fault in Fault}
    for members in groups.values():
        for fault, count, share in _count_faults(members, broken):
            if count:
                name = (members[0].document if by_document else None) or members[0].chunk_id
                faults[fault].append(_fault(name, members, count, share, by_document=by_document))
    return faults


def _with_texts(store: Store, faults: Mapping[Fault, Sequence[ChunkFault]]) -> Board:
    ids = [item.text_id for items in faults.values() for item in items if item.text_id is not None]
    unnamed = [item.parts[0].text_id for items in faults.values() for item in items if not is_own_id(item.name)]
    texts = load_chunk_texts(store.db, [*ids, *unnamed])
    return {fault: tuple(_with_text(item, texts) for item in items) for fault, items in faults.items()}


def _with_text(item: ChunkFault, texts: Mapping[int, str]) -> ChunkFault:
    # Chunks without ids are numbered by rank, so many are called "1": their first words distinguish them.
    name = chunk_name(item.name, texts.get(item.parts[0].text_id))
    return replace(item, name=name, text=None if item.text_id is None else texts[item.text_id])


def _group_uses(
    uses: Sequence[ChunkUse], broken: Mapping[int, _Lost], *, by_document: bool
) -> Mapping[str, list[ChunkUse]]:
    retrieved = {use.text_id for use in uses}
    # Chunks that no answer retrieves any more: the most frequent reason why claims break.
    gone = [
        ChunkUse(text_id=text_id, chunk_id=lost.chunk_id, document=None, retrieved=0, first_row=lost.row)
        for text_id, lost in broken.items()
        if text_id not in retrieved
    ]
    groups: dict[str, list[ChunkUse]] = defaultdict(list)
    for use in (*uses, *gone):
        groups[_document_key(use) if by_document else str(use.text_id)].append(use)
    return groups


def _document_key(use: ChunkUse) -> str:
    """Return the key that the chunks of one document share; a chunk without a document has its own."""
    return use.document or (use.chunk_id if is_own_id(use.chunk_id) else f"text {use.text_id}")


def _count_faults(
    members: Sequence[ChunkUse], broken: Mapping[int, _Lost]
) -> Iterable[tuple[Fault, int, float | None]]:
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
        parts=tuple(sorted(ChunkPart(use.chunk_id, use.text_id) for use in members)),
    )


def _broken(store: Store, since: Comparison) -> dict[int, _Lost]:
    """Return by text id the chunks that claims of the baseline cited before they broke."""
    numbers = {
        change.baseline_row: [term.baseline for term in broken_terms(change) if term.baseline is not None]
        for change in since.changes
    }
    rows = {change.baseline_row: change.candidate_row for change in since.changes}
    samples = compared_answers.find_samples(
        store.db, since.baseline.run_id, [row for row, broken in numbers.items() if broken]
    )
    claims = compared_answers.load_claims(store.db, sorted(samples.values()), since.view)
    cited = compared_answers.load_citations(store.db, chain.from_iterable(claims.values()))
    contexts = compared_answers.load_contexts(store.db, sorted(samples.values()))
    lost: dict[int, _Lost] = {}
    for row, sample_id in samples.items():
        for number in numbers[row]:
            for position in cited.get(claims[sample_id][number - 1].claim_id, ()):
                chunk = contexts[sample_id][position]
                earlier = lost.get(chunk.text_id)
                lost[chunk.text_id] = _Lost(
                    chunk_id=chunk.chunk_id,
                    claims=1 + (earlier.claims if earlier else 0),
                    row=earlier.row if earlier else rows[row],
                )
    return lost


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict:
    """A claim in one run: its text, the verdict under the view, and the judge's evidence.

    `certainty` and `explanation` are the judge's; the explanation is empty if reviewers gave another verdict. `quotes`
    are (chunk's id, text), the best first.
    """

    text: str
    verdict: Verdict
    certainty: Certainty
    explanation: str
    quotes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenClaim:
    """A claim that a chunk supported before and that is unsupported now.

    `row`, `key` and `claim` locate it in the newer run; `baseline_row` is the row of the older answer.
    """

    row: int
    key: str
    question: str | None
    claim: int
    baseline_row: int
    before: ClaimVerdict
    now: ClaimVerdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkText:
    """A chunk of the board with its text."""

    chunk_id: str
    text: str


def list_citations(
    store: Store, run_id: str, item: ChunkFault, fault: Fault, *, view: View = View.JUDGE, limit: int = 200
) -> tuple[Citation, ...]:
    """Return the claims that cite a chunk, the worst verdicts first; for an unused chunk, answers that retrieved it."""
    text_ids = [part.text_id for part in item.parts]
    if fault is Fault.UNUSED:
        return sources.list_retrieving_answers(store.db, run_id, text_ids, limit=limit)
    return sources.list_citing_claims(store.db, run_id, text_ids, limit=limit, view=view)


def list_broken_claims(store: Store, since: Comparison, item: ChunkFault) -> tuple[BrokenClaim, ...]:
    """Return the broken claims that a chunk supported before, in the order of the comparison."""
    wanted = {part.text_id for part in item.parts}
    changes = [(change, terms) for change in since.changes if (terms := list(broken_terms(change)))]
    before_ids = compared_answers.find_samples(
        store.db, since.baseline.run_id, [change.baseline_row for change, _ in changes]
    )
    after_ids = compared_answers.find_samples(
        store.db, since.candidate.run_id, [change.candidate_row for change, _ in changes]
    )
    contexts = compared_answers.load_contexts(store.db, sorted(before_ids.values()))
    before = compared_answers.load_claims(store.db, sorted(before_ids.values()), since.view)
    cited = compared_answers.load_citations(store.db, chain.from_iterable(before.values()))
    after = compared_answers.load_claims(store.db, sorted(after_ids.values()), since.view)
    found = [
        (change, before[sample_id][(term.baseline or 0) - 1], after[new_id][(term.candidate or 0) - 1], term.candidate)
        for change, terms in changes
        for sample_id, new_id in [(before_ids[change.baseline_row], after_ids[change.candidate_row])]
        for term in terms
    ]
    resting = [
        (change, old, new, number or 0)
        for change, old, new, number in found
        if wanted & {contexts[before_ids[change.baseline_row]][at].text_id for at in cited.get(old.claim_id, ())}
    ]
    details = load_claim_details(store.db, {side.claim_id for _, old, new, _ in resting for side in (old, new)})
    return tuple(
        BrokenClaim(
            row=change.candidate_row,
            key=change.key,
            question=change.question,
            claim=number,
            baseline_row=change.baseline_row,
            before=_verdict(old, details, since.view),
            now=_verdict(new, details, since.view),
        )
        for change, old, new, number in resting
    )


def load_quotes(store: Store, citations: Sequence[Citation]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return by claim id the quotes that support the verdicts, as (chunk's id, text), the best first."""
    details = load_claim_details(store.db, [one.claim_id for one in citations if one.claim_id is not None])
    return {claim_id: _quotes(detail) for claim_id, detail in details.items()}


def _verdict(claim: StoredClaim, details: Mapping[int, ClaimDetail], view: View) -> ClaimVerdict:
    detail = details.get(claim.claim_id)
    verdict = claim.verdict or Verdict.NOT_MENTIONED  # a claim that broke has a verdict on both sides
    is_judged = detail is not None and detail.verdict is verdict
    return ClaimVerdict(
        text=(claim.text or "") if detail is None else detail.text,
        verdict=verdict,
        certainty=detail.certainty if detail and is_judged and view is View.JUDGE else UNSTATED,
        explanation=detail.explanation if detail and is_judged else "",
        quotes=() if detail is None else _quotes(detail),
    )


def _quotes(detail: ClaimDetail) -> tuple[tuple[str, str], ...]:
    return tuple((quote.chunk_id, quote.quote) for quote in detail.quotes)


def chunk_texts(store: Store, item: ChunkFault, *, limit: int | None = None) -> tuple[ChunkText, ...]:
    """Return the texts of a chunk, or of a document's first `limit` chunks (all of them by default)."""
    parts = item.parts[:limit]
    texts = load_chunk_texts(store.db, [part.text_id for part in parts])
    return tuple(ChunkText(chunk_id=part.chunk_id, text=texts[part.text_id]) for part in parts)
