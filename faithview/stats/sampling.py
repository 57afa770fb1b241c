"""Draws a spot-check in which every unit has a known inclusion probability above 0.

First a plan is made, without randomness: the strata, the number of units from each, and every unit's inclusion
probability. Then units are drawn with the seed.

- *Random*: one stratum; a unit's probability is proportional to its weight. Answers weigh the same; a claim of an
  answer with m claims weighs 1 / m, so each answer is equally likely to be seen.
- *Stratified*: by score, segment or verdict; each stratum gets labels in proportion to its weight, or to weight times
  the expected spread (Neyman 1934), and at least two, which an estimate needs.
- *Uncertain*: the probability grows with the judge's uncertainty: weight * (1 - mix + mix * u / mean u). The part
  1 - mix keeps every probability above 0 and every weight in the estimate at or below 1 / (1 - mix) times the ordinary.
  At the default of a third that is 1.5; a larger mix finds more errors but makes the corrected score less precise (on
  human labels a half gave wider intervals than a third).
- *First*: units that must be labelled (regressed, or with a stale label) are a separate stratum. All of them are drawn
  if that leaves enough of the others, otherwise a random part of them. Enough means that the interval is at most half
  again as wide as that of a random draw of the same size (`_most_first`).

They can be combined: the strata divide the run and the probabilities apply within each. Within a stratum exactly as
many units are drawn as planned, by systematic sampling with unequal probabilities in random order (Madow 1949; Hartley
and Rao 1962), whose inclusion probabilities are exact.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from faithview.stats.corrected_score import LEAST_LABELLED
from faithview.stats.intervals import CONFIDENCE, student_quantile
from faithview.stats.spot_check import Floats, Integers

MIX = 1 / 3
FIRST = "first"  # the name of the stratum of units that are drawn before all others

# How much wider than a random draw's the interval may become if some units are drawn first.
MOST_WIDENED = 1.5

# The judge's assumed error rate if all of a stratum's verdicts agree, so no stratum counts as free of errors.
_HIDDEN_ERRORS = 0.1


class Allocation(StrEnum):
    """How the labels are distributed among strata."""

    PROPORTIONAL = "proportional"
    NEYMAN = "neyman"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A spot-check before it is drawn, with one entry for each unit of the run, in the given order.

    `stratum` is the position in `names`; `pi` the inclusion probability in (0, 1]; `sizes` how many units are drawn
    from each stratum.
    """

    names: tuple[str, ...]
    stratum: Integers
    pi: Floats
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The units drawn, as positions in the run, in the order in which reviewers should get them.

    The order is random (units drawn first of all come first), so the part labelled at any time is itself a
    random part. `pi` and `stratum` belong to the units, in the same order.
    """

    units: Integers
    pi: Floats
    stratum: tuple[str, ...]


def plan_spot_check(
    weight: ArrayLike,
    *,
    size: int,
    strata: Sequence[str] | None = None,
    allocation: Allocation = Allocation.PROPORTIONAL,
    judge: ArrayLike | None = None,
    uncertainty: ArrayLike | None = None,
    mix: float = MIX,
    first: ArrayLike | None = None,
) -> Plan:
    """Plan a spot-check of a run.

    Args:
        weight: the units' shares of the run's score (see `spot_check`), on any scale.
        size: how many units to draw; the whole run if it has fewer.
        strata: the units' strata by name; None for one.
        allocation: how the labels are distributed among strata.
        judge: the judge's scores of the units, in [0, 1], which Neyman's allocation needs.
        uncertainty: the judge's uncertainty, 0 or more on any scale; None to ignore it.
        mix: the influence of uncertainty, in [0, 1).
        first: True for units that must be labelled.

    Raises:
        ValueError: the columns differ in length, a figure is out of its range, or `size` is too small for two units
            per stratum.
    """
    weights = np.asarray(weight, dtype=np.float64)
    units = len(weights)
    if size < 1 or units == 0:
        raise ValueError(f"{size} of {units} units cannot be drawn; both must be at least 1.")
    if not (weights > 0).all():
        raise ValueError(f"A weight is {weights.min()!r}; every unit must weigh more than 0.")
    if not 0 <= mix < 1:
        raise ValueError(f"The mix is {mix!r}; it must be in [0, 1), because at 1 some units could never be drawn.")
    groups = _strata(strata, first, units)
    names, stratum = groups.names, groups.position
    limit = np.bincount(stratum, minlength=len(names))
    chances = weights / weights.mean()
    if uncertainty is not None:
        chances = chances * _uncertain(_column(uncertainty, units, "uncertainty"), weights, mix)
    wanted = _label_shares(weights, stratum, len(names), allocation, judge)
    size = min(size, units)
    sizes = _least_sizes(limit, size)
    wholly = names.index(FIRST) if FIRST in names else None
    if wholly is not None:
        share = float(weights[stratum == wholly].sum() / weights.sum())
        sizes[wholly] = _most_first(share, limit, size, at=wholly)
    sizes = _allocate(wanted, sizes, limit, size, wholly=wholly)
    pi = np.empty(units)
    for position, number in enumerate(sizes):
        inside = stratum == position
        pi[inside] = inclusion_probabilities(chances[inside], int(number))
    return Plan(names=names, stratum=stratum, pi=pi, sizes=tuple(int(number) for number in sizes))


def draw(plan: Plan, *, seed: int) -> Draw:
    """Draw the units of a plan; the same plan and seed always give the same units in the same order."""
    rng = np.random.default_rng(seed)
    ahead: list[Integers] = []
    rest: list[Integers] = []
    for position, name in enumerate(plan.names):
        inside = np.flatnonzero(plan.stratum == position)
        (ahead if name == FIRST else rest).append(inside[_systematic(plan.pi[inside], rng)])
    order = [rng.permutation(np.concatenate(part)) for part in (ahead, rest) if part]
    units = np.concatenate(order)
    return Draw(units=units, pi=plan.pi[units], stratum=tuple(plan.names[s] for s in plan.stratum[units]))


def inclusion_probabilities(size_measure: ArrayLike, number: int) -> Floats:
    """Return probabilities proportional to a size measure, at most 1, that add up to the number to draw.

    Units whose proportional probability would exceed 1 get 1, and the others share the rest (Särndal et al., 3.6).
    """
    measure = np.asarray(size_measure, dtype=np.float64)
    if number >= len(measure):
        return np.ones(len(measure))
    certain = np.zeros(len(measure), dtype=bool)
    while True:
        left = number - int(certain.sum())
        pi = np.where(certain, 1.0, left * measure / measure[~certain].sum())
        over = ~certain & (pi >= 1)
        if not over.any():
            return pi
        certain |= over


@dataclass(frozen=True, slots=True)
class _Strata:
    """The strata's names, and for each unit the position of its own."""

    names: tuple[str, ...]
    position: Integers


