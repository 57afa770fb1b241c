"""Generate a validated answer: from the chunks only, judged, and tried again if it does not pass."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from operator import itemgetter
from time import perf_counter

from faithview.domain.arguments import check_arguments, described
from faithview.domain.claim import Claim
from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.result import State, Usage
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Chunk, Context, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.judges.base import Judge
from faithview.judges.capabilities import AsksModel, Writing
from faithview.judges.registry import create_judge
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard, rank_of
from faithview.services.judge_catalogue import make_spec, to_build
from faithview.services.runs.judge_answer import run_blocking
from faithview.wording.numbers import plural
from faithview.wording.plain_text import printable


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """The request to your own generator.

    The answer may use only `chunks`. `attempt` counts from 1. `rejected` are the unsupported claims of the previous
    attempt; they are not a source.
    """

    question: str
    chunks: tuple[Chunk, ...]
    attempt: int
    rejected: tuple[Claim, ...] = ()

    @property
    def sample(self) -> Sample:
        """The question with its chunks, and no answer."""
        return Sample(answer="", chunks=self.chunks, question=self.question)

    @property
    def prompt(self) -> str:
        """The request as a prompt: answer from the chunks only, and say so if they do not contain the answer."""
        from faithview.judges.llm.writing import generation_prompt

        return generation_prompt(self.sample, self.rejected)


Generator = Callable[[GenerationRequest], str | Awaitable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt: `check` is None if the generator failed; `error` then says why. `number` counts from 1.

    `seconds` and `usage` include writing and judging.
    """

    number: int
    answer: str
    check: GuardCheck | None
    error: str | None
    seconds: float
    usage: Usage = field(default_factory=Usage)

    @property
    def passed(self) -> bool:
        """Whether the answer passed."""
        return self.check is not None and self.check.passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """The best answer of all attempts.

    `validated` says whether it passed: if not, do not send it. `abstained` says that it only states that the chunks do
    not contain the answer, which passes. `best` is its index in `attempts`, from 0, and `check` what the guard says of
    it.
    """

    answer: str
    validated: bool
    abstained: bool
    attempts: tuple[Attempt, ...]
    best: int
    check: GuardCheck

    def __str__(self) -> str:
        """Return the judgement of the answer in lines, and the answer itself."""
        return f"{self.check}\n{printable(self.answer)}"

    @property
    def usage(self) -> Usage:
        """The cost of all attempts."""
        return sum((attempt.usage for attempt in self.attempts), start=Usage())


class GenerationFailed(FaithViewError):
    """No attempt gave an answer; `attempts` say why."""

    def __init__(self, attempts: Sequence[Attempt]) -> None:
        super().__init__(
            f"The model gave no answer in {plural(len(attempts), 'attempt')}. The last error: {attempts[-1].error}"
        )
        self.attempts = tuple(attempts)


