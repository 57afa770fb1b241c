"""The guard checks an answer before it is sent, and returns what to send.

A corrected answer is judged again, and the better one is kept. The judge runs on an event loop in its own thread, so
threads and event loops can share it.

"""

import asyncio
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TypeVar

from anyio.from_thread import BlockingPortal

from faithview.domain.arguments import check_arguments
from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError, InvalidInput, InvalidSample
from faithview.domain.result import Result, State, Usage
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Context, Sample, type_of
from faithview.domain.scoring import DEFAULT_THRESHOLD, check_threshold
from faithview.judges.base import Judge
from faithview.judges.registry import create_judge
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.correction import Correction, Edit, apply_edits, compose, correct_answer
from faithview.services.judge_catalogue import make_spec, to_build
from faithview.services.runs.judge_answer import judge_one
from faithview.wording.numbers import plural, share
from faithview.wording.plain_text import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedAnswer:
    """An answer that was judged, corrected if it did not pass, and judged again.

    `answer` is the corrected one if it is better, otherwise the given one. `passed` says whether it may be sent;
    `before` is the check of the given answer and `after` of the returned one. `edits` turn the given answer into the
    returned one, with offsets into the given one. `notes` say what could not be corrected, and whether a correction was
    discarded. `usage` is the cost of all calls.
    """

    answer: str
    changed: bool
    passed: bool
    before: GuardCheck
    after: GuardCheck
    edits: tuple[Edit, ...]
    notes: tuple[str, ...]
    usage: Usage

    def __str__(self) -> str:
        """Return the judgement of the returned answer in lines, and the answer itself."""
        lead = "corrected, " if self.changed else ""
        return f"{lead}{self.after}\n{printable(self.answer)}"


class GuardBlocked(FaithViewError):
    """An answer did not pass, and there was nothing to send instead.

    Attributes:
        check: the guard's check; a `GuardedAnswer` if it tried to correct the answer.
        result: the judge's result on the given answer.
    """

    def __init__(self, check: GuardCheck | GuardedAnswer) -> None:
        before = check.before if isinstance(check, GuardedAnswer) else check
        super().__init__(f"The answer is blocked. {before.reason}")
        self.check = check
        self.result: Result = before.result


def rank_of(check: GuardCheck) -> tuple[bool, bool, int, float, int]:
    """Return a sort key for answers, greater for better ones.

    Compared in order: whether it passes, whether it was judged, how few claims are contradicted, its faithfulness, and
    how many claims are supported.
    """
    verdicts = check.result.verdicts
    score = -1.0 if check.score is None else check.score
    is_judged = check.result.state is not State.FAILED
    return check.passed, is_judged, -verdicts.count(Verdict.CONTRADICTED), score, verdicts.count(Verdict.SUPPORTED)


# Texts that cannot be judged are reported like a failed judgement.
_Asked = Sample | InvalidSample


async def _guard_answer(judge: Judge, answer: str, sample: _Asked, threshold: float) -> GuardedAnswer:
    """Correct an answer that does not pass and judge it again, twice if that helps; never return a worse one.

    The second correction only removes what the second judgement found, or what could not be put right.
    """
    before = best = await _check(judge, answer, sample, threshold)
    usage = before.result.usage
    edits: tuple[Edit, ...] = ()
    notes: list[str] = []
    seen = {answer}
    for only_removes in (False, True):
        if best.passed:
            break
        correction = await correct_answer(best, _with_answer(sample, best.answer), judge, only_removes=only_removes)
        usage += correction.usage
        notes += [note for note in correction.notes if note not in notes]
        composed = compose(edits, correction.edits, before.issues)
        corrected = apply_edits(answer, composed)
        if corrected in seen:
            continue
        seen.add(corrected)
        after = await _check(judge, corrected, _with_answer(sample, corrected), threshold)
        usage += after.result.usage
        refusal = _why_no_better(best, after)
        if refusal:
            notes.append(refusal)
        else:
            best, edits = after, composed
    return GuardedAnswer(
        answer=best.answer,
        changed=best.answer != answer,
        passed=best.passed,
        before=before,
        after=best,
        edits=edits,
        notes=tuple(notes),
        usage=usage,
    )


async def _check(judge: Judge, answer: str, sample: _Asked, threshold: float) -> GuardCheck:
    if isinstance(sample, InvalidSample):
        failed = Result(state=State.FAILED, judge=judge.name, error=str(sample), threshold=threshold)
        return GuardCheck.of(answer, failed)
    # In a thread: the longest answer takes seconds, and the guard judges other answers meanwhile.
    return GuardCheck.of(answer, await judge_one(judge, sample, threshold=threshold, beside_loop=True))


async def _correct(judge: Judge, answer: str, sample: _Asked, threshold: float) -> Correction:
    check = await _check(judge, answer, sample, threshold)
    correction = await correct_answer(check, sample, judge)
    return replace(correction, usage=check.result.usage + correction.usage)