def _strata(strata: Sequence[str] | None, first: ArrayLike | None, units: int) -> _Strata:
    labels = np.asarray(["all"] * units if strata is None else list(strata), dtype=object)
    if len(labels) != units:
        raise ValueError(f"There are {len(labels)} strata for {units} units; give one for each unit.")
    if first is not None:
        if strata is not None and FIRST in labels:
            raise ValueError(f"A stratum is called {FIRST!r}, which is reserved for units drawn first; rename it.")
        labels = np.where(np.asarray(first, dtype=bool), FIRST, labels)
    names, position = np.unique(labels.astype(str), return_inverse=True)
    return _Strata(tuple(str(name) for name in names), position.astype(np.int64))


def _uncertain(uncertainty: Floats, weights: Floats, mix: float) -> Floats:
    if not (uncertainty >= 0).all():
        raise ValueError(f"An uncertainty is {uncertainty.min()!r}; it must be 0 or more.")
    mean = float(np.average(uncertainty, weights=weights))
    return np.ones(len(weights)) if mean == 0 else 1 - mix + mix * uncertainty / mean


def _label_shares(
    weights: Floats, stratum: Integers, strata: int, allocation: Allocation, judge: ArrayLike | None
) -> Floats:
    """Return the strata's shares of the labels, adding up to 1."""
    share = np.bincount(stratum, weights, minlength=strata)
    if allocation is Allocation.NEYMAN:
        if judge is None:
            raise ValueError("Neyman's allocation needs the judge's scores, to estimate the spread.")
        mean = np.bincount(stratum, weights * _column(judge, len(stratum), "judge"), minlength=strata) / share
        supported = _HIDDEN_ERRORS + (1 - 2 * _HIDDEN_ERRORS) * mean
        share = share * np.sqrt(supported * (1 - supported))
    return np.asarray(share / share.sum())


