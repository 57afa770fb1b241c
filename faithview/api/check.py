"""`check` and `acheck`: one answer, judged; nothing is stored."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from faithview.api.results import JudgedAnswer
from faithview.domain.arguments import check_arguments
from faithview.domain.run import DEFAULT_JUDGE, JudgeSpec
from faithview.domain.sample import Context, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.judge_catalogue import make_spec, read_prompt
from faithview.services.runs.judge_answer import check_sample

_P = ParamSpec("_P")
_T = TypeVar("_T")


def has_arguments_of(
    plain: Callable[_P, _T],
) -> Callable[[Callable[..., Coroutine[Any, Any, _T]]], Callable[_P, Coroutine[Any, Any, _T]]]:
    """Give a coroutine function the arguments of a plain function, so they are written once."""

    def named(twin: Callable[..., Coroutine[Any, Any, _T]]) -> Callable[_P, Coroutine[Any, Any, _T]]:
        twin.__signature__ = inspect.signature(plain)  # type: ignore[attr-defined]  # a function takes attributes
        return twin

    return named


def describe_judge(
    judge: str,
    method: str | None,
    *,
    strictness: str | None,
    prompt: str | Path | None,
    companions: bool,
    options: Mapping[str, str] | None,
) -> JudgeSpec:
    """Return the specification of a judge; the arguments are those of `evaluate`, and so are the errors."""
    check_arguments(
        judge=judge,
        companions=companions,
        optional={"method": method, "strictness": strictness, "prompt": prompt, "options": options},
    )
    return make_spec(
        judge,
        method=method,
        strictness=strictness,
        prompt_text=read_prompt(prompt) if isinstance(prompt, Path) else prompt,
        prompt_name=prompt.stem if isinstance(prompt, Path) else None,
        companions=companions,
        options=options,
    )


def check(
    *,
    answer: str,
    context: Context,
    question: str | None = None,
    judge: str = DEFAULT_JUDGE,
    method: str | None = None,
    strictness: str | None = None,
    prompt: str | Path | None = None,
    companions: bool = False,
    options: Mapping[str, str] | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> JudgedAnswer:
    """Judge one answer against its chunks, claim by claim; nothing is stored.

    It works in a notebook too, where an event loop is running already; within your own coroutines use `acheck`. To
    judge answer after answer, keep a `FaithfulnessGuard`: it builds the judge once.

    Args:
        answer: the answer to judge.
        context: the chunks that were retrieved for it, best first: texts, `Chunk`s, or mappings with `text` (or
            `content`, or `page_content`) and maybe `id`, `rank`, `score` and `metadata`. One alone is one chunk.
        question: what was asked. Some judges read an answer in its light.
        judge: a judge's name: "embedded" (the default), "lexical" or "openai:MODEL" for example.
        method: how an LLM judge works: "single" (the default), "claims" (the default for small models), "per-claim",
            "nli", "qa", "sentence" or "combined".
        strictness: what counts as support: "lenient", "balanced" (the default) or "strict" for the judge "embedded",
            "strict" (the default) or "lenient" for an LLM judge.
        prompt: your own prompt for an LLM judge, as text or as the path of a file.
        companions: whether to add relevance metrics (of the answer and of the context) to `Result.metrics`.
        options: other options of the judge by name, "timeout" or "weights" for example.
        threshold: the share of supported claims, in [0, 1], from which the answer is faithful.

    Returns:
        The result: `faithfulness`, `is_faithful`, `claims` with verdicts and evidence, `to_pandas()`, `to_dict()`. An
        answer without claims, without chunks, or that could not be judged has no faithfulness; `state` and `error` say
        why.

    Raises:
        InvalidSample: a text holds a character that cannot be stored, or the context holds something else.
        InvalidInput: an argument is of another type, the threshold is not in [0, 1], the prompt cannot be read, or a
            method or prompt was given for a judge that asks no model.
        JudgeUnavailable: no such judge, or what it needs is missing.

    Example:
        >>> from faithview import check
        >>> result = check(answer="Inboxes hold up to 50 members.", context=["Inboxes hold up to 20 members."])
        >>> result.faithfulness, result.is_faithful
        (0.0, False)
        >>> print(result.claims[0].explanation)
        Chunk 1 says “20”, the answer “50”.
    """
    sample = Sample.of(answer, context, question=question)
    spec = describe_judge(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=options)
    return JudgedAnswer.of(check_sample(sample, judge=spec, threshold=threshold), sample)


@has_arguments_of(check)
async def acheck(**arguments: Any) -> JudgedAnswer:
    """Do what `check` does, in a thread, so the event loop stays free.

    Example:
        >>> import asyncio
        >>> from faithview import acheck
        >>> result = asyncio.run(acheck(answer="Refunds take 14 days.", context=["Refunds take 14 days."]))
        >>> result.is_faithful
        True
    """
    return await asyncio.to_thread(check, **arguments)