def _why_no_better(before: GuardCheck, after: GuardCheck) -> str:
    """Return why a corrected answer is discarded; "" if it is better."""
    if after.result.state is State.FAILED:
        return f"The corrected answer was discarded. {after.reason}"
    if after.result.state is State.NO_CLAIMS:
        return "The corrected answer was discarded because it no longer states a fact."
    if rank_of(after) > rank_of(before):
        return ""
    after_words, before_words = _figures_in_words(after), _figures_in_words(before)
    return f"The corrected answer was discarded because it is no better: {after_words}; before, {before_words}."


def _figures_in_words(check: GuardCheck) -> str:
    contradicted = check.result.verdicts.count(Verdict.CONTRADICTED)
    return f"faithfulness {share(check.score)} with {plural(contradicted, 'contradicted claim')}"


_T = TypeVar("_T")
_Work = Callable[[Judge], Awaitable[_T]]

# How long to wait at exit until the judge's connections are closed.
_PATIENCE_S = 5.0


class BackgroundJudge:
    """Runs coroutines on the judge's event loop, for callers in any thread and on any event loop.

    The judge is built at once, in the thread in which it is used. The first call after a fork starts a thread with a
    judge for the child. A guard that is not closed is closed when it is garbage-collected, or when the program ends.
    """

    def __init__(self, build: Callable[[], Judge]) -> None:
        """Start the thread and build the judge in it; what `build` raises is raised here."""
        self._build = build
        self._is_closed = False
        self._start()

    def run(self, work: "_Work[_T]") -> _T:
        """Run `work(judge)` and wait for it.

        Raises:
            InvalidInput: this is closed.
            RuntimeError: called from within such work, which would wait for itself.
        """
        future = self._submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # after Ctrl-C no caller waits for it any more
            raise

    async def arun(self, work: "_Work[_T]") -> _T:
        """Run `work(judge)`; cancelling this cancels it. Raises InvalidInput if this is closed."""
        return await asyncio.wrap_future(self._submit(work))

    def close(self) -> None:
        """Wait for the calls under way, close the judge and end the thread. Closing twice does nothing."""
        self._is_closed = True
        if self._finalizer.detach():
            _end(self._portal, self._thread, self._pid, finishes=True)

    def _submit(self, work: "_Work[_T]") -> "Future[_T]":
        if self._is_closed:
            raise InvalidInput("This guard is closed; create a new one.")
        if self._pid != os.getpid():
            self._start()
        return self._portal.start_task_soon(work, self._judge)

    def _start(self) -> None:
        ready: Future[tuple[BlockingPortal, Judge]] = Future()
        serving = (_serve(self._build, ready),)
        self._thread = threading.Thread(target=asyncio.run, args=serving, name="faithview-guard", daemon=True)
        self._thread.start()
        self._portal, self._judge = ready.result()
        self._pid = os.getpid()
        # The thread knows nothing of this object, so an unused guard is collected.
        self._finalizer = weakref.finalize(self, _end, self._portal, self._thread, self._pid, finishes=False)


async def _serve(build: Callable[[], Judge], ready: "Future[tuple[BlockingPortal, Judge]]") -> None:
    try:
        judge = build()
    except BaseException as error:  # noqa: BLE001 - a border between threads: raised again in the thread that waits
        ready.set_exception(error)
        return
    try:
        async with BlockingPortal() as portal:
            ready.set_result((portal, judge))
            await portal.sleep_until_stopped()
    finally:
        await judge.aclose()


def _end(portal: BlockingPortal, thread: threading.Thread, pid: int, *, finishes: bool) -> None:
    """End the thread; with `finishes` after the calls under way, otherwise they are cancelled.

    Called from that thread it does nothing, because the thread cannot wait for itself; it ends with the program.
    """
    if pid == os.getpid() and thread.is_alive() and thread is not threading.current_thread():
        portal.call(portal.stop, not finishes)
        thread.join(None if finishes else _PATIENCE_S)