def generate_with_validation(
    *,
    question: str,
    context: Context,
    generator: str | Generator,
    judge: str | Judge | FaithfulnessGuard = DEFAULT_JUDGE,
    max_retries: int = 2,
    threshold: float = DEFAULT_THRESHOLD,
    method: str | None = None,
    strictness: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Generation:
    """Have a model answer from the chunks only, judge the answer, and try again if it does not pass.

    Each retry tells the model which claims were not supported. Answers are always judged against the context given
    here, never against that feedback.

    Args:
        question: the question to answer.
        context: the chunks; one string is one chunk.
        generator: "openai:MODEL" or "anthropic:MODEL", or a function, plain or async, that takes a `GenerationRequest`
            and returns the answer.
        judge: a judge's name, a judge, or a guard. A guard's own threshold applies, and it stays open.
        max_retries: how many attempts may follow the first.
        threshold: the share of supported claims, in [0, 1], from which an answer passes if none of the others is
            contradicted or not mentioned.
        method: how an LLM judge works.
        strictness: what counts as support.
        options: other options of the judge by name.

    Returns:
        The best answer, whether it passed, and all attempts.

    Raises:
        GenerationFailed: no attempt gave an answer.
        InvalidInput: the question is empty, no chunk has text, or an argument is not valid.
        JudgeUnavailable: the judge or the generator lacks a key or a package.

    Example:
        >>> from faithview import generate_with_validation
        >>> replies = iter(["Refunds take 30 days.", "Refunds take 14 days."])  # in place of a model
        >>> made = generate_with_validation(
        ...     question="How long do refunds take?",
        ...     context=["Refunds take 14 days."],
        ...     generator=lambda request: next(replies),
        ... )
        >>> made.answer, made.validated, len(made.attempts)
        ('Refunds take 14 days.', True, 2)
    """
    return run_blocking(
        agenerate_with_validation(
            question=question,
            context=context,
            generator=generator,
            judge=judge,
            max_retries=max_retries,
            threshold=threshold,
            method=method,
            strictness=strictness,
            options=options,
        )
    )


async def agenerate_with_validation(
    *,
    question: str,
    context: Context,
    generator: str | Generator,
    judge: str | Judge | FaithfulnessGuard = DEFAULT_JUDGE,
    max_retries: int = 2,
    threshold: float = DEFAULT_THRESHOLD,
    method: str | None = None,
    strictness: str | None = None,
    options: Mapping[str, str] | None = None,
) -> Generation:
    """Do what `generate_with_validation` does, from a coroutine. An async generator runs on this event loop.

    Example:
        >>> import asyncio
        >>> from faithview import GenerationRequest, agenerate_with_validation
        >>> async def reply(request: GenerationRequest) -> str:
        ...     return "Refunds take 14 days."  # ask your model here
        >>> made = asyncio.run(
        ...     agenerate_with_validation(
        ...         question="How long do refunds take?", context=["Refunds take 14 days."], generator=reply
        ...     )
        ... )
        >>> made.validated
        True
    """
    sample = _sample_to_answer(question, context, max_retries, generator)
    async with AsyncExitStack() as stack:
        if isinstance(judge, FaithfulnessGuard):
            guard = judge
        else:
            # In a thread: building a judge may load a local model for seconds, and the event loop must not wait.
            guard = await asyncio.to_thread(
                FaithfulnessGuard, judge, threshold, method=method, strictness=strictness, options=options
            )
            stack.push_async_callback(asyncio.to_thread, guard.close)
        writer: AsksModel | Generator
        if isinstance(generator, str):
            model = create_judge(to_build(make_spec(generator)))
            stack.push_async_callback(model.aclose)
            if not isinstance(model, AsksModel):
                raise InvalidInput(f"{generator!r} cannot write answers; name a model, for example openai:MODEL.")
            writer = model
        else:
            writer = generator
        attempts: list[Attempt] = []
        rejected: tuple[Claim, ...] = ()
        for number in range(1, max_retries + 2):
            request = GenerationRequest(question=question, chunks=sample.chunks, attempt=number, rejected=rejected)
            attempts.append(await _attempt(request, guard, writer))
            check = attempts[-1].check
            if check is not None and check.passed:
                break
            if check is not None and check.issues:
                rejected = tuple(issue.claim for issue in check.issues)
    judged = [(rank_of(a.check), -number, a.check) for number, a in enumerate(attempts) if a.check is not None]
    if not judged:
        raise GenerationFailed(attempts)
    _, number, check = max(judged, key=itemgetter(0, 1))
    return Generation(
        answer=check.answer,
        validated=check.passed,
        abstained=check.result.state is State.ABSTAINED,
        attempts=tuple(attempts),
        best=-number,
        check=check,
    )


def _sample_to_answer(question: str, context: Context, max_retries: int, generator: object) -> Sample:
    """Return the question with its chunks; raises InvalidInput if an argument cannot be used."""
    check_arguments(max_retries=max_retries, optional={"question": question})
    if not isinstance(generator, str) and not callable(generator):
        raise InvalidInput(
            "`generator` must be a model, for example openai:MODEL, or a function that returns the answer, not "
            f"{described(generator)}."
        )
    sample = Sample.of("", context, question=question)
    if not (sample.question or "").strip():
        raise InvalidInput("The question is empty.")
    if not sample.has_context:
        raise InvalidInput("No chunk has text, so there is nothing to answer from.")
    if max_retries < 0:
        raise InvalidInput(f"max_retries must be 0 or more, not {max_retries}.")
    return sample


async def _attempt(request: GenerationRequest, guard: FaithfulnessGuard, writer: "AsksModel | Generator") -> Attempt:
    start = perf_counter()
    if isinstance(writer, AsksModel):
        writing = await writer.generate(request.sample, request.rejected)
    else:
        writing = await _ask_own_generator(writer, request)
    answer = writing.texts[0] if writing.texts else ""
    error = writing.error or (None if answer.strip() else "The model wrote nothing.")
    check = None
    usage = writing.usage
    if error is None:
        check = await guard.acheck(answer=answer, context=request.chunks, question=request.question)
        usage += check.result.usage
    seconds = perf_counter() - start
    return Attempt(number=request.attempt, answer=answer, check=check, error=error, seconds=seconds, usage=usage)


async def _ask_own_generator(generator: Generator, request: GenerationRequest) -> Writing:
    """Call the caller's generator; a plain function runs in a thread, so it does not block the event loop."""
    try:
        is_async = inspect.iscoroutinefunction(generator)
        said = generator(request) if is_async else await asyncio.to_thread(generator, request)
        if inspect.isawaitable(said):
            said = await said
    except Exception as error:  # noqa: BLE001 - the caller's own code: recorded on the attempt
        return Writing(texts=(), usage=Usage(), writer="own", error=f"{type(error).__name__}: {error}")
    if not isinstance(said, str):
        kind = type(said).__name__
        return Writing(texts=(), usage=Usage(), writer="own", error=f"The generator returned a {kind}, not a string.")
    return Writing(texts=(said,), usage=Usage(), writer="own")
