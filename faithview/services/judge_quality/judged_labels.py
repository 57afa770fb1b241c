"""People's settled labels beside the judge's verdicts, as the statistics of judge quality take them."""

from collections.abc import Iterable

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.stats.judge_quality import MISSED, JudgedLabel
from faithview.store.judge_quality.settled_claims import MissedClaim, SettledClaim


def judged_labels(settled: Iterable[SettledClaim], missed: Iterable[MissedClaim]) -> list[JudgedLabel]:
    """Return settled claims, and claims that people added, as labels; the drawn ones weigh 1 / their probability.

    Answers to one question are one cluster, whatever run they are in. Added claims count where their answer was drawn
    from: elsewhere nobody looked at random.
    """
    claims = [
        JudgedLabel(
            answer=claim.question,
            judge=claim.judged.value,
            people=verdict_name(claim.people),
            weight=1 / claim.pi if claim.pi else 1.0,
            confidence=claim.confidence,
            is_drawn=claim.pi is not None,
        )
        for claim in settled
    ]
    added = [
        JudgedLabel(answer=claim.question, judge=MISSED, people=claim.verdict.value, weight=claim.weight)
        for claim in missed
        if claim.weight
    ]
    return claims + added


def verdict_name(verdict: Verdict | None) -> str:
    """Return the name of people's verdict; None is "not_a_claim"."""
    return NOT_A_CLAIM if verdict is None else verdict.value