def _most_first(share: float, limit: Integers, size: int, *, at: int) -> int:
    """Return the largest number of units to draw first with an interval within `MOST_WIDENED` of a random draw's.

    With s the spread within a part, W its share of the weight, and n of N units drawn, a random draw's variance is at
    least sum W s^2 (1 / n - 1 / N) and this one's is sum W^2 s^2 (1 / n_h - 1 / N_h), over the units drawn first and
    the others (Cochran 1977, "Sampling Techniques", 5.6). So for any spreads the variance grows by at most the larger
    of the parts' W (1 / n_h - 1 / N_h) / (1 / n - 1 / N). Student's quantiles count as well: a stratum that is drawn
    completely leaves the few others to estimate the spread. The result is at least proportional, which costs nothing.
    There must be enough labels for the minimum in every stratum.
    """
    here, others, strata = int(limit[at]), int(limit.sum() - limit[at]), len(limit) - 1
    least = int(np.minimum(LEAST_LABELLED, limit).sum() - min(LEAST_LABELLED, here))
    roomy = min(here, size - least)
    if not strata or size >= here + others:
        return roomy
    lowest = min(max(round(share * size), LEAST_LABELLED), roomy)
    first = np.arange(lowest, roomy + 1, dtype=np.float64)
    rest = size - first
    parts = np.array([share, 1 - share])[:, np.newaxis]
    left = np.maximum([1 / first - 1 / here, 1 / rest - 1 / others], 0.0)
    variances = parts**2 * left
    freedom = np.maximum([first - 1, rest - strata], 1.0)
    degrees = variances.sum(axis=0) ** 2 / (variances**2 / freedom).sum(axis=0)  # Satterthwaite's
    from scipy.special import stdtrit  # here, so `import faithview` stays quick

    squared = stdtrit(degrees, (1 + CONFIDENCE) / 2) ** 2 * (parts * left).max(axis=0)
    plain = student_quantile(CONFIDENCE, float(size - strata)) ** 2 * (1 / size - 1 / limit.sum())
    fits = np.flatnonzero(squared <= MOST_WIDENED**2 * plain)
    return int(first[fits[-1]]) if len(fits) else lowest


def _least_sizes(limit: Integers, size: int) -> Integers:
    """Return the minimum number of labels for each stratum."""
    least = np.minimum(LEAST_LABELLED, limit)
    if size < least.sum():
        raise ValueError(
            f"{size} {'label is' if size == 1 else 'labels are'} too few for {_of_strata(len(limit))}; "
            f"draw at least {least.sum()}{' or use fewer strata' if len(limit) > 1 else ''}."
        )
    return least


def _allocate(wanted: Floats, given: Integers, limit: Integers, size: int, *, wholly: int | None) -> Integers:
    """Distribute the remaining labels proportionally among the strata that are not drawn first."""
    sizes = given.copy()
    while sizes.sum() < size:
        open_ = sizes < limit
        if wholly is not None and open_.sum() > 1:
            open_[wholly] = False
        # One at a time by Webster's quotients, which stay proportional to any earlier distribution.
        sizes[int(np.where(open_, wanted / (sizes + 0.5), -math.inf).argmax())] += 1
    return sizes


def _of_strata(number: int) -> str:
    if number == 1:
        return f"an estimate, which needs {LEAST_LABELLED}"
    return f"{number} strata, and each of them needs {LEAST_LABELLED}"


def _systematic(pi: Floats, rng: np.random.Generator) -> Integers:
    certain = pi >= 1
    order = rng.permutation(np.flatnonzero(~certain))
    if not len(order):
        return np.flatnonzero(certain)
    ends = np.cumsum(pi[order])
    ends[-1] = round(float(ends[-1]))  # a whole number except for rounding, which must not cost or add a unit
    steps = np.floor(ends - (1 - rng.random()))  # the start is in (0, 1], so the first step is from -1
    return np.concatenate([np.flatnonzero(certain), order[np.diff(steps, prepend=-1.0) > 0]])


def _column(values: ArrayLike, units: int, name: str) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if len(column) != units:
        raise ValueError(f"The column {name!r} has {len(column)} rows for {units} units; give one for each unit.")
    if np.isnan(column).any():
        raise ValueError(f"The column {name!r} has a row without a number; fill it, for example with the mean.")
    return column
