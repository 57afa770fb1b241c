"""Whether the ranking of runs stays the same under other definitions of the score.

The standard is a run's mean over its judged answers of the share of supported claims (`domain.scoring`). It makes four
choices that other tools make differently:

- average: *macro*, the mean over answers (the standard), or *micro*, the share over all claims.
- partial: a partially supported claim counts 0 (the standard), 0.5 or 1.
- no claims: answers without claims, including abstentions, are left *out* (the standard) or *in* with 1.
- failed: answers that failed or are not judged yet are left *out* (the standard), or all score *worst*, 0, or
  *best*, 1.

In a micro average an answer without claims changes nothing; a failed answer is assumed to have as many claims as the
run's judged ones have on average. Answers with an empty context never count, because the judge was not asked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_SAME = 1e-9


class Average(StrEnum):
    """The units of the mean: answers or claims."""

    MACRO = "macro"
    MICRO = "micro"


class NoClaims(StrEnum):
    """How answers without claims count."""

    OUT = "out"
    IN = "in"


class Failed(StrEnum):
    """How answers without a verdict count."""

    OUT = "out"
    WORST = "worst"
    BEST = "best"


PARTIAL = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunVerdicts:
    """A run's verdicts: for each judged answer how many claims it has and how many are supported, wholly or partly.

    `without_claims` counts the answers without claims, including abstentions; `unscored` those that failed or are not
    judged yet.
    """

    claims: Integers
    supported: Integers
    partial: Integers
    without_claims: int = 0
    unscored: int = 0

    def __post_init__(self) -> None:
        if not len(self.claims) == len(self.supported) == len(self.partial):
            raise ValueError(
                f"There are {len(self.claims)} numbers of claims, {len(self.supported)} of supported and "
                f"{len(self.partial)} of partially supported ones; give one of each per answer."
            )
        bad = (self.claims < 1) | (self.supported < 0) | (self.partial < 0)
        bad |= self.supported + self.partial > self.claims
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            raise ValueError(
                f"Answer {at} has {self.claims[at]} claims, {self.supported[at]} supported and {self.partial[at]} "
                "partially supported; a judged answer has at least one claim and no more verdicts than claims."
            )
        if self.without_claims < 0 or self.unscored < 0:
            raise ValueError(
                f"There are {min(self.without_claims, self.unscored)} answers of one kind; give 0 or more."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One combination of the four choices; the defaults are the standard one."""

    average: Average = Average.MACRO
    partial: float = 0.0
    no_claims: NoClaims = NoClaims.OUT
    failed: Failed = Failed.OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingResult:
    """The runs' scores and ranks under one setting.

    `scores` are in [0, 1], in the order of the runs; None if there is nothing to score. `ranks` start from 1 for the
    best; runs with the same score share a rank, and runs without one have none. `overturned` are the pairs (i, j) of
    runs in which i is better by the standard setting and j by this one; `is_changed` says that a rank differs, also
    because of a new or resolved tie.
    """

    setting: Setting
    scores: tuple[float | None, ...]
    ranks: tuple[int | None, ...]
    overturned: tuple[tuple[int, int], ...]
    is_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """The runs under the standard setting and under all settings, the standard one first."""

    standard: SettingResult
    settings: tuple[SettingResult, ...]

    @property
    def changed(self) -> tuple[SettingResult, ...]:
        """The settings that rank the runs differently."""
        return tuple(result for result in self.settings if result.is_changed)


def all_settings() -> tuple[Setting, ...]:
    """Return every combination of the four choices, the standard one first."""
    return tuple(
        Setting(average=average, partial=partial, no_claims=no_claims, failed=failed)
        for average, partial, no_claims, failed in product(Average, PARTIAL, NoClaims, Failed)
    )


def sensitivity(runs: Sequence[RunVerdicts]) -> Sensitivity:
    """Score and rank the runs under every setting."""
    standard = _ranked(Setting(), [score(run, Setting()) for run in runs], None)
    results = [_ranked(setting, [score(run, setting) for run in runs], standard) for setting in all_settings()]
    return Sensitivity(standard=standard, settings=tuple(results))


def score(run: RunVerdicts, setting: Setting) -> float | None:
    """Return the run's score in [0, 1] under a setting; None if there is nothing to average."""
    hits = run.supported + setting.partial * run.partial
    if setting.average is Average.MACRO:
        total, weight = math.fsum(hits / run.claims), float(len(run.claims))
        each = 1.0
    else:
        total, weight = math.fsum(hits), float(run.claims.sum())
        each = weight / len(run.claims) if len(run.claims) else 1.0
    if setting.no_claims is NoClaims.IN and setting.average is Average.MACRO:
        total, weight = total + run.without_claims, weight + run.without_claims
    if setting.failed is not Failed.OUT:
        weight += each * run.unscored
    if setting.failed is Failed.BEST:
        total += each * run.unscored
    return total / weight if weight else None


def _ranked(setting: Setting, scores: Sequence[float | None], standard: SettingResult | None) -> SettingResult:
    known = np.array([math.nan if value is None else value for value in scores], dtype=np.float64)
    better = known[:, np.newaxis] > known + _SAME  # False for nan
    above = better.sum(axis=0)
    ranks = tuple(None if value is None else 1 + int(above[at]) for at, value in enumerate(scores))
    before = ranks if standard is None else standard.ranks
    order = np.array([math.nan if rank is None else rank for rank in before], dtype=np.float64)
    overturned = (order[:, np.newaxis] < order) & better.T
    return SettingResult(
        setting=setting,
        scores=tuple(scores),
        ranks=ranks,
        overturned=tuple((int(i), int(j)) for i, j in np.argwhere(overturned)),
        is_changed=ranks != before,
    )