class FaithfulnessGuard:
    """Judges answers before they are sent. Make one guard and share it between threads and event loops.

    Every method has an async twin, whose name begins with "a". An answer that cannot be judged does not pass.

    Example:
        >>> from faithview import FaithfulnessGuard
        >>> with FaithfulnessGuard(fallback="I am not sure.") as guard:
        ...     check = guard.check(answer="Refunds take 30 days.", context=["Refunds take 14 days."])
        ...     check.passed, check.score
        ...     guard.enforce(answer="Refunds take 30 days.", context=["Refunds take 14 days."])
        (False, 0.0)
        'Refunds take 14 days.'
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
            judge: a judge's name ("embedded", "lexical", "openai:MODEL"), or your own judge, which the guard then
                closes.
            threshold: the share of supported claims, in [0, 1], from which an answer passes if none of the others is
                contradicted or not mentioned.
            method: how an LLM judge works, "claims" for example.
            strictness: what counts as support (see `evaluate`).
            options: other options of the judge by name, "timeout" or "workers" for example.
            fallback: the text that `enforce` returns in place of a blocked answer; None makes it raise GuardBlocked.

        Raises:
            InvalidInput: an argument has the wrong type, the threshold is not in [0, 1], or this judge does not have an
                option.
            JudgeUnavailable: the judge does not exist, or something that it needs is missing.
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
        """Judge an answer against its chunks.

        A text that cannot be judged (one with a NUL character) does not pass, and `reason` says why.

        Args:
            answer: the answer to judge.
            context: the chunks that were retrieved for it, best first, as `faithview.check` takes them.
            question: the question that the answer replies to; some judges use it.

        Returns:
            The check: whether the answer passes, its score and its issues.

        Raises:
            InvalidInput: the answer or the question is not text, or the guard is closed.
        """
        sample = _sample_or_reason(answer, context, question)
        return self._background.run(lambda judge: _check(judge, answer, sample, self._threshold))

    async def acheck(self, *, answer: str, context: Context, question: str | None = None) -> GuardCheck:
        """Do what `check` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: _check(judge, answer, sample, self._threshold))

    def correct(self, *, answer: str, context: Context, question: str | None = None) -> Correction:
        """Judge an answer and change or remove its unsupported parts; the result is not judged again.

        An LLM judge rewrites the sentences that are not supported. Without one, a chunk's value replaces a wrong one if
        it certainly corresponds, and other unsupported parts are removed. An answer without issues is returned
        unchanged.

        Args:
            answer: the answer to judge.
            context: the chunks that were retrieved for it, best first, as `faithview.check` takes them.
            question: the question that the answer replies to; some judges use it.

        Returns:
            The corrected answer, its edits, and notes on what could not be corrected.

        Raises:
            InvalidInput: the answer or the question is not text, or the guard is closed.
        """
        sample = _sample_or_reason(answer, context, question)
        return self._background.run(lambda judge: _correct(judge, answer, sample, self._threshold))

    async def acorrect(self, *, answer: str, context: Context, question: str | None = None) -> Correction:
        """Do what `correct` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: _correct(judge, answer, sample, self._threshold))

    def guard_and_correct(self, *, answer: str, context: Context, question: str | None = None) -> GuardedAnswer:
        """Judge an answer; if it does not pass, correct it, judge it again and return the better of the two.

        An answer that passes is returned unchanged, with its issues; with a threshold of 1 all issues are corrected.

        Args:
            answer: the answer to judge.
            context: the chunks that were retrieved for it, best first, as `faithview.check` takes them.
            question: the question that the answer replies to; some judges use it.

        Returns:
            The better answer, whether it passes, and the checks before and after.

        Raises:
            InvalidInput: the answer or the question is not text, or the guard is closed.
        """
        sample = _sample_or_reason(answer, context, question)
        return self._background.run(lambda judge: _guard_answer(judge, answer, sample, self._threshold))

    async def aguard_and_correct(self, *, answer: str, context: Context, question: str | None = None) -> GuardedAnswer:
        """Do what `guard_and_correct` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: _guard_answer(judge, answer, sample, self._threshold))

    def enforce(self, *, answer: str, context: Context, question: str | None = None, correct: bool = True) -> str:
        """Return the text to send: the answer if it passes, the corrected one if that passes, or the fallback.

        Args:
            answer: the answer to judge.
            context: the chunks that were retrieved for it, best first, as `faithview.check` takes them.
            question: the question that the answer replies to; some judges use it.
            correct: whether an answer that does not pass is corrected.

        Returns:
            The text to send.

        Raises:
            GuardBlocked: neither passes, and there is no fallback.
            InvalidInput: the answer or the question is not text, or the guard is closed.
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
        """Return the text to send after a check: its answer if it passes, otherwise the fallback.

        Args:
            seen: what `check` or `guard_and_correct` returned.

        Returns:
            The text to send.

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


def _with_answer(sample: _Asked, answer: str) -> _Asked:
    if isinstance(sample, InvalidSample):
        return sample
    try:
        return replace(sample, answer=answer)
    except InvalidSample as error:
        return error


def _sample_or_reason(answer: str, context: Context, question: str | None) -> _Asked:
    """Return the sample to judge, or why it cannot be judged; raises InvalidInput if answer or question is not text."""
    texts: dict[str, object] = {"answer": answer, "question": "" if question is None else question}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise InvalidInput(f"The {name} must be a string, not {type_of(text)}.")
    try:
        return Sample.of(answer, context, question=question)
    except InvalidSample as error:
        return error
