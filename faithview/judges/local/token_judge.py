"""The judge `lettucedetect`: the whole answer is read with all chunks, and each of its words is marked or not."""

from collections.abc import Sequence

from faithview.domain.claim import Claim, Mismatch, Verdict
from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences, Span
from faithview.judges.companions import relevance
from faithview.judges.lexical.judge import judge_without_claims
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.local.loading import fingerprint_of, token_model
from faithview.judges.local.networks import ReadingQueue
from faithview.judges.local.options import LocalOptions
from faithview.judges.local.pair_models import DIGITS
from faithview.judges.local.token_models import Answered, Marked, TokenModel
from faithview.judges.local.verdicts import CUT, best_sentence, quote
from faithview.judges.text.sentences import Range, trim

# A claim with at least this share of its letters marked is unsupported as a whole.
_MOST_OF_IT = 0.5

# Words outside claims that a warning names at most.
_MOST_NAMED = 3


class TokenJudge:
    """Judges with a model of one's own that marks unsupported words."""

    def __init__(self, options: LocalOptions) -> None:
        self._options = options
        self._model: TokenModel | None = None
        self._queue: ReadingQueue[Answered, list[Marked]] = ReadingQueue(self._read)

    @property
    def name(self) -> str:
        """The judge's name with its model, "lettucedetect:MODEL"."""
        return self._options.name

    @property
    def fingerprint(self) -> str:
        """The name, the model's exact content, the precision and the options that change a verdict.

        Raises:
            JudgeUnavailable: the model is not there.
        """
        return fingerprint_of(self._options)

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
        given = Answered(sample.question, sample.answer, tuple(chunk.text for chunk in sample.chunks))
        tokens = await self._queue.ask(given)
        occurrences = Occurrences(sample.answer)
        claims = []
        for claim in split.claims:
            inside = [token for token in tokens if token.start < claim.end and claim.start < token.end]
            span = occurrences.span_at(claim.start, claim.end)
            claims.append(_judge_claim(sample, split.text_of(claim), span, inside))
        outside = _outside(sample.answer, tokens, [(claim.start, claim.end) for claim in split.claims])
        return Result(
            state=State.JUDGED,
            judge=self.name,
            claims=tuple(claims),
            answer_score=min(claim.support_score or 0.0 for claim in claims),
            warnings=outside,
        )

    async def aclose(self) -> None:
        """End the thread that runs the model; the model stays loaded for the next judge."""
        await self._queue.aclose()
        self._model = None

    def _read(self, given: Sequence[Answered]) -> list[list[Marked]]:
        try:
            self._model = self._model or token_model(self._options)
        except JudgeUnavailable as error:
            raise JudgeFailed(str(error)) from error
        return self._model.read(given)


def _judge_claim(sample: Sample, text: str, span: Span, tokens: Sequence[Marked]) -> Claim:
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
