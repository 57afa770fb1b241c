"""`assert_faithful`: fails a test whose answer is not faithful to its chunks. It works without pytest, too."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from faithview.api.results import JudgedAnswer
from faithview.domain.arguments import check_arguments, refuse_other_type
from faithview.domain.errors import InvalidInput
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Context, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.testing.options import SessionOptions, current_options
from faithview.wording.plain_text import one_line


class AnswerNotFaithful(AssertionError):
    """An answer in a test is not faithful to its chunks, or could not be judged.

    Attributes:
        result: the judge's result, with its claims.
    """

    __module__ = "faithview.testing"  # as it is imported, and as pytest prints it

    def __init__(self, text: str, result: JudgedAnswer) -> None:
        super().__init__(text)
        self.result = result


def assert_faithful(
    answer: str,
    context: Context,
    question: str | None = None,
    *,
    min_score: float | None = None,
    judge: str | None = None,
    method: str | None = None,
    strictness: str | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Fail unless the answer is faithful to its chunks.

    It passes if no claim is contradicted or not mentioned, and the share of supported claims reaches `min_score`. An
    answer that states nothing that could be checked passes. One that could not be judged fails, and so does one without
    chunks.

    The judge is built with the first call of a process and kept. To store what tests judge, use the fixture
    `faithfulness` of the plugin for pytest.

    Args:
        answer: the answer to judge.
        context: the chunks that were retrieved for it. One string is one chunk.
        question: what was asked.
        min_score: the least share of supported claims, in [0, 1]; None is `--faithview-min-score`, else 0.8.
        judge: a judge's name; None is `--faithview-judge`, else "embedded".
        method: how an LLM judge works (see `faithview.check`).
        strictness: what counts as support (see `faithview.check`).
        options: other options of the judge by name.

    Raises:
        AnswerNotFaithful: an AssertionError that shows the claims, and what the chunks say against them.
        InvalidInput: `min_score` is not in [0, 1], or an option means nothing to this judge.
        JudgeUnavailable: no such judge, or what it needs is missing.
    """
    __tracebackhide__ = True  # pytest then shows the line of the test
    check_arguments(optional={"judge": judge, "method": method, "strictness": strictness, "options": options})
    sample = Sample.of(answer, context, question=question)
    judged = judge_answer(
        sample,
        current_options(),
        min_score=min_score,
        judge=judge,
        method=method,
        strictness=strictness,
        options=options,
    )
    require(judged)


def judge_answer(
    sample: Sample,
    session: SessionOptions,
    *,
    min_score: float | None,
    judge: str | None = None,
    method: str | None = None,
    strictness: str | None = None,
    options: Mapping[str, str] | None = None,
) -> JudgedAnswer:
    """Judge an answer with the process's judge; the result's threshold is the least share of supported claims.

    Args:
        sample: the answer.
        session: has the least share and the judge, if none is given.
        min_score: the least share of supported claims.
        judge: a judge's name.
        method: its method.
        strictness: its strictness.
        options: its other options.
    """
    least = next(score for score in (min_score, session.min_score, DEFAULT_THRESHOLD) if score is not None)
    refuse_other_type("min_score", least)
    if not 0 <= least <= 1:
        raise InvalidInput(f"The minimum score must be between 0 and 1, not {least}.")
    guard = _guard(judge or session.judge or DEFAULT_JUDGE, method, strictness, tuple((options or {}).items()))
    checked = guard.check(answer=sample.answer, context=sample.chunks, question=sample.question)
    return JudgedAnswer.of(replace(checked.result, threshold=least), sample)


def require(result: JudgedAnswer) -> None:
    """Raise AnswerNotFaithful unless a guard would let the answer pass."""
    __tracebackhide__ = True
    check = GuardCheck.of(result.sample.answer, result)
    if not check.passed:
        raise AnswerNotFaithful(f"{one_line(check.reason)}\n{result}", result)


@cache
def _guard(
    judge: str, method: str | None, strictness: str | None, options: tuple[tuple[str, str], ...]
) -> FaithfulnessGuard:
    return FaithfulnessGuard(judge, method=method, strictness=strictness, options=dict(options))
