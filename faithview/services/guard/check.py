"""A guard's check of an answer: its problems, and the answer as HTML with the problems marked.

All of the HTML is escaped, and `<mark>` is the only element.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from operator import itemgetter

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


# HTML drops NUL and cannot hold half a surrogate pair.
_NOT_IN_HTML = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def highlight(answer: str, issues: Sequence[Issue]) -> str:
    """Return the answer as HTML with a `<mark>` around each problem; the text is unchanged.

    A mark has the verdict in `data-verdict`, the numbers of its claims in `data-claims`, and both in words in `title`,
    so nothing depends on colour. Marks neither overlap nor nest; where claims overlap, the mark has the worst verdict.

    Characters that HTML cannot hold (NUL, half a surrogate pair) become U+FFFD. Put the HTML inside an element; it is
    not safe in an attribute, a script or a style.
    """
    verdicts = {issue.number: issue.claim.verdict for issue in issues}
    numbers_at: list[set[int]] = [set() for _ in answer]
    for issue in issues:
        for span in issue.spans:
            for numbers in numbers_at[span.start : span.end]:
                numbers.add(issue.number)
    html = ""
    for of, group in groupby(zip(numbers_at, answer, strict=True), key=itemgetter(0)):
        # A parser reads a carriage return as a line feed unless it is escaped.
        text = escape(_NOT_IN_HTML.sub(_REPLACEMENT, "".join(letter for _, letter in group))).replace("\r", "&#13;")
        html += _mark(text, {number: verdicts[number] for number in sorted(of)}) if of else text
    return html


def _mark(text: str, verdicts: Mapping[int, Verdict]) -> str:
    worst = min(verdicts.values(), key=WORST_FIRST.index)
    numbers = [str(number) for number in verdicts]
    title = f"{'Claim' if len(numbers) == 1 else 'Claims'} {listed(numbers)}: {VERDICTS[worst].word}"
    return f'<mark data-verdict="{worst.value}" data-claims="{" ".join(numbers)}" title="{escape(title)}">{text}</mark>'


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
        issues = tuple(
            Issue(number=number, claim=claim, spans=claim.spans)
            for number, claim in enumerate(result.claims, start=1)
            if claim.verdict is not Verdict.SUPPORTED
        )
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
    reasons = ["The judge did not read all of this answer and its chunks; shorten them."] if result.is_cut else []
    if result.faithfulness is None:
        return reasons[0] if reasons and result.no_claims else STATE_SENTENCES[result.state]
    counts, total = Counter(result.verdicts), len(result.claims)
    if result.faithfulness < result.threshold:
        supported = counts[Verdict.SUPPORTED]
        reasons.append(
            f"{supported} of {plural(total, 'claim')} {verb(min(supported or total, total), 'is', 'are')} supported "
            f"({share(result.faithfulness)}), below the threshold of {share(result.threshold)}."
        )
    elif not result.is_faithful:
        reasons.append(f"{unsupported_words(counts)} (faithfulness {share(result.faithfulness)}).")
    verbs = {Verdict.NOT_MENTIONED: "do not mention", Verdict.CONTRADICTED: "contradict"}
    at_fault = [f"{says} {plural(counts[verdict], 'claim')}" for verdict, says in verbs.items() if counts[verdict]]
    if at_fault:
        reasons.append(f"The chunks {' and '.join(at_fault)}.")
    return " ".join(reasons)
