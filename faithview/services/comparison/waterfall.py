"""The steps from the baseline's mean to the candidate's, cause by cause: what the waterfall charts draw."""

from dataclasses import dataclass

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import CauseSide
from faithview.wording.causes import CAUSE_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class WaterfallStep:
    """One bar, from `start` to `end` in points of faithfulness; `side` is None for the two runs' means.

    `claims` broke or were fixed by this cause, in `answers` answers.
    """

    label: str
    start: float
    end: float
    side: CauseSide | None = None
    claims: int = 0
    answers: int = 0


def waterfall_steps(comparison: Comparison) -> list[WaterfallStep]:
    """Return the baseline's mean, the losses, the gains (each largest first) and the candidate's mean.

    The steps add up to the difference of the means. Without a scored pair there are none.
    """
    baseline, candidate = comparison.difference.baseline, comparison.difference.candidate
    if baseline is None or candidate is None:
        return []
    level = baseline
    steps = [WaterfallStep(label="before", start=baseline, end=baseline)]
    losses = sorted((c for c in comparison.causes if c.lost < 0), key=lambda c: c.lost)
    gains = sorted((c for c in comparison.causes if c.won > 0), key=lambda c: -c.won)
    for share, is_won in [*((c, False) for c in losses), *((c, True) for c in gains)]:
        value = share.won if is_won else share.lost
        steps.append(
            WaterfallStep(
                label=CAUSE_WORDS[share.cause].name(is_won=is_won),
                start=level,
                end=level + value,
                side=CauseSide(cause=share.cause, is_won=is_won),
                claims=share.fixed if is_won else share.broken,
                answers=share.answers,
            )
        )
        level += value
    return [*steps, WaterfallStep(label="now", start=candidate, end=candidate)]
