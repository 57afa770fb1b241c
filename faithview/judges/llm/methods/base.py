"""What a method is, and what several of them share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.parsing import anchor, check_chunks, chunk_ids, evidence_from
from faithview.judges.llm.schemas import ExtractedClaim, Quote, Ruling
from faithview.judges.text.sentences import split_sentences, trim


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a method: claims (or sentences, or questions, as claims), and the method's own score in [0, 1].

    `score` is None if the method has only the share of supported claims.
    """

    state: State
    claims: tuple[Claim, ...] = ()
    suggestions: tuple[str, ...] = ()
    score: float | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """How many calls of one step an answer takes, and how many tokens each reply has, for an estimate."""

    step: str
    calls: float
    completion_tokens: float


class Method(Protocol):
    """A way to judge one answer by asking a model."""

    @property
    def name(self) -> str:
        """The method's name as in `--method`."""
        ...

    @property
    def label(self) -> str:
        """The name with everything in the method that can change a verdict."""
        ...

    @property
    def steps(self) -> tuple[str, ...]:
        """The prompts it uses."""
        ...

    @property
    def main_step(self) -> str:
        """The prompt that says what counts as support, which a user's own prompt replaces."""
        ...

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer that has text and chunks.

        Raises:
            JudgeFailed: it could not be judged.
        """
        ...

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Return what judging the answer will take, by experience."""
        ...


def nothing_claimed(*, abstained: bool) -> Outcome:
    """Return the outcome of an answer that makes no claim."""
    return Outcome(state=State.ABSTAINED if abstained else State.NO_CLAIMS)


def expected_claims(sample: Sample) -> float:
    """Return about how many claims an answer makes: one for every 60 characters, at least one."""
    return max(1.0, len(sample.answer) / 60)


def check_ruling(where: str, ruling: Ruling, sample: Sample) -> list[str]:
    """Return what is wrong with a ruling: chunks that do not exist, or a verdict that rests on none."""
    problems = check_chunks(where, [*ruling.supporting_chunks, *(q.chunk for q in ruling.evidence)], sample)
    if ruling.verdict is not Verdict.NOT_MENTIONED and not (ruling.supporting_chunks or ruling.evidence):
        problems.append(f"{where} is {ruling.verdict.value}, but names no chunk that says so")
    return problems


def support_score(verdict: Verdict, confidence: float) -> float:
    """Return the probability that a claim is supported, from the verdict and how sure the model is of it.

    With full confidence, *supported* is 1 and every other verdict has its place on the scale below a half; with less
    confidence, the score is closer to a half.
    """
    sure = {
        Verdict.SUPPORTED: 1.0,
        Verdict.PARTIALLY_SUPPORTED: 0.4,
        Verdict.NOT_MENTIONED: 0.1,
        Verdict.CONTRADICTED: 0.0,
    }[verdict]
    return 0.5 + (sure - 0.5) * confidence


def claim_from(extracted: ExtractedClaim, ruling: Ruling, sample: Sample) -> Claim:
    """Return a claim with its ruling; what belongs to unsupported claims only is left off a supported one."""
    is_supported = ruling.verdict is Verdict.SUPPORTED
    span = anchor(sample.answer, extracted.quote, occurrence=extracted.occurrence)
    return Claim(
        text=extracted.text,
        verdict=ruling.verdict,
        spans=() if span is None else (span,),
        confidence=ruling.confidence,
        support_score=support_score(ruling.verdict, ruling.confidence),
        explanation=ruling.explanation,
        claim_type=extracted.type,
        importance=extracted.importance,
        hallucination_type=None if is_supported else ruling.hallucination_type,
        severity=None if is_supported else ruling.severity,
        correction=None if is_supported else ruling.correction,
        supporting_chunk_ids=chunk_ids([*ruling.supporting_chunks, *(q.chunk for q in ruling.evidence)], sample),
        evidence=evidence_from(ruling.evidence, sample),
    )


def cited(quotes: Sequence[Quote], sample: Sample) -> tuple[str, ...]:
    """Return the ids of the chunks that are quoted, in their order."""
    return chunk_ids([quote.chunk for quote in quotes], sample)


def sentences_of(answer: str) -> list[tuple[int, int]]:
    """Return the places of the answer's sentences, line by line; sentences without a letter or digit are left out."""
    ranges = []
    start = 0
    for line in answer.splitlines(keepends=True):
        first, last = trim(answer, start, start + len(line))
        start += len(line)
        if first < last:
            ranges += split_sentences(answer, first, last)
    return [(a, b) for a, b in ranges if any(c.isalnum() for c in answer[a:b])]
