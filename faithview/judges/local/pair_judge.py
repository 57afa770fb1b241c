"""The judges `nli`, `hhem` and `minicheck`: each claim is read with each passage of each chunk."""

from collections.abc import Sequence

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences
from faithview.judges.lexical.judge import judge_without_claims
from faithview.judges.lexical.splitting.claims import SplitAnswer, split_answer
from faithview.judges.local.loading import fingerprint_of, pair_model
from faithview.judges.local.networks import ReadingQueue
from faithview.judges.local.options import LocalOptions
from faithview.judges.local.pair_models import Opinion, PairModel, Question
from faithview.judges.local.verdicts import judge_claim


class PairJudge:
    """Judges with a local model. The model is loaded once per process, for all judges that use it."""

    def __init__(self, options: LocalOptions) -> None:
        self._options = options
        self._model: PairModel | None = None
        self._queue: ReadingQueue[Question, list[list[Opinion]]] = ReadingQueue(self._read)

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

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer; answers that are judged at the same time share the model's batches.

        Raises:
            JudgeFailed: the model cannot be loaded, or it or the memory is too small.
        """
        split = split_answer(sample.answer, sample.question)
        plain = judge_without_claims(sample, split, judge=self.name)
        if plain is not None:
            return plain
        claims = tuple(split.text_of(claim) for claim in split.claims)
        opinions = await self._queue.ask(Question(claims, tuple(chunk.text for chunk in sample.chunks)))
        return self._result(sample, split, opinions)

    async def aclose(self) -> None:
        """End the thread that runs the model; the model stays loaded for the next judge."""
        await self._queue.aclose()
        self._model = None

    def _read(self, questions: Sequence[Question]) -> list[list[list[Opinion]]]:
        try:
            self._model = self._model or pair_model(self._options)
        except JudgeUnavailable as error:
            raise JudgeFailed(str(error)) from error
        return self._model.read(questions)

    def _result(self, sample: Sample, split: SplitAnswer, opinions: list[list[Opinion]]) -> Result:
        occurrences = Occurrences(sample.answer)
        claims = tuple(
            judge_claim(
                sample,
                split.text_of(claim),
                occurrences.span_at(claim.start, claim.end),
                of_claim,
            )
            for claim, of_claim in zip(split.claims, opinions, strict=True)
        )
        # An answer is as faithful as its weakest claim.
        weakest = min(claim.support_score or 0.0 for claim in claims)
        return Result(state=State.JUDGED, judge=self.name, claims=claims, answer_score=weakest)
