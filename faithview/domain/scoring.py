"""Every score FaithView shows, defined once.

With claims j of answer i, m_i of them, s_ij = 1 where the verdict is *supported* and 0 otherwise, and w_ij the
verdict's weight:

    faithfulness_i          = mean_j s_ij                    (the Ragas ratio; Es et al. 2024, "RAGAs")
    faithfulness_weighted_i = clip(mean_j w_ij, 0, 1)
    is_faithful_i           = no claim contradicted and faithfulness_i >= threshold

An answer without claims, an abstention included, scores 1.0 on its own. A run's faithfulness is the mean over its
`judged` answers; answers in every other state are counted beside it and never become a number. Its interval is
computed by `stats.run_score`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Below this share of supported claims an answer is not called faithful, unless the run says otherwise.
DEFAULT_THRESHOLD = 0.8

WEIGHTS: Mapping[str, float] = {
    "supported": 1.0,
    "partially_supported": 0.5,
    "not_mentioned": 0.0,
    "contradicted": -1.0,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore:
    """A run's mean faithfulness with what it rests on.

    `mean` and `interval` are None where no answer was judged; `interval` also where there are fewer than two clusters,
    from which no spread can be estimated. `bounds` are the means if every unscored answer had scored 0, then 1.
    """

    mean: float | None
    interval: Interval | None
    bounds: Interval | None
    judged: int
    unscored: int


def faithfulness(verdicts: Sequence[str]) -> float:
    """Return supported / all claims, in [0, 1]; 1.0 where there are no claims."""
    if not verdicts:
        return 1.0
    return sum(verdict == "supported" for verdict in verdicts) / len(verdicts)


def faithfulness_weighted(verdicts: Sequence[str]) -> float:
    """Return the mean verdict weight clipped to [0, 1]; 1.0 where there are no claims."""
    if not verdicts:
        return 1.0
    return min(1.0, max(0.0, sum(WEIGHTS[verdict] for verdict in verdicts) / len(verdicts)))


def is_faithful(verdicts: Sequence[str], *, threshold: float = DEFAULT_THRESHOLD) -> bool:
    """Return whether no claim is contradicted and the share of supported claims reaches the threshold."""
    return "contradicted" not in verdicts and faithfulness(verdicts) >= threshold


def hallucination_rate(counts: Mapping[str, int]) -> float | None:
    """Return claims not supported / all claims, from counts by verdict; None where there is no claim."""
    total = sum(counts.values())
    return None if total == 0 else 1 - counts.get("supported", 0) / total
