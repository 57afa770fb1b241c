"""What a verdict cache needs: a key for "the same thing judged in the same way", and results as text.

Where the texts are kept is not decided here. The key stands on the exact texts and not on their folded hashes: a result
holds places in them, which one more space would move. Chunks are named by their position, so that a result is found
again where the same chunks come under other ids.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace

from pydantic import TypeAdapter

from faithview.domain.claim import Claim
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Sample
from faithview.judges.companions import CONTEXT_RELEVANCE

_RESULT = TypeAdapter(Result)


def cache_key(fingerprint: str, sample: Sample) -> str:
    """Return the key: SHA-256 of the judge's fingerprint (model, method, prompts) and of all that it is given."""
    texts = [fingerprint, sample.question, sample.answer, *(chunk.text for chunk in sample.chunks)]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def is_cacheable(result: Result) -> bool:
    """Return whether judging again would be a waste: a failure may pass, and what is missing may come."""
    return result.state not in (State.FAILED, State.PENDING) and not result.warnings


def dump_result(result: Result, sample: Sample) -> str:
    """Return a result as JSON."""
    positions = {chunk.chunk_id: str(number) for number, chunk in enumerate(sample.chunks, start=1)}
    return _RESULT.dump_json(_renamed(result, positions.__getitem__)).decode()


def load_result(text: str, sample: Sample) -> Result:
    """Return the result that `dump_result` wrote, for a sample with the same key.

    Its usage says that as many calls were answered from the cache as it took then, and that it cost nothing.
    """
    ids = {str(number): chunk.chunk_id for number, chunk in enumerate(sample.chunks, start=1)}
    result = _renamed(_RESULT.validate_json(text), ids.__getitem__)
    was = result.usage
    usage = Usage(cached_calls=was.llm_calls + was.cached_calls, cost_usd=None if was.cost_usd is None else 0.0)
    return replace(result, usage=usage, seconds=0.0)


def _renamed(result: Result, rename: Callable[[str], str]) -> Result:
    metrics = {_renamed_metric(name, rename): value for name, value in result.metrics.items()}
    return replace(result, claims=tuple(_renamed_claim(claim, rename) for claim in result.claims), metrics=metrics)


def _renamed_claim(claim: Claim, rename: Callable[[str], str]) -> Claim:
    return replace(
        claim,
        supporting_chunk_ids=tuple(rename(chunk_id) for chunk_id in claim.supporting_chunk_ids),
        evidence=tuple(replace(item, chunk_id=rename(item.chunk_id)) for item in claim.evidence),
    )


def _renamed_metric(name: str, rename: Callable[[str], str]) -> str:
    prefix = f"{CONTEXT_RELEVANCE}["
    return f"{prefix}{rename(name[len(prefix) : -1])}]" if name.startswith(prefix) else name
