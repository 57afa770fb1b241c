"""The judges of the user's own hardware: from a model's outputs to claims with verdict, explanation and quotes.

`nli`, `hhem` and `minicheck` read each claim with each passage of each chunk. `lettucedetect` reads the whole answer
with all chunks, and marks words.
"""

from collections.abc import Sequence
from dataclasses import replace

from faithview.domain.claim import Claim, Evidence, HallucinationType, Mismatch, Verdict
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences, Span, span_at
from faithview.judges.companions import relevance
from faithview.judges.lexical.judge import judge_without_claims
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.local.loading import fingerprint_of, pair_model, token_model
from faithview.judges.local.models import DIGITS, Answered, Marked, Opinion, PairModel, Question, TokenModel
from faithview.judges.local.networks import ReadingQueue
from faithview.judges.local.options import LocalOptions
from faithview.judges.local.texts import sentences
from faithview.judges.text.sentences import Range, trim


class _LocalJudge:
    """The common part of judges with a local model. A model is loaded once per process, for all judges that use it."""

    def __init__(self, options: LocalOptions) -> None:
        self._options = options

    @property
    def name(self) -> str:
        """The judge's name with its model, "nli:MODEL" for example."""
        return self._options.name

    @property
    def fingerprint(self) -> str:
        """The name, the model's exact content, the precision and the options that change a verdict.

        Raises:
            JudgeUnavailable: the model is not there.
        """
        return fingerprint_of(self._options)


class PairJudge(_LocalJudge):
    """Judges with a local model. The model is loaded once per process, for all judges that use it."""

    def __init__(self, options: LocalOptions) -> None:
        super().__init__(options)
        self._model: PairModel | None = None
        self._queue: ReadingQueue[Question, list[list[Opinion]]] = ReadingQueue(self._read_batch)

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer; answers that are judged at the same time share the model's batches.

        Raises:
            JudgeFailed: the model cannot be loaded, or it or the memory is too small.
        """
        split = split_answer(sample.answer, sample.question)
        plain = judge_without_claims(sample, split, judge=self.name)
        if plain is not None:
            return plain
        occurrences = Occurrences(sample.answer)
        places = [(split.text_of(claim), (occurrences.span_at(claim.start, claim.end),)) for claim in split.claims]
        return await self._judge_claims(sample, places)

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Rule on claims of an answer (see `SupportsVerifying`); raises JudgeFailed as `judge` does."""
        return await self._judge_claims(sample, [(claim.text, claim.spans) for claim in claims])

    async def aclose(self) -> None:
        """End the thread that runs the model; the model stays loaded for the next judge."""
        await self._queue.aclose()
        self._model = None

    def _read_batch(self, questions: Sequence[Question]) -> list[list[list[Opinion]]]:
        try:
            self._model = self._model or pair_model(self._options)
        except JudgeUnavailable as error:
            raise JudgeFailed(str(error)) from error
        return self._model.read(questions)

    async def _judge_claims(self, sample: Sample, stated: Sequence[tuple[str, tuple[Span, ...]]]) -> Result:
        """Judge claims, given by their texts and their places in the answer."""
        texts = tuple(text for text, _ in stated)
        opinions = await self._queue.ask(Question(texts, tuple(chunk.text for chunk in sample.chunks)))
        claims = tuple(
            judge_claim(sample, text, spans, of_claim) for (text, spans), of_claim in zip(stated, opinions, strict=True)
        )
        # An answer is as faithful as its weakest claim.
        weakest = min(claim.support_score or 0.0 for claim in claims)
        return Result(state=State.JUDGED, judge=self.name, claims=claims, answer_score=weakest)


# A model's own middle: above it, it holds the claim for supported (or contradicted) rather than not.
CUT = 0.5

# NLI models call two sentences about different things a contradiction. So a passage contradicts a claim only where it
# has at least a quarter of the claim's words, by weight; `relevance` counts half of them as 1.
_RELATED = 0.5


