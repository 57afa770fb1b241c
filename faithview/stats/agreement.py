"""How far reviewers agree with each other, or with a judge, beyond chance.

Cohen's kappa (1960) for two raters and Krippendorff's alpha (nominal; 2011, "Computing Krippendorff's
Alpha-Reliability") for any number, with ratings missing. Both are 1 - observed / expected disagreement: 1 is perfect,
0 is the level of chance, and below 0 is worse than chance. Intervals are percentile bootstraps over answers, since
claims of one answer are not independent.

With ten answers or fewer the resamples are too few and too alike: on simulated pairs of raters the percentile interval
contained the truth in 75 to 94% of cases, and could have width 0. So its tails are moved out (Hesterberg 2015, "What
Teachers Should Know About the Bootstrap", 3.3) and it also covers Wilson's interval of the share that agrees, with
Student's quantile: 97 to 100%.

Implemented here because the bootstrap needs only the counts by answer, whereas a library would be called for each of
the 2,000 resamples. (The library for alpha, `krippendorff`, is also under the GPL, which FaithView cannot pass on.) The
tests compare with truescore.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from faithview.domain.scoring import Interval
from faithview.stats.intervals import CONFIDENCE, RESAMPLES, SEED, wilson_interval

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_NONE = -1  # code for a verdict that the rater did not give

_MANY_ANSWERS = 2_000
_FEW_ANSWERS = 10
_NO_WIDTH = 1e-9
_LEAST_DEFINED = 0.95  # of the resamples; with fewer, their quantiles would be too narrow


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One rater's verdict on one claim. Each rater rates a claim at most once."""

    answer: str
    claim: str
    rater: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Agreement beyond chance, at most 1.

    `value` is None if it is not defined: no claim was rated twice, or all ratings are the same verdict, so no
    disagreement is expected. `interval` is then None as well, and also if there are fewer than two answers or too many
    resamples leave it undefined. `observed` is the share of agreeing pairs in [0, 1]; `claims` counts the claims rated
    at least twice. If claims have weights, `value` and `observed` are weighted and `claims` is a plain count.
    """

    value: float | None
    interval: Interval | None
    observed: float | None
    claims: int


class Ratings:
    """Ratings as a table of claims by raters, from which kappa and alpha are computed.

    Raises:
        ValueError: a rater rated a claim twice.
    """

    def __init__(self, ratings: Sequence[Rating]) -> None:
        # Sorted, so the order of the ratings and the names of the verdicts do not change a digit.
        self._answers = {name: at for at, name in enumerate(sorted({r.answer for r in ratings}))}
        self._verdicts = {name: at for at, name in enumerate(sorted({r.verdict for r in ratings}))}
        self._raters = {name: at for at, name in enumerate(sorted({r.rater for r in ratings}))}
        claims: dict[tuple[str, str], int] = {}
        at = [claims.setdefault((r.answer, r.claim), len(claims)) for r in ratings]
        self._answer: Integers = np.array([self._answers[answer] for answer, _ in claims], dtype=np.int64)
        self._table: Integers = np.full((len(claims), len(self._raters)), _NONE, dtype=np.int64)
        for rating, claim in zip(ratings, at, strict=True):
            place = claim, self._raters[rating.rater]
            if self._table[place] != _NONE:
                raise ValueError(
                    f"{rating.rater!r} rated the claim {rating.claim!r} twice; pass only the label that counts."
                )
            self._table[place] = self._verdicts[rating.verdict]

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts that occur, sorted."""
        return tuple(self._verdicts)

    def kappa(self, first: str, second: str, *, level: float = CONFIDENCE) -> Agreement:
        """Return Cohen's kappa of two raters over the claims that both rated."""
        if first not in self._raters or second not in self._raters:
            return Agreement(value=None, interval=None, observed=None, claims=0)
        ours, theirs = self._table[:, self._raters[first]], self._table[:, self._raters[second]]
        both = (ours != _NONE) & (theirs != _NONE)
        # Verdicts that neither of the two gave only add empty rows.
        return kappa_of(self._answer[both], ours[both], theirs[both], level=level)

    def kappas(self, *, level: float = CONFIDENCE) -> dict[tuple[str, str], Agreement]:
        """Return Cohen's kappa of every two raters with a claim in common, sorted by name."""
        kappas = {pair: self.kappa(*pair, level=level) for pair in combinations(self._raters, 2)}
        return {pair: kappa for pair, kappa in kappas.items() if kappa.claims}

    def alpha(self, *, verdict: str | None = None, level: float = CONFIDENCE) -> Agreement:
        """Return Krippendorff's alpha, nominal, of all raters; claims rated only once do not count.

        With `verdict`, return alpha of that verdict against all others together: how far raters agree on it.
        """
        codes, table = len(self._verdicts), self._table
        if verdict is not None:
            codes, table = 2, np.where(table == _NONE, _NONE, table == self._verdicts.get(verdict, codes))
        counts = np.stack([(table == code).sum(axis=1) for code in range(codes)] or [self._answer], axis=1)
        several = counts.sum(axis=1) > 1
        counts = counts[several].astype(np.float64)
        # Each pair of different raters, weighted by how often its claim was rated.
        pairs = counts[:, :, np.newaxis] * counts[:, np.newaxis, :] - counts[:, :, np.newaxis] * np.eye(codes)
        pairs /= (counts.sum(axis=1) - 1)[:, np.newaxis, np.newaxis]
        tables = np.zeros((len(self._answers), codes, codes))
        np.add.at(tables, self._answer[several], pairs)
        return _agreement(tables, _alpha, claims=int(several.sum()), level=level)


