"""Where a judge is most sure and wrong: what to look at before anything is changed about it."""

from collections.abc import Sequence
from typing import Any, Protocol

from faithview.domain.claim import Claim
from faithview.domain.result import Result
from faithview.formats.dataset import LabelledSample

# Claims of one answer that are shown.
_MOST_CLAIMS = 3


class JudgedRow(Protocol):
    """A labelled row with what the judge made of it."""

    @property
    def labelled(self) -> LabelledSample:
        """The row with its label."""
        ...

    @property
    def result(self) -> Result:
        """What the judge made of it."""
        ...


def worst_mistakes(judged: Sequence[JudgedRow], count: int) -> list[dict[str, Any]]:
    """Return the answers that were called the wrong thing with the surest scores, `count` of either kind at most.

    Each with its key, what is wrong, the judge's score in [0, 1] (1 is faithful), and its least supported claims.
    """
    passed = [j for j in judged if j.labelled.label == 0 and j.result.is_faithful is True]
    flagged = [j for j in judged if j.labelled.label == 1 and j.result.is_faithful is False]
    passed.sort(key=lambda j: (-_score(j.result), j.labelled.sample.key or ""))
    flagged.sort(key=lambda j: (_score(j.result), j.labelled.sample.key or ""))
    return [
        *(_shown(j, "unfaithful for people, passed by the judge") for j in passed[:count]),
        *(_shown(j, "faithful for people, flagged by the judge") for j in flagged[:count]),
    ]


def _score(result: Result) -> float:
    return result.answer_score if result.answer_score is not None else (result.faithfulness or 0.0)


def _shown(judged: JudgedRow, what: str) -> dict[str, Any]:
    ranked = sorted(judged.result.claims, key=_support)[:_MOST_CLAIMS]
    return {
        "key": judged.labelled.sample.key,
        "what": what,
        "score": _score(judged.result),
        "claims": [
            {"text": claim.text, "verdict": claim.verdict.value, "explanation": claim.explanation} for claim in ranked
        ],
    }


def _support(claim: Claim) -> float:
    return claim.support_score if claim.support_score is not None else 0.0
