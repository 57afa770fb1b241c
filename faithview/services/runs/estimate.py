"""Calls, tokens and cost of a run, estimated before it starts; sends nothing and needs no key."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.services.container import Services
from faithview.services.judge_catalogue import find_offer
from faithview.services.runs.verdict_cache import find_cached


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEstimate:
    """What judging will take. `cached_answers` were judged before by the same judge and need no call.

    `host` is what will be called; None if nothing is. `cost_usd` is None if no price is known. `stable_share` is the
    share of the prompt tokens that a vendor's prompt cache may hold.
    """

    judge: str
    method: str
    host: str | None
    answers: int
    cached_answers: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None
    stable_share: float | None = None
    prices_as_of: str | None = None

    def document(self) -> dict[str, Any]:
        """Return what `faithview evaluate --estimate --json` prints."""
        return asdict(self)


def estimate_run(
    samples: Sequence[Sample],
    spec: JudgeSpec,
    *,
    store: Services | None = None,
    use_cache: bool = True,
    repeat: int = 1,
    is_batch: bool = False,
) -> RunEstimate:
    """Return what judging the samples will take.

    Args:
        samples: the answers.
        spec: the judge.
        store: where to look up verdicts of earlier runs; None looks up none.
        use_cache: whether to reuse them.
        repeat: how many times each answer is judged; only the first time uses the cache.
        is_batch: whether the vendor's batches are used, which cost less.

    Raises:
        JudgeUnavailable: an option of the spec cannot be used.
    """
    offer = find_offer(spec.name)
    if offer is None or not offer.has_methods:
        known = RunEstimate(
            judge=spec.name, method=spec.method, host=offer.host if offer else None, answers=len(samples)
        )
        return known if known.host else replace(known, cost_usd=0.0)
    from faithview.judges.llm.cost import estimate
    from faithview.judges.llm.options import LlmOptions

    options = LlmOptions.from_spec(spec)
    cached = [False] * len(samples)
    if store is not None and use_cache:
        # The same as LlmJudge.fingerprint; building that judge would need a key.
        fingerprint = f"{spec.name}{offer.server}/{options.fingerprint}"
        cached = [result is not None for result in find_cached(store.db, fingerprint, samples)]
    fresh = [sample for sample, is_cached in zip(samples, cached, strict=True) if not is_cached]
    if use_cache:  # equal rows are judged once
        fresh = list({sample.content_hash: sample for sample in fresh}.values())
    expected = estimate(
        [*fresh, *(list(samples) * (repeat - 1))],
        options.method,
        prompts=options.prompts,
        price=options.prices.find(offer.name, options.model, host=offer.host or ""),
        prices_as_of=options.prices.as_of,
        companions=options.with_companions,
    )
    discount = options.prices.batch_discount if is_batch else 0.0
    return RunEstimate(
        judge=spec.name,
        method=spec.method,
        host=offer.host,
        answers=len(samples),
        cached_answers=sum(cached),
        calls=expected.calls,
        prompt_tokens=expected.prompt_tokens,
        completion_tokens=expected.completion_tokens,
        cost_usd=None if expected.cost_usd is None else expected.cost_usd * (1 - discount),
        stable_share=expected.stable_share,
        prices_as_of=expected.prices_as_of,
    )
