"""The judges of the user's own hardware: from a model's opinions to claims with verdict, explanation and quotes."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

from faithview.domain.claim import Claim, Evidence, HallucinationType, Verdict
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences, Span, span_at
from faithview.judges.companions import relevance
from faithview.judges.lexical.judge import judge_without_claims
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.local.model import DIGITS, LocalModel, Opinion, find_model
from faithview.judges.local.options import LocalOptions
from faithview.judges.local.windows import sentences

# A model's own middle: above it, it holds the claim for supported (or contradicted) rather than not.
_CUT = 0.5

# NLI models call two sentences about different things a contradiction. So a passage contradicts a claim only where it
# has at least a quarter of the claim's words, by weight; `relevance` counts half of them as 1.
_RELATED = 0.5


class LocalJudge:
    """Compares each claim with each passage of each chunk; one answer is read at a time, outside the event loop."""

    def __init__(self, options: LocalOptions) -> None:
        self._options = options
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="faithview-model")

    @property
    def name(self) -> str:
        """The judge's name with its model, "nli:MODEL" for example."""
        return f"{self._options.family}:{self._options.model}"

    @property
    def fingerprint(self) -> str:
        """The name, the model's exact content, the precision and the options that change a verdict.

        Raises:
            JudgeUnavailable: the model is not there, or its configuration shows that it is not one for this judge.
        """
        return f"{self.name}+{self._model.version}"

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer.

        Raises:
            JudgeFailed: the model cannot be loaded, or the memory is too small.
        """
        split = split_answer(sample.answer, sample.question)
        plain = judge_without_claims(sample, split, judge=self.name)
        if plain is not None:
            return plain
        occurrences = Occurrences(sample.answer)
        stated = [(split.text_of(claim), (occurrences.span_at(claim.start, claim.end),)) for claim in split.claims]
        return await self._judge_claims(sample, stated)

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Rule on claims of an answer (see `SupportsVerifying`); raises JudgeFailed as `judge` does."""
        return await self._judge_claims(sample, [(claim.text, claim.spans) for claim in claims])

    async def aclose(self) -> None:
        """End the thread that runs the model, after the answer that it reads; the model stays for the next judge."""
        self._thread.shutdown(cancel_futures=True)

    async def _judge_claims(self, sample: Sample, stated: Sequence[tuple[str, tuple[Span, ...]]]) -> Result:
        """Judge claims, given by their texts and their places in the answer."""
        texts = [text for text, _ in stated]
        opinions = await asyncio.get_running_loop().run_in_executor(self._thread, self._read, sample, texts)
        claims = tuple(
            _judge_claim(sample, text, spans, of_claim)
            for (text, spans), of_claim in zip(stated, opinions, strict=True)
        )
        # An answer is as faithful as its weakest claim.
        weakest = min(claim.support_score or 0.0 for claim in claims)
        return Result(state=State.JUDGED, judge=self.name, claims=claims, answer_score=weakest)

    def _read(self, sample: Sample, claims: Sequence[str]) -> list[list[Opinion]]:
        try:
            return self._model.read(claims, [chunk.text for chunk in sample.chunks])
        except JudgeUnavailable as error:
            raise JudgeFailed(str(error)) from error

    @cached_property
    def _model(self) -> LocalModel:
        return find_model(self._options)


def _judge_claim(sample: Sample, text: str, spans: tuple[Span, ...], opinions: Sequence[Opinion]) -> Claim:
    """Return the claim with its verdict.

    The chunk that supports it most counts, so a chunk about something else does no harm. It is contradicted
    where a chunk that is about the same contradicts it more surely than any supports it. Where one chunk supports it
    and another contradicts it, both are quoted and named, and the confidence is low.
    """
    best = max(opinions, key=lambda opinion: opinion.supported)
    denial = _denial(sample, text, opinions)
    denied = 0.0 if denial is None else denial.contradicted
    resting: list[Opinion] = []
    if denial is not None and denied > best.supported:
        verdict, confidence, resting = Verdict.CONTRADICTED, denied, [denial]
        explanation = f"Chunk {_id(sample, denial)} contradicts this."
        if best.supported >= _CUT:
            confidence, resting = _share(denied, best.supported), [denial, best]
            explanation = f"Chunk {_id(sample, denial)} contradicts this, but chunk {_id(sample, best)} supports it."
    elif best.supported >= _CUT:
        verdict, confidence, resting = Verdict.SUPPORTED, best.supported, [best]
        explanation = f"Chunk {_id(sample, best)} supports this."
        if denial is not None:
            confidence, resting = _share(best.supported, denied), [best, denial]
            explanation = f"Chunk {_id(sample, best)} supports this, but chunk {_id(sample, denial)} contradicts it."
    else:
        verdict, confidence = Verdict.NOT_MENTIONED, round(1 - best.supported, DIGITS)
        is_near = _closest_sentence(sample, text, best) is not None
        explanation = f"No chunk supports this{f'; chunk {_id(sample, best)} comes closest' if is_near else ''}."
    return Claim(
        text=text,
        verdict=verdict,
        spans=spans,
        confidence=confidence,
        support_score=best.supported,
        explanation=explanation,
        hallucination_type=HallucinationType.CONTRADICTION if verdict is Verdict.CONTRADICTED else None,
        supporting_chunk_ids=tuple(dict.fromkeys(_id(sample, opinion) for opinion in resting)),
        evidence=tuple(quote for opinion in resting if (quote := _closest_sentence(sample, text, opinion)) is not None),
    )


def _denial(sample: Sample, claim: str, opinions: Sequence[Opinion]) -> Opinion | None:
    """Return the opinion of the passage that contradicts the claim most surely, of those that are about the same."""
    denials = [
        opinion
        for opinion in opinions
        if opinion.contradicted >= _CUT
        and relevance(claim, sample.chunks[opinion.chunk].text[opinion.start : opinion.end]) >= _RELATED
    ]
    return max(denials, key=lambda opinion: opinion.contradicted, default=None)


def _closest_sentence(sample: Sample, claim: str, opinion: Opinion) -> Evidence | None:
    """Return the sentence of a passage that has most of a claim's words; None if none has any.

    The models read whole passages and do not say which sentence decided.
    """
    chunk = sample.chunks[opinion.chunk]
    found = [
        (relevance(claim, chunk.text[start:end]), start, end)
        for start, end in sentences(chunk.text, opinion.start, opinion.end)
    ]
    # Of equally close ones the shortest, and of these the first.
    closeness, start, end = max(
        found, key=lambda place: (place[0], place[1] - place[2], -place[1]), default=(0.0, 0, 0)
    )
    if closeness == 0:
        return None
    return Evidence(chunk_id=chunk.chunk_id, quote=chunk.text[start:end], span=span_at(chunk.text, start, end))


def _share(this: float, other: float) -> float:
    """Return how sure a verdict is against another one that a chunk speaks for: about a half where both are sure."""
    return round(this / (this + other), DIGITS)


def _id(sample: Sample, opinion: Opinion) -> str:
    return sample.chunks[opinion.chunk].chunk_id
