"""How far people agree with each other, or with a judge, beyond chance.

Cohen's kappa (1960) for two raters and Krippendorff's alpha (nominal; 2011, "Computing Krippendorff's
Alpha-Reliability") for any number, with ratings missing. Both are 1 - observed / expected disagreement: 1 is perfect,
0 is what chance gives, below 0 is worse than chance. Intervals are percentile bootstraps over answers, since claims of
one answer are not independent.

Written here because it is a dozen lines once the counts are there, and the counts by answer are what the bootstrap
needs: a library would have to be called for each of the 2,000 resamples. (The library for alpha, `krippendorff`, is
under the GPL besides, which FaithView cannot pass on.) The tests compare with truescore.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from faithview.domain.scoring import Interval, wilson_interval

Floats = NDArray[np.float64]

# As in domain.scoring: a limit's Monte Carlo error is near 3 % of the interval's width.
_RESAMPLES = 2_000
_SEED = 20_260_301
_LEAST_DEFINED = 0.95  # of the resamples; below it their quantiles would say more than is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rater's verdict on one claim. A claim is rated once at most by each rater."""

    answer: str
    claim: str
    rater: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement beyond chance, at most 1.

    `value` is None where it is not defined: no claim was rated twice, or all ratings are the same verdict, so that no
    disagreement could be expected. `interval` is None then too, and where there are fewer than two answers or too many
    resamples leave it undefined. `observed` is the plain share of agreeing pairs in [0, 1]; `claims` counts those rated
    at least twice.
    """

    value: float | None
    interval: Interval | None
    observed: float | None
    claims: int


def cohen_kappa(ratings: Sequence[Rating], *, first: str, second: str, level: float = 0.95) -> Agreement:
    """Return Cohen's kappa of two raters over the claims that both rated."""
    table = _Table([rating for rating in ratings if rating.rater in (first, second)])
    pairs = np.zeros((len(table.answers), table.verdicts, table.verdicts))
    both = 0
    for answer, given in table.claims():
        if len(given) == 2:
            pairs[answer, given[first], given[second]] += 1
            both += 1
    return _agreement(pairs, _kappa, claims=both, level=level)


def krippendorff_alpha(ratings: Sequence[Rating], *, level: float = 0.95) -> Agreement:
    """Return Krippendorff's alpha, nominal, of all raters; claims rated once do not count."""
    table = _Table(ratings)
    pairs = np.zeros((len(table.answers), table.verdicts, table.verdicts))
    both = 0
    for answer, given in table.claims():
        if len(given) < 2:
            continue
        both += 1
        counts = np.bincount(list(given.values()), minlength=table.verdicts).astype(np.float64)
        # Each pair of different raters, weighted so that a claim counts as often as it was rated.
        pairs[answer] += (np.outer(counts, counts) - np.diag(counts)) / (len(given) - 1)
    return _agreement(pairs, _alpha, claims=both, level=level)


def one_against_rest(ratings: Sequence[Rating], *, verdict: str) -> list[Rating]:
    """Return the ratings with every other verdict taken together, to see how far people agree on this one."""
    return [
        Rating(
            answer=r.answer, claim=r.claim, rater=r.rater, verdict=verdict if r.verdict == verdict else f"not {verdict}"
        )
        for r in ratings
    ]


def pairwise_kappa(ratings: Sequence[Rating], *, level: float = 0.95) -> dict[tuple[str, str], Agreement]:
    """Return Cohen's kappa of every two raters, sorted by name, who rated a claim in common."""
    kappas = {
        pair: cohen_kappa(ratings, first=pair[0], second=pair[1], level=level)
        for pair in combinations(sorted({rating.rater for rating in ratings}), 2)
    }
    return {pair: kappa for pair, kappa in kappas.items() if kappa.claims}


def disagreements(ratings: Sequence[Rating]) -> list[str]:
    """Return the claims on which not all raters agree, in the order in which they first appear."""
    seen: dict[str, set[str]] = {}
    for rating in ratings:
        seen.setdefault(rating.claim, set()).add(rating.verdict)
    return [claim for claim, verdicts in seen.items() if len(verdicts) > 1]


class _Table:
    def __init__(self, ratings: Sequence[Rating]) -> None:
        # Sorted, so that neither the order of the ratings nor the names of the verdicts change a digit.
        self.answers = {name: at for at, name in enumerate(sorted({r.answer for r in ratings}))}
        codes = {name: at for at, name in enumerate(sorted({r.verdict for r in ratings}))}
        self.verdicts = len(codes)
        self._claims: dict[tuple[int, str], dict[str, int]] = {}
        for rating in ratings:
            given = self._claims.setdefault((self.answers[rating.answer], rating.claim), {})
            if rating.rater in given:
                raise ValueError(
                    f"{rating.rater!r} rated the claim {rating.claim!r} twice; hand over the label that holds."
                )
            given[rating.rater] = codes[rating.verdict]

    def claims(self) -> list[tuple[int, dict[str, int]]]:
        return [(answer, given) for (answer, _), given in self._claims.items()]


def _agreement(pairs: Floats, measure: Callable[[Floats], Floats], *, claims: int, level: float) -> Agreement:
    if not claims:
        return Agreement(value=None, interval=None, observed=None, claims=0)
    pairs = pairs[pairs.sum(axis=(1, 2)) > 0]
    total = pairs.sum(axis=0)
    observed = float(np.trace(total) / total.sum())
    value = float(measure(total[np.newaxis])[0])
    if np.isnan(value):
        return Agreement(value=None, interval=None, observed=observed, claims=claims)
    return Agreement(
        value=value, interval=_bootstrap(pairs, measure, value, observed, level), observed=observed, claims=claims
    )


def _bootstrap(
    pairs: Floats, measure: Callable[[Floats], Floats], value: float, observed: float, level: float
) -> Interval | None:
    answers, verdicts = pairs.shape[0], pairs.shape[1]
    if answers < 2:
        return None
    if observed == 1:
        # Every resample would be perfect however few the answers; Wilson's interval (1927) for the share stands in.
        expected = _chance_disagreement(pairs.sum(axis=0))
        return Interval(1 - (1 - wilson_interval(1.0, answers).low) / expected, 1.0)
    # Answers with the same counts are drawn together, which has the same distribution and costs less.
    kinds, occurs = np.unique(pairs.reshape(answers, -1), axis=0, return_counts=True)
    draws = np.random.default_rng(_SEED).multinomial(answers, occurs / answers, size=_RESAMPLES)
    found = measure((draws @ kinds).reshape(-1, verdicts, verdicts))
    found = found[~np.isnan(found)]
    if len(found) < _LEAST_DEFINED * _RESAMPLES:
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _kappa(tables: Floats) -> Floats:
    total = tables.sum(axis=(1, 2))
    agreed = np.trace(tables, axis1=1, axis2=2) / total
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1) / total**2
    return _beyond_chance(1 - agreed, 1 - chance)


def _alpha(tables: Floats) -> Floats:
    total = tables.sum(axis=(1, 2))
    margin = tables.sum(axis=2)
    observed = 1 - np.trace(tables, axis1=1, axis2=2) / total
    expected = (total**2 - (margin**2).sum(axis=1)) / (total * (total - 1))
    return _beyond_chance(observed, expected)


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    undefined = np.full(len(observed), np.nan)
    ratio: Floats = np.divide(observed, expected, out=undefined, where=expected > 1e-12)
    return 1 - ratio


def _chance_disagreement(table: Floats) -> float:
    total = table.sum()
    return float(1 - (table.sum(axis=0) * table.sum(axis=1)).sum() / total**2)
