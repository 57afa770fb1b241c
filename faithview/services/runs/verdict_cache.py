"""The verdict cache: verdicts of earlier runs, reused for answers with exactly the same texts and the same judge.

The store is the cache. Only judges that are called over a network use it: the embedded one is as fast as a look-up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim, Evidence
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.domain.views import AnswerDetail
from faithview.services.judge_catalogue import is_remote
from faithview.store.database import Database
from faithview.store.runs import results

# Databases limit how many values a statement may name.
_MOST_HASHES = 500


def uses_cache(run: Run) -> bool:
    """Return whether the run reuses verdicts of earlier runs."""
    return run.use_cache and is_remote(run.judge)


def find_cached(db: Database, fingerprint: str, samples: Sequence[Sample]) -> list[Result | None]:
    """Return for each answer the result that this judge gave the same texts before; None if it has not seen them."""
    hashes = [sample.content_hash for sample in samples]
    known: dict[str, AnswerDetail] = {}
    wanted = sorted(set(hashes))
    for first in range(0, len(wanted), _MOST_HASHES):
        part = wanted[first : first + _MOST_HASHES]
        known |= results.find_judged(db, fingerprint=fingerprint, content_hashes=part)
    # If something is missing from a result (relevance metrics, say), the answer is judged again.
    whole = {content_hash: detail for content_hash, detail in known.items() if detail.result.is_whole}
    return [
        reuse_result(whole[content_hash].sample, whole[content_hash].result, sample) if content_hash in whole else None
        for content_hash, sample in zip(hashes, samples, strict=True)
    ]


def is_reusable(result: Result) -> bool:
    """Return whether judging the texts again would be a waste: a failure may pass, what is missing may come."""
    return result.state not in (State.FAILED, State.PENDING) and result.is_whole


def reuse_result(judged: Sample, result: Result, sample: Sample) -> Result:
    """Return the result of one answer for another with the same texts, whose chunks may have other ids.

    Its calls count as calls answered from the cache.
    """
    ids = dict(
        zip((chunk.chunk_id for chunk in judged.chunks), (chunk.chunk_id for chunk in sample.chunks), strict=True)
    )
    usage = result.usage
    return replace(
        result,
        claims=tuple(_with_ids(claim, ids) for claim in result.claims),
        metrics={_metric(name, ids): value for name, value in result.metrics.items()},
        usage=Usage(cached_calls=usage.llm_calls + usage.cached_calls),
        seconds=0.0,
    )


def _with_ids(claim: Claim, ids: Mapping[str, str]) -> Claim:
    return replace(
        claim,
        supporting_chunk_ids=tuple(ids[chunk_id] for chunk_id in claim.supporting_chunk_ids),
        evidence=tuple(
            Evidence(chunk_id=ids[item.chunk_id], quote=item.quote, span=item.span) for item in claim.evidence
        ),
    )


def _metric(name: str, ids: Mapping[str, str]) -> str:
    """Return a metric's name with the id that the chunk has in the other answer: "context_relevance[ID]"."""
    kind, bracket, rest = name.partition("[")
    chunk_id = rest.removesuffix("]")
    return f"{kind}[{ids[chunk_id]}]" if bracket and chunk_id in ids else name
