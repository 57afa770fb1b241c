"""Answers as long as RAGTruth's, with chunks and verdicts, made from a seed: the same rows on every machine."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from faithview.domain.claim import Claim, ClaimType, HallucinationType, Importance, Severity, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import Span
from tests.factories import make_evidence

_T = TypeVar("_T")

SEGMENTS = ("billing", "shipping", "returns", "accounts", "security", "mobile app", "partners", "legal")

_CHUNKS_AN_ANSWER = 5
_SENTENCES_A_CHUNK = 8
_KNOWN_CHUNKS = 400
_ADJECTIVES = [
    "annual",
    "early",
    "regional",
    "small",
    "public",
    "joint",
    "former",
    "senior",
    "open",
    "second",
    "northern",
    "local",
    "new",
    "final",
]
_NOUNS = [
    "committee",
    "engineer",
    "report",
    "bridge",
    "contract",
    "museum",
    "harbour",
    "festival",
    "ferry",
    "clinic",
    "orchard",
    "library",
    "tunnel",
    "archive",
    "airline",
    "brewery",
    "council",
    "factory",
    "theatre",
    "railway",
    "reservoir",
    "bakery",
    "laboratory",
    "stadium",
    "warehouse",
    "shipyard",
]
_VERBS = [
    "approved",
    "delayed",
    "opened",
    "inspected",
    "repaired",
    "funded",
    "closed",
    "described",
    "moved",
    "replaced",
    "sold",
    "tested",
]
# Some with letters beyond ASCII: real answers have them, and a store may treat those texts in another way.
_PLACES = [
    "Bergen",
    "Lisbon",
    "Osaka",
    "Quito",
    "Tartu",
    "Leeds",
    "Nairobi",
    "Cork",
    "Perth",
    "Graz",
    "Oulu",
    "İzmir",
    "Tromsø",
    "Córdoba",
]
_MONTHS = ["January", "March", "April", "June", "July", "September", "October", "December"]

_VERDICTS = (
    (Verdict.SUPPORTED, 70),
    (Verdict.PARTIALLY_SUPPORTED, 10),
    (Verdict.NOT_MENTIONED, 14),
    (Verdict.CONTRADICTED, 6),
)
_STATES = (
    (State.JUDGED, 900),
    (State.ABSTAINED, 35),
    (State.NO_CLAIMS, 30),
    (State.EMPTY_CONTEXT, 20),
    (State.FAILED, 15),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One answer with what a judge would have said of it."""

    sample: Sample
    result: Result


def make_samples(count: int, *, seed: int) -> list[Sample]:
    """Return answers of about 130 words with five chunks of about 100 words each."""
    return [row.sample for row in make_rows(count, seed=seed)]


def make_rows(count: int, *, seed: int) -> list[Row]:
    """Return judged answers: about 11 claims each, in every state, verdict, type and segment."""
    random_source = random.Random(seed)
    known = [_sentences(random_source, _SENTENCES_A_CHUNK) for _ in range(max(_KNOWN_CHUNKS, 2 * count))]
    return [_row(random_source, number, known) for number in range(1, count + 1)]


def _row(source: random.Random, number: int, known: Sequence[list[str]]) -> Row:
    state = _draw(source, _STATES)
    chunks = [] if state is State.EMPTY_CONTEXT else source.sample(known, _CHUNKS_AN_ANSWER)
    # Half of an answer's sentences stand in its chunks word for word, as in an extractive answer.
    quoted = [sentence for chunk in chunks for sentence in source.sample(chunk, 1)]
    sentences = quoted + _sentences(source, source.randint(9, 14) - len(quoted))
    source.shuffle(sentences)
    noun, place = source.choice(_NOUNS), source.choice(_PLACES)
    sample = Sample(
        key=f"row-{number:05d}",
        question=f"What is known about the {noun} in {place}, and who decided on it in case {number}?",
        answer=" ".join(sentences),
        chunks=tuple(
            Chunk(
                text=" ".join(chunk),
                chunk_id=f"kb-{source.randint(1, 9999):04d}-{at}",
                score=round(1 / (60 + at), 6),
                metadata={"source": f"article-{source.randint(1, 900)}.md", "section": source.randint(1, 9)},
            )
            for at, chunk in enumerate(chunks, start=1)
        ),
        segment=source.choice(SEGMENTS),
    )
    has_claims = state is State.JUDGED
    claims = tuple(_claim(source, sample, sentence) for sentence in sentences) if has_claims else ()
    error = "The model answered with text that is no JSON." if state is State.FAILED else None
    return Row(sample=sample, result=Result(state=state, judge="lexical", claims=claims, error=error, seconds=0.003))


def _claim(source: random.Random, sample: Sample, sentence: str) -> Claim:
    verdict = _draw(source, _VERDICTS)
    at = sample.answer.index(sentence)
    cited = next((chunk for chunk in sample.chunks if sentence in chunk.text), source.choice(sample.chunks))
    quote = sentence if sentence in cited.text else cited.text[: cited.text.index(". ") + 1]
    is_unsupported = verdict is not Verdict.SUPPORTED
    bears = verdict is not Verdict.NOT_MENTIONED
    return Claim(
        text=sentence,
        verdict=verdict,
        spans=(Span(start=at, end=at + len(sentence)),),
        confidence=round(source.uniform(0.5, 0.99), 3),
        support_score=round(source.random(), 3),
        explanation="The chunk states the same with other words; its figure and its place are those of the claim.",
        claim_type=ClaimType.FACTUAL,
        importance=source.choice(list(Importance)),
        hallucination_type=source.choice(list(HallucinationType)) if is_unsupported else None,
        severity=source.choice(list(Severity)) if is_unsupported else None,
        supporting_chunk_ids=(cited.chunk_id,) if bears else (),
        evidence=(make_evidence(cited, quote),) if bears else (),
    )


def _sentences(source: random.Random, count: int) -> list[str]:
    return [sentence for sentence, _ in zip(_endless_sentences(source), range(count), strict=False)]


def _endless_sentences(source: random.Random) -> Iterator[str]:
    while True:
        yield (
            f"The {source.choice(_ADJECTIVES)} {source.choice(_NOUNS)} in {source.choice(_PLACES)} "
            f"{source.choice(_VERBS)} {source.randint(2, 9800):,} {source.choice(_NOUNS)}s "
            f"in {source.choice(_MONTHS)} {source.randint(1890, 2026)}."
        )


def _draw(source: random.Random, weighted: Sequence[tuple[_T, int]]) -> _T:
    return source.choices([value for value, _ in weighted], [weight for _, weight in weighted])[0]