def judge_claim(sample: Sample, text: str, spans: tuple[Span, ...], opinions: Sequence[Opinion]) -> Claim:
    """Return the claim with its verdict.

    The chunk that supports it most counts, so a chunk about something else does no harm. It is contradicted
    where a chunk that is about the same contradicts it more surely than any supports it. Where one chunk supports it
    and another contradicts it, both are quoted and named, and the confidence is low.
    """
    best = max(opinions, key=lambda opinion: opinion.supported)
    denial = _denial(sample, text, opinions)
    denied = denial.contradicted or 0.0 if denial is not None else 0.0
    is_supported = best.supported >= CUT and best.supported >= denied
    is_denied = denial is not None and denied >= CUT
    chunk_id = sample.chunks[best.chunk].chunk_id
    if is_supported:
        verdict, confidence, resting = Verdict.SUPPORTED, best.supported, [best]
        explanation = f"Chunk {chunk_id} supports this."
        if denial is not None and is_denied:
            confidence, resting = _share(best.supported, denied), [best, denial]
            explanation = f"Chunk {chunk_id} supports this, but chunk {_id(sample, denial)} contradicts it."
    elif denial is not None and is_denied:
        verdict, confidence, resting = Verdict.CONTRADICTED, denied, [denial]
        explanation = f"Chunk {_id(sample, denial)} contradicts this."
        if best.supported >= CUT:
            confidence, resting = _share(denied, best.supported), [denial, best]
            explanation = f"Chunk {_id(sample, denial)} contradicts this, but chunk {chunk_id} supports it."
    else:
        verdict, confidence, resting = Verdict.NOT_MENTIONED, round(1 - max(best.supported, denied), DIGITS), []
        explanation = "No chunk supports this."
        closest = best_sentence(text, sample.chunks[best.chunk].text, best.start, best.end)
        if closest is not None:
            explanation = f"No chunk supports this; chunk {chunk_id} comes closest."
    return Claim(
        text=text,
        verdict=verdict,
        spans=spans,
        confidence=confidence,
        support_score=best.supported,
        explanation=explanation,
        hallucination_type=HallucinationType.CONTRADICTION if verdict is Verdict.CONTRADICTED else None,
        supporting_chunk_ids=tuple(dict.fromkeys(_id(sample, opinion) for opinion in resting)),
        evidence=tuple(quoted for opinion in resting for quoted in _evidence(sample, text, opinion)),
    )


def best_sentence(claim: str, text: str, start: int, end: int) -> Range | None:
    """Return the sentence of a passage that has most of a claim's words; None if none has any.

    The models read whole passages and do not say which sentence decided.
    """
    found = [(relevance(claim, text[a:b]), -(b - a), -a, (a, b)) for a, b in sentences(text, start, end)]
    best = max(found, default=None)
    return None if best is None or best[0] == 0 else best[3]


def quote(sample: Sample, chunk: int, place: Range) -> Evidence:
    """Return a part of a chunk as evidence."""
    text = sample.chunks[chunk].text
    return Evidence(chunk_id=sample.chunks[chunk].chunk_id, quote=text[slice(*place)], span=span_at(text, *place))


def _denial(sample: Sample, claim: str, opinions: Sequence[Opinion]) -> Opinion | None:
    """Return the opinion of the passage that contradicts the claim most surely, of those that are about the same."""
    surest = sorted(opinions, key=lambda opinion: -(opinion.contradicted or 0.0))
    for opinion in surest:
        if (opinion.contradicted or 0.0) < CUT:
            return None
        if relevance(claim, sample.chunks[opinion.chunk].text[opinion.start : opinion.end]) >= _RELATED:
            return opinion
    return None


def _evidence(sample: Sample, claim: str, opinion: Opinion) -> list[Evidence]:
    place = best_sentence(claim, sample.chunks[opinion.chunk].text, opinion.start, opinion.end)
    return [] if place is None else [quote(sample, opinion.chunk, place)]


def _share(this: float, other: float) -> float:
    """Return how sure a verdict is against another one that a chunk speaks for: about a half where both are sure."""
    return round(this / (this + other), DIGITS)


def _id(sample: Sample, opinion: Opinion) -> str:
    return sample.chunks[opinion.chunk].chunk_id


# A claim with at least this share of its letters marked is unsupported as a whole.
_MOST_OF_IT = 0.5

# Words outside claims that a warning names at most.
_MOST_NAMED = 3