def kappa_of(
    answers: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    level: float = CONFIDENCE,
) -> Agreement:
    """Return Cohen's kappa of two raters of the same claims, given as columns.

    With weights 1 / pi every cell of the table is a Horvitz-Thompson estimate (1952), and kappa is computed from
    the estimated table. The bootstrap draws answers with their weights.

    Args:
        answers: the answer of each claim, in any values.
        first: one rater's verdicts, in any values.
        second: the other rater's verdicts, in the same values.
        weights: the claims' weights, 1 / pi if a spot-check drew them; None for equal weights.
        level: the interval's confidence, in (0, 1).

    Raises:
        ValueError: the columns differ in length, or a weight is not above 0.
    """
    _, answer = np.unique(np.asarray(answers), return_inverse=True)
    ours, theirs = np.asarray(first), np.asarray(second)
    weight = np.ones(len(answer)) if weights is None else np.asarray(weights, dtype=np.float64)
    if not len(answer) == len(ours) == len(theirs) == len(weight):
        raise ValueError(
            f"{len(answer)} answers, {len(ours)} and {len(theirs)} verdicts and {len(weight)} weights: "
            "give one of each per claim."
        )
    if not (weight > 0).all():
        raise ValueError(f"A weight is {weight.min()!r}; every label must weigh more than 0.")
    if not len(answer):
        return Agreement(value=None, interval=None, observed=None, claims=0)
    verdicts, codes = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    pairs = np.zeros((int(answer.max()) + 1, len(verdicts), len(verdicts)))
    np.add.at(pairs, (answer, codes[: len(ours)], codes[len(ours) :]), weight)
    each = np.bincount(answer, weight) / np.bincount(answer)
    effective = float(each.sum() ** 2 / (each**2).sum())
    return _agreement(pairs, _kappa, claims=len(ours), level=level, effective=effective)


def _agreement(
    pairs: Floats,
    measure: Callable[[Floats], Floats],
    *,
    claims: int,
    level: float,
    effective: float | None = None,
) -> Agreement:
    """Return the agreement of tables of pairs, one for each answer.

    `effective` is the number of equally weighted answers with the same information (Kish 1965), None if all weigh the
    same.
    """
    if not claims:
        return Agreement(value=None, interval=None, observed=None, claims=0)
    pairs = pairs[pairs.sum(axis=(1, 2)) > 0]
    total = pairs.sum(axis=0)
    observed = float(np.trace(total) / total.sum())
    value = float(measure(total[np.newaxis])[0])
    if np.isnan(value):
        return Agreement(value=None, interval=None, observed=observed, claims=claims)
    interval = _bootstrap(pairs, measure, observed, claims, level, effective or len(pairs))
    return Agreement(value=value, interval=interval, observed=observed, claims=claims)


def _bootstrap(
    pairs: Floats, measure: Callable[[Floats], Floats], observed: float, claims: int, level: float, effective: float
) -> Interval | None:
    from scipy.special import ndtr, stdtrit  # here, so `import faithview` stays quick

    answers, verdicts = pairs.shape[0], pairs.shape[1]
    if answers < 2:
        return None
    expected = _chance_disagreement(pairs.sum(axis=0))
    if np.isclose(observed, 1.0, rtol=0.0, atol=1e-12):
        # Every resample would be perfect, however few the answers; Wilson's interval (1927) of the share replaces it.
        return Interval(max(-1.0, 1 - (1 - wilson_interval(1.0, effective).low) / expected), 1.0)
    rng = np.random.default_rng(SEED)
    flat = pairs.reshape(answers, -1)
    if answers > _MANY_ANSWERS:
        # The table of a resample is a sum over many answers, so it is normal: it is drawn as one, at a fixed cost.
        total = flat.sum(axis=0)
        spread = flat.T @ flat - np.outer(total, total) / answers
        tables = rng.multivariate_normal(total, spread, size=RESAMPLES, method="eigh")
    else:
        # Answers with the same counts are drawn together, which has the same distribution and costs less.
        kinds, occurs = np.unique(flat, axis=0, return_counts=True)
        tables = rng.multinomial(answers, occurs / answers, size=RESAMPLES) @ kinds
    values = measure(tables.reshape(-1, verdicts, verdicts))
    values = values[~np.isnan(values)]
    if len(values) < _LEAST_DEFINED * RESAMPLES:
        return None
    tail = (1 - level) / 2
    quantile = -float(stdtrit(max(1.0, effective - 1), tail))
    if effective <= _FEW_ANSWERS:
        tail = float(ndtr(-quantile * (effective / max(1.0, effective - 1)) ** 0.5))
    low, high = (float(end) for end in np.quantile(values, [tail, 1 - tail]))
    if effective <= _FEW_ANSWERS or high - low < _NO_WIDTH:
        share = wilson_interval(observed, claims * effective / answers, z=quantile)
        low = min(low, max(-1.0, 1 - (1 - share.low) / expected))
        high = max(high, 1 - (1 - share.high) / expected)
    return Interval(low, high)


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
