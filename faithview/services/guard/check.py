"""What a guard says about an answer."""

from collections import Counter
from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.domain.result import Result, State
from faithview.services.guard.highlight import highlight
from faithview.services.guard.issue import Issue, issues_of
from faithview.wording.numbers import plural, share, verb
from faithview.wording.run_findings import unsupported_words
from faithview.wording.terminal_text import printable
from faithview.wording.verdicts import STATE_SENTENCES, VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCheck:
    """Whether an answer may be sent.

    `passed` is `Result.is_faithful`. An answer that states nothing that could be checked passes, an abstention
    included; one that could not be judged to its end, or that has no chunks to be judged by, does not. `score` is the
    share of supported claims in [0, 1], 1.0 where nothing is stated, and None where there is no judgement.
    `highlighted` is the answer as HTML with its problems marked (see `highlight`). `issues` are all claims that are not
    fully supported; an answer may pass with some. `reason` says why it does not pass, and is "" where it does.
    """

    passed: bool
    score: float | None
    answer: str
    highlighted: str
    issues: tuple[Issue, ...]
    result: Result
    reason: str

    def __str__(self) -> str:
        """Return in lines whether it passes, why not, and its issues."""
        lead = f"{'passed' if self.passed else 'blocked'}: score {share(self.score)}. {self.reason}".rstrip()
        issues = (
            f"  claim {issue.number}, {VERDICTS[issue.claim.verdict].word}: {issue.claim.text}" for issue in self.issues
        )
        return "\n".join(map(printable, (lead, *issues)))

    @classmethod
    def of(cls, answer: str, result: Result) -> "GuardCheck":
        """Return what a judge's result says about sending the answer."""
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
    cut = ("The judge did not look at all of this answer; shorten it.",) if result.is_cut else ()
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
