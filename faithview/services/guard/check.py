"""A guard's check of an answer: its problems, and the answer as HTML with the problems marked.

All of the HTML is escaped, and `<mark>` is the only element.

"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from faithview.domain.claim import WORST_FIRST, Claim, Verdict
from faithview.domain.result import Result, State
from faithview.domain.spans import Span
from faithview.wording.findings import unsupported_words
from faithview.wording.numbers import listed, plural, share, verb
from faithview.wording.plain_text import printable
from faithview.wording.verdict_styles import STATE_SENTENCES, VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A claim that is not fully supported: its number in the result, from 1, and its places in the answer.

    `spans` is empty if the claim cannot be found in the answer.
    """

    number: int
    claim: Claim
    spans: tuple[Span, ...]


def issues_of(result: Result) -> tuple[Issue, ...]:
    """Return the claims of a result that are not fully supported, in their order."""
    return tuple(
        Issue(number=number, claim=claim, spans=claim.spans)
        for number, claim in enumerate(result.claims, start=1)
        if claim.verdict is not Verdict.SUPPORTED
    )


# HTML drops NUL and cannot hold half a surrogate pair.
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"

_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_MODIFIERS = range(0x1F3FB, 0x1F400)


def highlight(answer: str, issues: Sequence[Issue]) -> str:
    """Return the answer as HTML with a `<mark>` around each problem; the text is unchanged.

    A mark has the verdict in `data-verdict`, the numbers of its claims in `data-claims`, and both in words in `title`,
    so nothing depends on colour. Marks neither overlap nor nest; where claims overlap, the mark has the worst verdict.
    A mark covers whole visible characters, even if a span cuts one (an emoji with a skin tone).

    Characters that HTML cannot hold (NUL, half a surrogate pair) become U+FFFD. Put the HTML inside an element; it is
    not safe in an attribute, a script or a style.
    """
    pieces: list[str] = []
    for start, end, covering in _issue_segments(answer, issues):
        text = _escaped(answer[start:end])
        pieces.append(_mark_element(text, covering) if covering else text)
    return "".join(pieces)


def _issue_segments(answer: str, issues: Sequence[Issue]) -> Iterator[tuple[int, int, list[Issue]]]:
    """Yield the answer's parts in order, each with the issues that cover all of it."""
    starts: dict[int, list[Issue]] = {}
    ends: dict[int, list[Issue]] = {}
    for issue in issues:
        for span in issue.spans:
            start, end = _whole_characters(answer, span)
            if start < end:
                starts.setdefault(start, []).append(issue)
                ends.setdefault(end, []).append(issue)
    covering: list[Issue] = []
    for start, end in pairwise(sorted({0, len(answer), *starts, *ends})):
        for issue in ends.get(start, ()):
            covering.remove(issue)
        covering += starts.get(start, ())
        yield start, end, list(covering)


def _mark_element(text: str, covering: Sequence[Issue]) -> str:
    verdict = min((issue.claim.verdict for issue in covering), key=WORST_FIRST.index)
    numbers = sorted({issue.number for issue in covering})
    words = listed([f"{number}" for number in numbers])
    title = f"{'Claim' if len(numbers) == 1 else 'Claims'} {words}: {VERDICTS[verdict].word}"
    claims = " ".join(str(number) for number in numbers)
    return f'<mark data-verdict="{verdict.value}" data-claims="{claims}" title="{escape(title)}">{text}</mark>'


def _escaped(text: str) -> str:
    # A parser reads a carriage return as a line feed unless it is escaped.
    return escape(_NOT_IN_HTML.sub(_REPLACEMENT, text)).replace("\r", "&#13;")


def _whole_characters(answer: str, span: Span) -> tuple[int, int]:
    start, end = min(span.start, len(answer)), min(span.end, len(answer))
    while start > 0 and _joins(answer, start):
        start -= 1
    while end < len(answer) and _joins(answer, end):
        end += 1
    return start, end


def _joins(answer: str, at: int) -> bool:
    """Return whether the code points before and after this position form one visible character."""
    before, after = answer[at - 1], answer[at]
    if before + after == "\r\n":
        return True
    is_emoji_after = ord(after) in _EMOJI_MODIFIERS or after == _ZERO_WIDTH_JOINER
    return is_emoji_after or before == _ZERO_WIDTH_JOINER or unicodedata.category(after) in ("Mn", "Me", "Mc")


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCheck:
    """Whether an answer may be sent.

    `passed` is `Result.is_faithful`. An answer without checkable claims passes, including an abstention. An answer that
    could not be judged to its end, or that has no chunks, does not pass. `score` is the share of supported claims in
    [0, 1], 1.0 without claims, and None without a judgement. `highlighted` is the answer as HTML with its problems
    marked (see `highlight`). `issues` are all claims that are not fully supported; an answer may pass with some.
    `reason` says why it does not pass, and is "" if it does.
    """

    passed: bool
    score: float | None
    answer: str
    highlighted: str
    issues: tuple[Issue, ...]
    result: Result
    reason: str

    def __str__(self) -> str:
        """Return lines: whether the answer passes, why not, and its issues."""
        lead = f"{'passed' if self.passed else 'blocked'}: score {share(self.score)}. {self.reason}".rstrip()
        issues = (
            f"  claim {issue.number}, {VERDICTS[issue.claim.verdict].word}: {issue.claim.text}" for issue in self.issues
        )
        return "\n".join(map(printable, (lead, *issues)))

    @classmethod
    def of(cls, answer: str, result: Result) -> "GuardCheck":
        """Return the check of a judge's result."""
        issues = issues_of(result)
        passed = (result.no_claims or result.is_faithful is True) and not result.is_cut
        nothing_stated = 1.0 if result.no_claims and not result.is_cut else None
        return cls(
            passed=passed,
            score=nothing_stated if result.no_claims else result.faithfulness,
            answer=answer,
            highlighted=highlight(answer, issues),
            issues=issues,
            result=result,
            reason="" if passed else _reason(result),
        )


def _reason(result: Result) -> str:
    if result.state is State.FAILED:
        return f"It could not be judged: {result.error}"
    cut = ("The judge did not read all of this answer and its chunks; shorten them.",) if result.is_cut else ()
    if cut and result.no_claims:
        return cut[0]
    if result.faithfulness is None:
        return STATE_SENTENCES[result.state]
    supported = result.verdicts.count(Verdict.SUPPORTED)
    reasons = [*cut]
    total = len(result.claims)
    if result.faithfulness < result.threshold:
        reasons.append(
            f"{supported} of {plural(total, 'claim')} {verb(min(supported or total, total), 'is', 'are')} supported "
            f"({share(result.faithfulness)}), below the threshold of {share(result.threshold)}."
        )
    elif not result.is_faithful:
        reasons.append(f"{unsupported_words(Counter(result.verdicts))} (faithfulness {share(result.faithfulness)}).")
    verbs = {Verdict.NOT_MENTIONED: "do not mention", Verdict.CONTRADICTED: "contradict"}
    counts = Counter(result.verdicts)
    at_fault = [f"{says} {plural(counts[verdict], 'claim')}" for verdict, says in verbs.items() if counts[verdict]]
    if at_fault:
        reasons.append(f"The chunks {' and '.join(at_fault)}.")
    return " ".join(reasons)
