"""`assert_faithful`: fails a test whose answer is not faithful to its chunks. It works without pytest, too."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from faithview.api.results import JudgedAnswer
from faithview.domain.arguments import check_arguments, refuse_other_type
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Context, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.guard.check import GuardCheck
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.testing.options import SessionOptions, current_options
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import one_line
from faithview.wording.verdict_styles import claim_verdict_words, count_words

SIGNS: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.SUPPORTED: "+",
        Verdict.PARTIALLY_SUPPORTED: "?",
        Verdict.NOT_MENTIONED: "-",
        Verdict.CONTRADICTED: "!",
    }
)
_MOST_CLAIMS = 20
_MOST_CHARACTERS = 240
_MOST_MISMATCHES = 3
_WIDTH = max(len(f"probably {verdict.value}") for verdict in Verdict) + 1
_INDENT = " " * (_WIDTH + 2)


def failure_text(sample: Sample, result: Result, reason: str) -> str:
    """Return the text of a failure.

    Args:
        sample: the answer with its chunks.
        result: the judge's result; its threshold is the least score.
        reason: why the answer does not pass, as a guard says it.
    """
    lines = [one_line(reason)]
    if result.faithfulness is not None:
        score = f"faithfulness {fmt.share(result.faithfulness)}, required: {fmt.share(result.threshold)}"
        lines.append(
            f"{score}; no claim may be contradicted or not mentioned. Judge: {result.judge}, which makes mistakes."
        )
    if sample.question:
        lines.append(f"question: {one_line(sample.question, most=_MOST_CHARACTERS)}")
    shown, left_out = _choose(result.claims)
    for at in shown:
        lines += _claim_lines(result.claims[at], result.certainties[at], sample)
    if left_out:
        counts = {verdict: sum(result.claims[at].verdict is verdict for at in left_out) for verdict in Verdict}
        lines.append(f"… {fmt.plural(len(left_out), 'more claim')}: {count_words(counts)}")
    if not result.claims:
        lines.append(f"answer: {one_line(sample.answer, most=_MOST_CHARACTERS)}")
    return "\n".join(lines)


def _choose(claims: Sequence[Claim]) -> tuple[list[int], list[int]]:
    """Return the places of the claims to show, in their order, and of the others; those at fault are shown first."""
    ranked = sorted(range(len(claims)), key=lambda at: (claims[at].verdict is Verdict.SUPPORTED, at))
    return sorted(ranked[:_MOST_CLAIMS]), ranked[_MOST_CLAIMS:]


def _claim_lines(claim: Claim, certainty: Certainty, sample: Sample) -> Iterator[str]:
    words = claim_verdict_words(claim.verdict, certainty)
    yield f"{SIGNS[claim.verdict]} {words:<{_WIDTH}}{one_line(claim.text, most=_MOST_CHARACTERS)}"
    if claim.verdict is Verdict.SUPPORTED:
        return
    chunks = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    alone = [_quoted(sample.answer[item.start : item.end]) for item in claim.mismatches if item.chunk_id is None]
    if alone:
        where = "" if claim.verdict is Verdict.CONTRADICTED else ", in no chunk"
        yield f"{_INDENT}answer: {fmt.listed(alone[:_MOST_MISMATCHES])}{where}"
    for item in [item for item in claim.mismatches if item.chunk_id is not None][:_MOST_MISMATCHES]:
        said, chunk_id = _quoted(sample.answer[item.start : item.end]), item.chunk_id or ""
        instead = _quoted(chunks[chunk_id][item.chunk_start : item.chunk_end])
        yield f"{_INDENT}answer: {said}, chunk {one_line(chunk_id)}: {instead}"
    for evidence in claim.evidence[:_MOST_MISMATCHES]:
        mark = "" if evidence.is_verified else " (not found in the chunk)"
        lead = "" if claim.grounds else "nearest passage, "
        yield f"{_INDENT}{lead}chunk {one_line(evidence.chunk_id)}: {_quoted(evidence.quote)}{mark}"
    if claim.explanation:
        yield f"{_INDENT}because: {one_line(claim.explanation, most=_MOST_CHARACTERS)}"


def _quoted(text: str) -> str:
    return f'"{one_line(text, most=_MOST_CHARACTERS)}"'


class AnswerNotFaithful(AssertionError):
    """An answer in a test is not faithful to its chunks, or could not be judged.

    Attributes:
        result: the judge's result, with its claims.
    """

    __module__ = "faithview.testing"  # as it is imported, and as pytest prints it

    def __init__(self, text: str, result: JudgedAnswer) -> None:
        super().__init__(text)
        self.result = result


@dataclass(frozen=True, slots=True)
class JudgeArguments:
    """Which judge; the fields are arguments of `FaithfulnessGuard`."""

    judge: str = DEFAULT_JUDGE
    method: str | None = None
    strictness: str | None = None
    options: tuple[tuple[str, str], ...] = ()


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
    given = current_options()
    least = least_score(min_score, given)
    check_arguments(optional={"judge": judge, "method": method, "strictness": strictness, "options": options})
    arguments = JudgeArguments(
        judge=judge or given.judge or DEFAULT_JUDGE,
        method=method,
        strictness=strictness,
        options=tuple((options or {}).items()),
    )
    require(judge_answer(arguments, Sample.of(answer, context, question=question), min_score=least))


def judge_answer(arguments: JudgeArguments, sample: Sample, *, min_score: float) -> JudgedAnswer:
    """Judge an answer with the process's judge; the result's threshold is `min_score`."""
    refuse_other_type("min_score", min_score)
    if not 0 <= min_score <= 1:
        raise InvalidInput(f"The minimum score must be between 0 and 1, not {min_score}.")
    checked = _guard(arguments).check(answer=sample.answer, context=sample.chunks, question=sample.question)
    return JudgedAnswer.of(replace(checked.result, threshold=min_score), sample)


def require(result: JudgedAnswer) -> None:
    """Raise AnswerNotFaithful unless a guard would let the answer pass."""
    __tracebackhide__ = True
    check = GuardCheck.of(result.sample.answer, result)
    if not check.passed:
        raise AnswerNotFaithful(failure_text(result.sample, result, check.reason), result)


@cache
def _guard(arguments: JudgeArguments) -> FaithfulnessGuard:
    return FaithfulnessGuard(
        arguments.judge,
        method=arguments.method,
        strictness=arguments.strictness,
        options=dict(arguments.options),
    )


def least_score(min_score: float | None, options: SessionOptions) -> float:
    """Return the least share of supported claims: the given one, else that of the options, else the default."""
    scores = (min_score, options.min_score, DEFAULT_THRESHOLD)
    return next(score for score in scores if score is not None)
