"""The verdict cache: verdicts of earlier runs, taken over for answers whose exact texts the same judge has seen before.

The store is the cache. Only judges that are called over a network use it: the embedded one is as quick as a look-up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from faithview.domain.claim import Claim, Evidence
from faithview.domain.result import Result, Usage
from faithview.domain.run import Run
from faithview.domain.sample import Sample
from faithview.domain.views import AnswerDetail
from faithview.services.judge_catalogue import is_remote
from faithview.store.database import Database
from faithview.store.runs import results

# Databases limit how many values a statement may name.
_LOOKED_UP = 500


def uses_cache(run: Run) -> bool:
    """Return whether the run takes over verdicts of earlier ones."""
    return run.use_cache and is_remote(run.judge)


def find_cached(db: Database, fingerprint: str, samples: Sequence[Sample]) -> list[Result | None]:
    """Return for each answer the result that an equal one has from this judge already, None where there is none."""
    hashes = [sample.content_hash for sample in samples]
    known: dict[str, AnswerDetail] = {}
    wanted = sorted(set(hashes))
    for first in range(0, len(wanted), _LOOKED_UP):
        part = wanted[first : first + _LOOKED_UP]
        known |= results.find_judged(db, fingerprint=fingerprint, content_hashes=part)
    # What lacks something, relevance figures say, is asked for again.
    whole = {content_hash: detail for content_hash, detail in known.items() if not detail.result.warnings}
    return [
        take_over(whole[content_hash].sample, whole[content_hash].result, sample) if content_hash in whole else None
        for content_hash, sample in zip(hashes, samples, strict=True)
    ]


def take_over(judged: Sample, result: Result, sample: Sample) -> Result:
    """Return the result of one answer as that of another with the same texts, whose chunks may have other ids.

    What it had cost counts as calls answered from the cache.
    """
    ids = dict(
        zip((chunk.chunk_id for chunk in judged.chunks), (chunk.chunk_id for chunk in sample.chunks), strict=True)
    )
    usage = result.usage
    return replace(
        result,
        claims=tuple(_renamed(claim, ids) for claim in result.claims),
        metrics={_metric(name, ids): value for name, value in result.metrics.items()},
        usage=Usage(cached_calls=usage.llm_calls + usage.cached_calls),
        seconds=0.0,
    )


def _renamed(claim: Claim, ids: Mapping[str, str]) -> Claim:
    return replace(
        claim,
        supporting_chunk_ids=tuple(ids[chunk_id] for chunk_id in claim.supporting_chunk_ids),
        evidence=tuple(
            Evidence(chunk_id=ids[item.chunk_id], quote=item.quote, span=item.span) for item in claim.evidence
        ),
    )


def _metric(name: str, ids: Mapping[str, str]) -> str:
    """Return a figure's name, "context_relevance[ID]" say, with the id that the chunk has in the other answer."""
    kind, bracket, rest = name.partition("[")
    chunk_id = rest.removesuffix("]")
    return f"{kind}[{ids[chunk_id]}]" if bracket and chunk_id in ids else name
