"""People's settled labels beside the judge's verdicts, as the statistics of judge quality take them."""

from collections.abc import Iterable

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.stats.judge_quality import JudgedLabel
from faithview.store.judge_quality.settled_claims import SettledClaim


def judged_labels(settled: Iterable[SettledClaim]) -> list[JudgedLabel]:
    """Return the settled claims as labels; those of a spot-check weigh 1 / their inclusion probability, others 1."""
    return [
        JudgedLabel(
            answer=f"{claim.run_id}-{claim.row}",
            judge=claim.judged.value,
            people=verdict_name(claim.people),
            weight=1 / claim.pi if claim.pi else 1.0,
            confidence=claim.confidence,
        )
        for claim in settled
    ]


def verdict_name(verdict: Verdict | None) -> str:
    """Return the name of people's verdict; None is "not_a_claim"."""
    return NOT_A_CLAIM if verdict is None else verdict.value
