"""Why a chunk is on the board: claims that cite it, answers that retrieved it, claims that it supported before."""

from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.views import View
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.sources.board import ChunkFault, Fault, broken_terms
from faithview.store.comparison import compared_answers
from faithview.store.runs.samples import load_chunk_texts
from faithview.store.sources import chunk_uses
from faithview.store.sources.chunk_uses import Citation

__all__ = ["BrokenClaim", "ChunkText", "Citation", "chunk_texts", "list_broken_claims", "list_citations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenClaim:
    """A claim that a chunk supported before and that is unsupported now.

    `row`, `key` and `claim` locate it in the newer run, `verdict` is the one that it has there, and `text` is the
    claim's in the older run. `baseline_row` is the row of the older answer.
    """

    row: int
    key: str
    question: str | None
    claim: int
    text: str
    verdict: Verdict | None
    baseline_row: int
    explanation: str = ""
    confidence: float | None = None


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
    cited = compared_answers.load_citations(services.db, sorted(before_ids.values()))
    contexts = compared_answers.load_contexts(services.db, sorted(before_ids.values()))
    before = compared_answers.load_claims(services.db, sorted(before_ids.values()), since.view)
    after = compared_answers.load_claims(services.db, sorted(after_ids.values()), since.view)
    claims = []
    for change, terms in changes:
        sample_id = before_ids[change.baseline_row]
        for term in terms:
            old_number, new_number = term.baseline or 0, term.candidate or 0
            old = before[sample_id][old_number - 1]
            positions = cited.get(old.claim_id, ())
            if not wanted & {contexts[sample_id][position].text_id for position in positions}:
                continue
            text = old.text
            if text is None:  # a claim of the judge, whose text is with the answer
                answer = get_answer_at(services, since.baseline.run_id, change.baseline_row)
                text = answer.result.claims[old_number - 1].text
            claims.append(
                BrokenClaim(
                    row=change.candidate_row,
                    key=change.key,
                    question=change.question,
                    claim=new_number,
                    text=text,
                    verdict=after[after_ids[change.candidate_row]][new_number - 1].verdict,
                    baseline_row=change.baseline_row,
                )
            )
    return tuple(claims)


def chunk_texts(services: Services, item: ChunkFault, *, limit: int | None = None) -> tuple[ChunkText, ...]:
    """Return the texts of a chunk, or of a document's first `limit` chunks (all of them by default)."""
    parts = item.parts[:limit]
    texts = load_chunk_texts(services.db, [part.text_id for part in parts])
    return tuple(ChunkText(chunk_id=part.chunk_id, text=texts[part.text_id]) for part in parts)
