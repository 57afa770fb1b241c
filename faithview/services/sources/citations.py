"""Why a chunk is on the board: the claims that cite it, the answers that retrieved it, the claims that it bore once."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.views import View
from faithview.services.comparison.compare import Comparison
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.sources.board import ChunkFault, Fault, broken_terms
from faithview.store.comparison import compared_answers
from faithview.store.sources import chunk_uses
from faithview.store.sources.chunk_uses import Witness

__all__ = ["BrokenClaim", "Witness", "chunk_texts", "list_broken_claims", "list_witnesses"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenClaim:
    """A claim that a chunk bore before and that is unsupported now.

    `row`, `key` and `claim` are the answer's and the claim's in the newer run, `verdict` the one that it has there, and
    `text` what the older one said. `baseline_row` is the older answer's.
    """

    row: int
    key: str
    question: str | None
    claim: int
    text: str
    verdict: Verdict | None
    baseline_row: int
    explanation: str = ""


def list_witnesses(
    services: Services, run_id: str, item: ChunkFault, fault: Fault, *, view: View = View.JUDGE, limit: int = 200
) -> tuple[Witness, ...]:
    """Return the claims that cite a chunk, the gravest first; for one that none cites, answers that retrieved it."""
    text_ids = [text_id for _, text_id in item.parts]
    if fault is Fault.UNUSED:
        return chunk_uses.list_retrieving_answers(services.db, run_id, text_ids, limit=limit)
    return chunk_uses.list_citing_claims(services.db, run_id, text_ids, limit=limit, view=view)


def list_broken_claims(services: Services, since: Comparison, item: ChunkFault) -> tuple[BrokenClaim, ...]:
    """Return the claims that a chunk bore before and that broke since, in the order of the comparison."""
    wanted = {text_id for _, text_id in item.parts}
    changes = [(change, list(broken_terms(change))) for change in since.changes]
    rows = [change.baseline_row for change, terms in changes if terms]
    samples = compared_answers.find_samples(services.db, since.baseline.run_id, rows)
    contexts = compared_answers.load_contexts(services.db, sorted(samples.values()))
    old = compared_answers.load_claims(services.db, sorted(samples.values()), since.view)
    now = compared_answers.find_samples(
        services.db, since.candidate.run_id, [change.candidate_row for change, terms in changes if terms]
    )
    new = compared_answers.load_claims(services.db, sorted(now.values()), since.view)
    found = []
    for change, terms in changes:
        for term in terms:
            sample_id = samples[change.baseline_row]
            number, number_now = term.baseline or 0, term.candidate or 0
            claim = old[sample_id][number - 1]
            if not wanted & {contexts[sample_id][at].text_id for at in claim.cited}:
                continue
            after = new[now[change.candidate_row]][number_now - 1]
            text = claim.text  # None for a judged one, whose text is with the answer
            if text is None:
                text = (
                    get_answer_at(services, since.baseline.run_id, change.baseline_row).result.claims[number - 1].text
                )
            found.append(
                BrokenClaim(
                    row=change.candidate_row,
                    key=change.key,
                    question=change.question,
                    claim=number_now,
                    text=text,
                    verdict=after.verdict,
                    baseline_row=change.baseline_row,
                )
            )
    return tuple(found)


def chunk_texts(services: Services, item: ChunkFault, *, limit: int | None = None) -> Sequence[tuple[str, str]]:
    """Return the ids and texts of a chunk, or of a document's first chunks, all of them without a limit."""
    parts = item.parts[:limit]
    texts = chunk_uses.load_texts(services.db, [text_id for _, text_id in parts])
    return [(chunk_id, texts[text_id]) for chunk_id, text_id in parts]
