"""Why a chunk is on the board: claims that cite it, answers that retrieved it, claims that it supported before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from faithview.domain.claim import Verdict
from faithview.domain.views import View
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.services.sources.board import ChunkFault, Fault, broken_terms
from faithview.store.comparison import compared_answers
from faithview.store.comparison.compared_answers import StoredClaim
from faithview.store.knowledge.claim_details import ClaimDetail, load_claim_details
from faithview.store.runs.samples import load_chunk_texts
from faithview.store.sources import chunk_uses
from faithview.store.sources.chunk_uses import Citation

__all__ = [
    "BrokenClaim",
    "ChunkText",
    "Citation",
    "ClaimVerdict",
    "chunk_texts",
    "list_broken_claims",
    "list_citations",
    "load_quotes",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict:
    """A claim in one run: its words, the verdict under the view, and what the judge based its own verdict on.

    `confidence` and `explanation` are the judge's; None and empty where people gave another verdict. `quotes` are
    (chunk's id, words), the best first.
    """

    text: str
    verdict: Verdict
    confidence: float | None
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
    services: Services, run_id: str, item: ChunkFault, fault: Fault, *, view: View = View.JUDGE, limit: int = 200
) -> tuple[Citation, ...]:
    """Return the claims that cite a chunk, the worst verdicts first; for an unused one, answers that retrieved it."""
    text_ids = [part.text_id for part in item.parts]
    if fault is Fault.UNUSED:
        return chunk_uses.list_retrieving_answers(services.db, run_id, text_ids, limit=limit)
    return chunk_uses.list_citing_claims(services.db, run_id, text_ids, limit=limit, view=view)


def list_broken_claims(services: Services, since: Comparison, item: ChunkFault) -> tuple[BrokenClaim, ...]:
    """Return the claims that a chunk supported before and that broke since, in the order of the comparison."""
    wanted = {part.text_id for part in item.parts}
    changes = [(change, terms) for change in since.changes if (terms := list(broken_terms(change)))]
    before_ids = compared_answers.find_samples(
        services.db, since.baseline.run_id, [change.baseline_row for change, _ in changes]
    )
    after_ids = compared_answers.find_samples(
        services.db, since.candidate.run_id, [change.candidate_row for change, _ in changes]
    )
    contexts = compared_answers.load_contexts(services.db, sorted(before_ids.values()))
    before = compared_answers.load_claims(services.db, sorted(before_ids.values()), since.view)
    cited = compared_answers.load_citations(services.db, chain.from_iterable(before.values()))
    after = compared_answers.load_claims(services.db, sorted(after_ids.values()), since.view)
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
    details = load_claim_details(services.db, {side.claim_id for _, old, new, _ in resting for side in (old, new)})
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


def load_quotes(services: Services, citations: Sequence[Citation]) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return by claim id the quotes that the verdicts rest on, as (chunk's id, words), the best first."""
    details = load_claim_details(services.db, [one.claim_id for one in citations if one.claim_id is not None])
    return {claim_id: _quotes(detail) for claim_id, detail in details.items()}


def _verdict(claim: StoredClaim, details: Mapping[int, ClaimDetail], view: View) -> ClaimVerdict:
    detail = details.get(claim.claim_id)
    verdict = claim.verdict or Verdict.NOT_MENTIONED  # a claim that broke has a verdict on either side
    is_judged = detail is not None and detail.verdict is verdict
    return ClaimVerdict(
        text=(claim.text or "") if detail is None else detail.text,
        verdict=verdict,
        confidence=detail.confidence if detail and is_judged and view is View.JUDGE else None,
        explanation=detail.explanation if detail and is_judged else "",
        quotes=() if detail is None else _quotes(detail),
    )


def _quotes(detail: ClaimDetail) -> tuple[tuple[str, str], ...]:
    return tuple((quote.chunk_id, quote.quote) for quote in detail.quotes)


def chunk_texts(services: Services, item: ChunkFault, *, limit: int | None = None) -> tuple[ChunkText, ...]:
    """Return the texts of a chunk, or of a document's first `limit` chunks (all of them by default)."""
    parts = item.parts[:limit]
    texts = load_chunk_texts(services.db, [part.text_id for part in parts])
    return tuple(ChunkText(chunk_id=part.chunk_id, text=texts[part.text_id]) for part in parts)
