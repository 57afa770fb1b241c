"""The guard checks an answer before it is sent, and returns what to send.

A corrected answer is judged again, and the better one is kept. The judge runs on an event loop in its own thread, so
threads and event loops can share it.

"""

import asyncio
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TypeVar

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
from faithview.services.guard.correction import Correction, correct_answer
from faithview.services.guard.edits import Edit, composed
from faithview.services.judge_catalogue import make_spec, to_build
from faithview.services.runs.judge_answer import judge_one
from faithview.wording.numbers import plural, share
from faithview.wording.plain_text import printable

# A second correction fixes what only the second judgement found; a third did not help in tests.
_MOST_ROUNDS = 2

Check = Callable[[str], Awaitable[GuardCheck]]
Correct = Callable[[GuardCheck], Awaitable[Correction]]


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


async def guard_answer(before: GuardCheck, *, check: Check, correct: Correct) -> GuardedAnswer:
    """Correct an answer that does not pass and judge it again, twice if that helps; never return a worse one."""
    best, usage = before, before.result.usage
    edits: tuple[Edit, ...] = ()
    notes: list[str] = []
    if not before.passed:
        for _ in range(_MOST_ROUNDS):
            correction = await correct(best)
            usage += correction.usage
            notes += [note for note in correction.notes if note not in notes]
            if not correction.changed:
                break
            after = await check(correction.answer)
            usage += after.result.usage
            refusal = _why_no_better(best, after)
            if refusal:
                notes.append(refusal)
                break
            edits = composed(before.answer, edits, correction.edits, before.issues) if edits else correction.edits
            best = after
            if best.passed:
                break
    return GuardedAnswer(
        answer=best.answer,
        changed=best.answer != before.answer,
        passed=best.passed,
        before=before,
        after=best,
        edits=edits,
        notes=tuple(notes),
        usage=usage,
    )


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
_Work = Callable[[Judge], Coroutine[object, object, _T]]

# How many answers a compute-only judge judges at a time: a short one need not wait for a long one, and more threads
# would slow each other down.
_THREADS = 4
# How long to wait at exit until the judge's connections are closed.
_PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class _Inside:
    """The judge with the event loop that it is used in."""

    judge: Judge
    loop: asyncio.AbstractEventLoop
    stop: asyncio.Event


@dataclass(slots=True)
class _Home:
    """The thread's state. It does not reference its `BackgroundJudge`, so an unused one can be garbage-collected."""

    build: Callable[[], Judge]
    pid: int = field(default_factory=os.getpid)
    ready: "Future[_Inside]" = field(default_factory=Future)
    finishes: bool = True


class BackgroundJudge:
    """Runs coroutines on the judge's event loop, for callers in any thread and on any event loop.

    The judge is built immediately, in the thread in which it is used. After a fork, the child's first call starts its
    own thread and judge. A guard that is not closed is closed when it is garbage-collected, or when the program ends.
    """

    def __init__(self, build: Callable[[], Judge]) -> None:
        """Start the thread and build the judge in it; what `build` raises is raised here."""
        self._build = build
        self._is_closed = False
        self._lock = threading.Lock()
        self._home = self._move_in()
        _EVERY.add(self)

    def run(self, work: "_Work[_T]") -> _T:
        """Run `work(judge)` and wait for it.

        Raises:
            InvalidInput: this is closed.
            RuntimeError: called from within such work, which would wait for itself.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("This would deadlock: you are inside the guard's own event loop. Use await instead.")
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
        with self._lock:
            self._is_closed = True
        _leave(self._home, self._thread, finishes=True)

    def _submit(self, work: "_Work[_T]") -> "Future[_T]":
        with self._lock:
            if self._is_closed:
                raise InvalidInput("This guard is closed; create a new one.")
            if self._home.pid != os.getpid():
                self._home = self._move_in()
            inside = self._home.ready.result()
            return asyncio.run_coroutine_threadsafe(work(inside.judge), inside.loop)

    def _move_in(self) -> _Home:
        home = _Home(self._build)
        self._thread = threading.Thread(target=_live, args=(home,), name="faithview-guard", daemon=True)
        self._thread.start()
        home.ready.result()
        weakref.finalize(self, _leave, home, self._thread, finishes=False)
        return home

    def _after_fork(self) -> None:
        # Another thread of the parent may have held the lock; in the child it would never be released.
        self._lock = threading.Lock()


_EVERY: "weakref.WeakSet[BackgroundJudge]" = weakref.WeakSet()


def _after_fork() -> None:
    for judge in _EVERY:
        judge._after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_after_fork)


def _live(home: _Home) -> None:
    asyncio.run(_serve(home))


async def _serve(home: _Home) -> None:
    try:
        inside = _Inside(home.build(), asyncio.get_running_loop(), asyncio.Event())
    except BaseException as error:  # noqa: BLE001 - a border between threads: raised again in the thread that waits
        home.ready.set_exception(error)
        return
    inside.loop.set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="faithview-guard"))
    home.ready.set_result(inside)
    try:
        await inside.stop.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if not home.finishes:
            for task in others:
                task.cancel()
        if others:
            await asyncio.wait(others)
    finally:
        await inside.judge.aclose()


def _leave(home: _Home, thread: threading.Thread, *, finishes: bool) -> None:
    """End the thread; with `finishes` after the calls under way, otherwise they are cancelled."""
    if home.pid != os.getpid() or not thread.is_alive():
        return
    home.finishes = finishes
    inside = home.ready.result()
    try:
        inside.loop.call_soon_threadsafe(inside.stop.set)
    except RuntimeError:  # it has ended just now
        return
    if thread is not threading.current_thread():
        thread.join(None if finishes else _PATIENCE_S)


# Texts that cannot be judged are reported like a failed judgement.
_Asked = Sample | InvalidSample


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
        return self._background.run(lambda judge: self._check(judge, answer, sample))

    async def acheck(self, *, answer: str, context: Context, question: str | None = None) -> GuardCheck:
        """Do what `check` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: self._check(judge, answer, sample))

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
        return self._background.run(lambda judge: self._correct(judge, answer, sample))

    async def acorrect(self, *, answer: str, context: Context, question: str | None = None) -> Correction:
        """Do what `correct` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: self._correct(judge, answer, sample))

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
        return self._background.run(lambda judge: self._guard(judge, answer, sample))

    async def aguard_and_correct(self, *, answer: str, context: Context, question: str | None = None) -> GuardedAnswer:
        """Do what `guard_and_correct` does, from a coroutine."""
        sample = _sample_or_reason(answer, context, question)
        return await self._background.arun(lambda judge: self._guard(judge, answer, sample))

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

    async def _check(self, judge: Judge, answer: str, sample: _Asked) -> GuardCheck:
        if isinstance(sample, InvalidSample):
            error = str(sample)
            return GuardCheck.of(
                answer, Result(state=State.FAILED, judge=judge.name, error=error, threshold=self._threshold)
            )
        # In a thread: the longest answer takes seconds, and the guard judges other answers meanwhile.
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
