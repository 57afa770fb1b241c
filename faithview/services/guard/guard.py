"""The guard: checks an answer before it is sent, and says what to send."""

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType

from faithview.domain.arguments import check_arguments, described
from faithview.domain.errors import InvalidInput, InvalidSample
from faithview.domain.result import Result, State
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Context, Sample, type_of
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from faithview.services.guard.background import BackgroundJudge
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction.correct import Correction, correct_answer
from faithview.services.guard.guarded_answer import GuardBlocked, GuardedAnswer, guard_answer
from faithview.services.judge_catalogue import make_spec, to_build
from faithview.services.runs.judge_answer import judge_one

# Why texts make no sample is told like a judgement that failed.
_Asked = Sample | InvalidSample


class FaithfulnessGuard:
    """Judges answers before they are sent. One guard serves threads and event loops alike; make it once.

    Every call has a twin for coroutines, whose name begins with "a". An answer that cannot be judged does not pass. One
    that is no text raises InvalidInput, and so does such a question.
    """

    def __init__(
        self,
        judge: str | Judge = DEFAULT_JUDGE,
        threshold: float = DEFAULT_THRESHOLD,
        *,
        method: str | None = None,
        strictness: str | None = None,
        options: Mapping[str, str] | None = None,
        fallback: str | None = None,
    ) -> None:
        """Build the judge.

        Args:
            judge: a judge's name ("embedded", "lexical", "openai:MODEL"), or a judge of your own, which the guard then
                closes.
            threshold: the share of supported claims, in [0, 1], from which an answer passes if none of the others is
                contradicted or not mentioned.
            method: how an LLM judge works, "claims" for example.
            strictness: what counts as support (see `evaluate`).
            options: other options of the judge by name, "timeout" or "workers" for example.
            fallback: what `enforce` returns in place of a blocked answer; None makes it raise GuardBlocked.

        Raises:
            InvalidInput: an argument is of another type, the threshold is not in [0, 1], or an option means nothing to
                this judge.
            JudgeUnavailable: no such judge, or what it needs is missing.
        """
        check_threshold(threshold)
        check_arguments(optional={"method": method, "strictness": strictness, "options": options, "fallback": fallback})
        if not callable(getattr(judge, "judge", None)):  # a judge of the caller's own has this method
            check_arguments(judge=judge)
        self._threshold = threshold
        self._fallback = fallback
        if isinstance(judge, str):
            spec = to_build(make_spec(judge, method=method, strictness=strictness, options=options))
            self._background = BackgroundJudge(lambda: create_judge(spec))
        else:
            given = judge
            self._background = BackgroundJudge(lambda: given)

    @property
    def threshold(self) -> float:
        """The share of supported claims from which an answer passes."""
        return self._threshold

    def check(self, *, answer: str, context: Context, question: str | None = None) -> GuardCheck:
        """Judge an answer against its chunks; a context of one string is one chunk.

        A text that cannot be judged (one with a NUL character) does not pass, and `reason` says why.
        """
        sample = _sample(answer, context, question)
        return self._background.run(lambda judge: self._check(judge, answer, sample))

    async def acheck(self, *, answer: str, context: Context, question: str | None = None) -> GuardCheck:
        """Do what `check` does, from a coroutine."""
        sample = _sample(answer, context, question)
        return await self._background.arun(lambda judge: self._check(judge, answer, sample))

    def correct(self, *, answer: str, context: Context, question: str | None = None) -> Correction:
        """Judge an answer and change or remove what is not supported; nothing is added, nobody judges it again.

        An LLM judge rewrites the sentences that are not supported. Without one, a chunk's value takes the place of a
        wrong one where that is sure, and the rest is removed. An answer without issues comes back as it is.
        """
        sample = _sample(answer, context, question)
        return self._background.run(lambda judge: self._correct(judge, answer, sample))

    async def acorrect(self, *, answer: str, context: Context, question: str | None = None) -> Correction:
        """Do what `correct` does, from a coroutine."""
        sample = _sample(answer, context, question)
        return await self._background.arun(lambda judge: self._correct(judge, answer, sample))

    def guard_and_correct(self, *, answer: str, context: Context, question: str | None = None) -> GuardedAnswer:
        """Judge an answer; if it does not pass, correct it, judge it again and return the better of the two.

        An answer that passes comes back as it is, with its issues; with a threshold of 1 all of them are corrected.
        """
        sample = _sample(answer, context, question)
        return self._background.run(lambda judge: self._guard(judge, answer, sample))

    async def aguard_and_correct(self, *, answer: str, context: Context, question: str | None = None) -> GuardedAnswer:
        """Do what `guard_and_correct` does, from a coroutine."""
        sample = _sample(answer, context, question)
        return await self._background.arun(lambda judge: self._guard(judge, answer, sample))

    def enforce(self, *, answer: str, context: Context, question: str | None = None, correct: bool = True) -> str:
        """Return the text to send: the answer if it passes, else the corrected one if that does, else the fallback.

        Args:
            answer: the answer.
            context: its chunks.
            question: what was asked.
            correct: whether an answer that does not pass is corrected.

        Raises:
            GuardBlocked: neither passes, and there is no fallback.
        """
        if correct:
            return self.sendable(self.guard_and_correct(answer=answer, context=context, question=question))
        return self.sendable(self.check(answer=answer, context=context, question=question))

    async def aenforce(
        self, *, answer: str, context: Context, question: str | None = None, correct: bool = True
    ) -> str:
        """Do what `enforce` does, from a coroutine."""
        if correct:
            return self.sendable(await self.aguard_and_correct(answer=answer, context=context, question=question))
        return self.sendable(await self.acheck(answer=answer, context=context, question=question))

    def sendable(self, seen: GuardCheck | GuardedAnswer) -> str:
        """Return the text to send after a check: its answer if that passes, else the fallback.

        Raises:
            GuardBlocked: it does not pass, and there is no fallback.
        """
        if seen.passed:
            return seen.answer
        if self._fallback is None:
            raise GuardBlocked(seen)
        return self._fallback

    def close(self) -> None:
        """Wait for the calls under way and close the judge; every later call raises InvalidInput."""
        self._background.close()

    def __enter__(self) -> "FaithfulnessGuard":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _check(self, judge: Judge, answer: str, sample: _Asked) -> GuardCheck:
        if isinstance(sample, InvalidSample):
            error = str(sample)
            return GuardCheck.of(
                answer, Result(state=State.FAILED, judge=judge.name, error=error, threshold=self._threshold)
            )
        # The longest answer takes seconds, in which the guard judges other answers.
        result = await judge_one(judge, sample, threshold=self._threshold, beside_loop=True)
        return GuardCheck.of(answer, result)

    async def _correct(self, judge: Judge, answer: str, sample: _Asked) -> Correction:
        check = await self._check(judge, answer, sample)
        correction = await correct_answer(check, sample, judge)
        return replace(correction, usage=check.result.usage + correction.usage)

    async def _guard(self, judge: Judge, answer: str, sample: _Asked) -> GuardedAnswer:
        async def check(text: str) -> GuardCheck:
            return await self._check(judge, text, _with_answer(sample, text))

        async def correct(checked: GuardCheck) -> Correction:
            return await correct_answer(checked, _with_answer(sample, checked.answer), judge)

        return await guard_answer(await check(answer), check=check, correct=correct)


def check_guard(guard: object) -> None:
    """Raise InvalidInput for what is not a guard, a judge's name for example."""
    if not isinstance(guard, FaithfulnessGuard):
        raise InvalidInput(
            f'`guard` must be a FaithfulnessGuard, FaithfulnessGuard("embedded") for example, not {described(guard)}.'
        )


def _with_answer(sample: _Asked, answer: str) -> _Asked:
    if isinstance(sample, InvalidSample):
        return sample
    try:
        return replace(sample, answer=answer)
    except InvalidSample as error:
        return error


def _sample(answer: str, context: Context, question: str | None) -> _Asked:
    """Return what is judged, or why it cannot be; raises InvalidInput for an answer or a question that is no text."""
    texts: dict[str, object] = {"answer": answer, "question": "" if question is None else question}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise InvalidInput(f"The {name} must be a text, not {type_of(text)}.")
    try:
        return Sample.of(answer, context, question=question)
    except InvalidSample as error:
        return error
