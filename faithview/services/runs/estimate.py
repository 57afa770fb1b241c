"""Calls, tokens and cost of a run, estimated before it starts; sends nothing and needs no key."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from faithview.documents.runs import RunEstimate
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.services.container import Services
from faithview.services.judge_catalogue import find_offer
from faithview.services.runs.intake.store_rows import batches_of, text_size
from faithview.services.runs.verdict_cache import find_cached

__all__ = ["RunEstimate", "estimate_run"]


def estimate_run(
    samples: Iterable[Sample],
    spec: JudgeSpec,
    *,
    store: Services | None = None,
    use_cache: bool = True,
    repeat: int = 1,
    is_batch: bool = False,
) -> RunEstimate:
    """Return what judging the samples will take.

    Args:
        samples: the answers; they are looked at one batch after the other.
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
        number = sum(1 for _ in samples)
        known = RunEstimate(judge=spec.name, method=spec.method, host=offer.host if offer else None, answers=number)
        return known if known.host else known.model_copy(update={"cost_usd": 0.0})
    from faithview.judges.llm.cost import estimate
    from faithview.judges.llm.options import LlmOptions

    options = LlmOptions.from_spec(spec)
    # The same as LlmJudge.fingerprint; building that judge would need a key.
    fingerprint = f"{spec.name}{offer.server}/{options.fingerprint}"
    asked = _Asked(
        store=store if use_cache else None, fingerprint=fingerprint, judges_equal_once=use_cache, repeat=repeat
    )
    expected = estimate(
        asked.iterate(samples),
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
        answers=asked.answers,
        cached_answers=asked.cached,
        calls=expected.calls,
        prompt_tokens=expected.prompt_tokens,
        completion_tokens=expected.completion_tokens,
        cost_usd=None if expected.cost_usd is None else expected.cost_usd * (1 - discount),
        stable_share=expected.stable_share,
        prices_as_of=expected.prices_as_of,
    )


@dataclass(slots=True, kw_only=True)
class _Asked:
    """Finds the answers that the judge will be asked about, each as often as it is; counts all, and those in the cache.

    `store` has verdicts of earlier runs; None for nothing to look up.
    """

    store: Services | None
    fingerprint: str
    judges_equal_once: bool
    repeat: int
    answers: int = 0
    cached: int = 0

    def iterate(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Yield the answers that are judged anew."""
        seen: set[str] = set()
        for batch in batches_of(samples, size=text_size):
            known = [False] * len(batch)
            if self.store is not None:
                known = [found is not None for found in find_cached(self.store.db, self.fingerprint, batch)]
            self.answers += len(batch)
            self.cached += sum(known)
            for sample, is_known in zip(batch, known, strict=True):
                if not is_known and not (self.judges_equal_once and sample.content_hash in seen):
                    seen.add(sample.content_hash)
                    yield sample
                for _ in range(self.repeat - 1):
                    yield sample