class TokenJudge(_LocalJudge):
    """Judges with a model of one's own that marks unsupported words."""

    def __init__(self, options: LocalOptions) -> None:
        super().__init__(options)
        self._model: TokenModel | None = None
        self._queue: ReadingQueue[Answered, list[Marked]] = ReadingQueue(self._read_batch)

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer; answers that are judged at the same time share the model's batches.

        Raises:
            JudgeFailed: the question is too long for the model, the memory is too small, or the
                model cannot be loaded.
        """
        split = split_answer(sample.answer, sample.question)
        plain = judge_without_claims(sample, split, judge=self.name)
        if plain is not None:
            return plain
        occurrences = Occurrences(sample.answer)
        stated = [(split.text_of(claim), occurrences.span_at(claim.start, claim.end)) for claim in split.claims]
        tokens = await self._mark(sample)
        outside = _outside(sample.answer, tokens, [(claim.start, claim.end) for claim in split.claims])
        return replace(self._judge_claims(sample, stated, tokens), warnings=outside)

    async def verify(self, sample: Sample, claims: Sequence[Claim]) -> Result:
        """Rule on claims of an answer (see `SupportsVerifying`); a claim without a place in it cannot be judged.

        Raises:
            JudgeFailed: as `judge` does, or for such a claim.
        """
        if lost := next((claim for claim in claims if not claim.spans), None):
            raise JudgeFailed(f"{self.name} marks words of the answer, and the claim {lost.text!r} has no place in it.")
        stated = [(claim.text, claim.spans[0]) for claim in claims]
        return self._judge_claims(sample, stated, await self._mark(sample))

    async def aclose(self) -> None:
        """End the thread that runs the model; the model stays loaded for the next judge."""
        await self._queue.aclose()
        self._model = None

    async def _mark(self, sample: Sample) -> list[Marked]:
        given = Answered(sample.question, sample.answer, tuple(chunk.text for chunk in sample.chunks))
        return await self._queue.ask(given)

    def _judge_claims(self, sample: Sample, stated: Sequence[tuple[str, Span]], tokens: Sequence[Marked]) -> Result:
        """Judge claims, given by their texts and their places in the answer."""
        claims = tuple(
            _judge_marked_claim(
                sample, text, span, [token for token in tokens if token.start < span.end and span.start < token.end]
            )
            for text, span in stated
        )
        weakest = min(claim.support_score or 0.0 for claim in claims)
        return Result(state=State.JUDGED, judge=self.name, claims=claims, answer_score=weakest)

    def _read_batch(self, given: Sequence[Answered]) -> list[list[Marked]]:
        try:
            self._model = self._model or token_model(self._options)
        except JudgeUnavailable as error:
            raise JudgeFailed(str(error)) from error
        return self._model.read(given)


def _judge_marked_claim(sample: Sample, text: str, span: Span, tokens: Sequence[Marked]) -> Claim:
    """Return a claim: supported where no word of it is marked, unsupported where most are, partly otherwise.

    The model does not tell a contradiction from silence.
    """
    worst = max((token.unsupported for token in tokens), default=0.0)
    marked = [place for place in marked_words(sample.answer, tokens) if span.start < place[1] and place[0] < span.end]
    marked = [(max(start, span.start), min(end, span.end)) for start, end in marked]
    support = round(1 - worst, DIGITS)
    if not marked:
        chunk, place = _closest(sample, text)
        explanation = "The model marks no word of this."
        quoted = () if chunk is None or place is None else (quote(sample, chunk, place),)
        if quoted:
            explanation += f" Chunk {quoted[0].chunk_id} shares the most words with it."
        return Claim(
            text=text,
            verdict=Verdict.SUPPORTED,
            spans=(span,),
            confidence=support,
            support_score=support,
            explanation=explanation,
            supporting_chunk_ids=tuple(item.chunk_id for item in quoted),
            evidence=quoted,
        )
    letters = sum(not character.isspace() for character in sample.answer[span.start : span.end])
    unsupported = sum(not character.isspace() for a, b in marked for character in sample.answer[a:b])
    is_most = unsupported >= _MOST_OF_IT * letters
    named = ", ".join(f"“{sample.answer[a:b]}”" for a, b in marked)
    return Claim(
        text=text,
        verdict=Verdict.NOT_MENTIONED if is_most else Verdict.PARTIALLY_SUPPORTED,
        spans=(span,),
        confidence=worst,
        support_score=support,
        explanation="No chunk supports this." if is_most else f"No chunk supports {named}.",
        mismatches=tuple(Mismatch(start, end) for start, end in marked),
    )


def marked_words(answer: str, tokens: Sequence[Marked]) -> list[Range]:
    """Return the parts of an answer that the model marks: neighbouring tokens joined, widened to whole words."""
    joined: list[Range] = []
    for token in tokens:
        if token.unsupported < CUT:
            continue
        start, end = trim(answer, token.start, token.end)
        if start == end:
            continue
        while start > 0 and answer[start].isalnum() and answer[start - 1].isalnum():
            start -= 1
        while end < len(answer) and answer[end - 1].isalnum() and answer[end].isalnum():
            end += 1
        if joined and not answer[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _closest(sample: Sample, claim: str) -> tuple[int | None, Range | None]:
    """Return the chunk and the sentence of it that share most words with a claim; None if none shares any."""
    found = []
    for number, chunk in enumerate(sample.chunks):
        place = best_sentence(claim, chunk.text, 0, len(chunk.text))
        if place is not None:
            found.append((relevance(claim, chunk.text[slice(*place)]), -number, place))
    if not found:
        return None, None
    _, number, place = max(found)
    return -number, place


def _outside(answer: str, tokens: Sequence[Marked], claims: Sequence[Range]) -> tuple[str, ...]:
    """Return a warning about marked words that belong to no claim: they are in no verdict."""
    lost = [
        answer[start:end]
        for start, end in marked_words(answer, tokens)
        if any(character.isalnum() for character in answer[start:end])
        and not any(start < last and first < end for first, last in claims)
    ]
    if not lost:
        return ()
    named = ", ".join(f"“{text}”" for text in lost[:_MOST_NAMED])
    more = f" and {len(lost) - _MOST_NAMED} more" if len(lost) > _MOST_NAMED else ""
    return (f"The model also marks words that belong to no claim: {named}{more}.",)
