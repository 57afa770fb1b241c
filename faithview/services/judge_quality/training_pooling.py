"""Fit the step from claims' scores to the answer: its probability of being faithful, and the cuts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Verdict
from faithview.domain.scoring import is_faithful
from faithview.judges.lexical.analysis.answer import support_of
from faithview.judges.lexical.scoring.answer_pooling import (
    ANSWER_FIGURES,
    KINDS,
    AnswerKind,
    answer_figures,
    weakest_claims,
)
from faithview.judges.lexical.scoring.model import logistic
from faithview.judges.lexical.training.boosted_trees import fit_line
from faithview.judges.lexical.verdicts.decide import is_mentioned
from faithview.services.judge_quality.training_data import Answer, Floats

# Claims between this and the middle need checking; below it, a claim is called unsupported with confidence.
UNSUPPORTED_BELOW = 0.2

# Rows of a small file weigh more, or a large file would decide alone; together they still weigh less than its rows.
WEIGHT_BY_SIZE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """The answer's log odds: intercept + sum of slope * figure; for each kind of answer, the log odds of its cut."""

    slopes: Mapping[str, float]
    intercept: float
    cuts: Mapping[AnswerKind, float]

    def odds(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the log odds that an answer with these support scores, at least one, is faithful."""
        figures = answer_figures(support, answer.beside)
        return self.intercept + sum(self.slopes[name] * value for name, value in figures.items())

    def score(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the probability that an answer with these support scores is faithful."""
        return logistic(self.odds(answer, support)) if support else answer.score_without_claims

    def flags(self, answer: Answer, support: Sequence[float]) -> bool:
        """Return whether the judge would call the answer unfaithful."""
        return bool(support) and _is_unfaithful(answer, support, self._weak(answer, support))

    def supported(self, answer: Answer, support: Sequence[float]) -> list[bool]:
        """Return which claims the judge would call supported."""
        weak = self._weak(answer, support) if support else set[int]()
        return [
            not in_conflict and is_supported
            for in_conflict, is_supported in zip(answer.in_conflict, _are_supported(answer, support, weak), strict=True)
        ]

    def _weak(self, answer: Answer, support: Sequence[float]) -> set[int]:
        is_doubtful = self.odds(answer, support) < self.cuts[answer.kind]
        return weakest_claims(support) if is_doubtful else set()


def support_scores(answer: Answer, odds: Floats) -> list[float]:
    """Return the support scores of an answer's claims, as the judge gives them, from their log odds."""
    chances = [round(logistic(float(value)), 6) for value in odds]
    return [support_of(chance, in_conflict=c) for chance, c in zip(chances, answer.in_conflict, strict=True)]


def fit_pooling(files: Mapping[str, Sequence[Answer]], odds: Mapping[str, Sequence[Floats]]) -> tuple[float, Pooling]:
    """Return what to add to the claims' log odds, so that the middle is where to cut, and the pooling of the answers.

    Both are those with the best balanced accuracy, as a mean over the files, in which a file counts by the root of its
    claims, as the error of its figures falls.

    Args:
        files: the answers of each file.
        odds: the log odds of their claims, by trees that have not seen them.
    """
    best: tuple[float, float, Pooling] | None = None
    # Where the mean claim stands in the middle, all cuts worth trying are near.
    middle = -float(np.mean([np.concatenate(parts).mean() for parts in odds.values()]))
    for shift in middle + np.arange(-1.0, 2.6, 0.25):
        support = {
            name: [support_scores(a, o + shift) for a, o in zip(answers, odds[name], strict=True)]
            for name, answers in files.items()
        }
        slopes, intercept = _fit_line(files, support)
        uncut = Pooling(slopes=slopes, intercept=intercept, cuts=dict.fromkeys(KINDS, 0.0))
        reached, cuts = _best_cuts([_table(files[name], support[name], uncut) for name in files])
        # A thousandth is noise; of shifts that do as well the first is nearest to the claims' own scores.
        if best is None or round(reached, 3) > round(best[0], 3):
            best = reached, float(shift), Pooling(slopes=slopes, intercept=intercept, cuts=cuts)
    assert best is not None  # noqa: S101 - the range is not empty
    return best[1], best[2]


def _fit_line(
    files: Mapping[str, Sequence[Answer]], support: Mapping[str, list[list[float]]]
) -> tuple[dict[str, float], float]:
    """Fit a logistic regression with an L2 penalty to the answers, with a base rate for each file."""
    lines, labels, groups, weights = [], [], [], []
    largest = max(len(answers) for answers in files.values())
    for group, (name, answers) in enumerate(files.items()):
        for answer, values in zip(answers, support[name], strict=True):
            if values:
                lines.append(list(answer_figures(values, answer.beside).values()))
                labels.append(float(answer.is_faithful))
                groups.append(group)
                weights.append((largest / len(answers)) ** WEIGHT_BY_SIZE)
    line = fit_line(np.array(lines), np.array(labels), np.array(weights), np.array(groups))
    return dict(zip(ANSWER_FIGURES, line.slopes, strict=True)), line.intercept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The answers of a file: their log odds, kinds, labels, and whether they are flagged where doubtful, where not."""

    odds: Floats
    kinds: NDArray[np.int_]
    is_faithful: NDArray[np.bool_]
    if_doubtful: NDArray[np.bool_]
    if_not: NDArray[np.bool_]
    weight: float

    def balanced_accuracy(self, cuts: Sequence[float]) -> float | None:
        flagged = np.where(self.odds < np.asarray(cuts)[self.kinds], self.if_doubtful, self.if_not)
        if self.is_faithful.all() or not self.is_faithful.any():
            return None
        return float((flagged[~self.is_faithful].mean() + (~flagged[self.is_faithful]).mean()) / 2)


def _table(answers: Sequence[Answer], support: Sequence[Sequence[float]], pooling: Pooling) -> _Table:
    pairs = list(zip(answers, support, strict=True))
    return _Table(
        odds=np.array([pooling.odds(a, s) if s else np.inf for a, s in pairs]),
        kinds=np.array([KINDS.index(a.kind) for a in answers]),
        is_faithful=np.array([a.is_faithful for a in answers]),
        if_doubtful=np.array([bool(s) and _is_unfaithful(a, s, weakest_claims(s)) for a, s in pairs]),
        if_not=np.array([bool(s) and _is_unfaithful(a, s, set[int]()) for a, s in pairs]),
        weight=max(1, sum(len(a.known) for a in answers)) ** 0.5,
    )


# Log odds of the answers' cuts that are tried, and how often each kind of answer has its turn while the others stay.
_CUTS = tuple(float(cut) for cut in np.arange(-2.0, 2.01, 0.125))
_TURNS = 2


def _best_cuts(tables: Sequence[_Table]) -> tuple[float, dict[AnswerKind, float]]:
    """Return the best mean balanced accuracy that was found, and the cuts of each kind of answer that reach it."""

    def reached(cuts: Sequence[float]) -> float:
        figures = [(table.balanced_accuracy(cuts), table.weight) for table in tables]
        known = [(figure, weight) for figure, weight in figures if figure is not None]
        return sum(f * w for f, w in known) / sum(w for _, w in known) if known else 0.0

    cuts = [_top([reached([cut] * len(KINDS)) for cut in _CUTS])] * len(KINDS)
    for _, number in product(range(_TURNS), range(len(KINDS))):
        cuts[number] = _top([reached([*cuts[:number], cut, *cuts[number + 1 :]]) for cut in _CUTS])
    return reached(cuts), dict(zip(KINDS, cuts, strict=True))


# Cuts on both sides over which a figure is averaged: a peak that its neighbours do not share is noise.
_NEIGHBOURS = 3


def _top(figures: Sequence[float]) -> float:
    """Return where the figures (one for each of `_CUTS`) are highest once smoothed; of equals the middle one."""
    padded = np.pad(np.array(figures), _NEIGHBOURS, mode="edge")
    smooth = np.convolve(padded, np.ones(2 * _NEIGHBOURS + 1) / (2 * _NEIGHBOURS + 1), mode="valid").round(6)
    return min((cut for cut, figure in zip(_CUTS, smooth, strict=True) if figure == smooth.max()), key=abs)


def _is_unfaithful(answer: Answer, support: Sequence[float], weak: set[int]) -> bool:
    return is_faithful(_verdicts(answer, support, weak)) is False


def _verdicts(answer: Answer, support: Sequence[float], weak: set[int]) -> list[Verdict]:
    """Return the verdicts that the judge would give the claims of an answer."""
    verdicts = []
    for number, is_supported in enumerate(_are_supported(answer, support, weak)):
        if answer.in_conflict[number]:
            verdicts.append(Verdict.CONTRADICTED)
        elif is_supported:
            verdicts.append(Verdict.SUPPORTED)
        elif is_mentioned(answer.found[number], support[number], unsupported=UNSUPPORTED_BELOW):
            verdicts.append(Verdict.PARTIALLY_SUPPORTED)
        else:
            verdicts.append(Verdict.NOT_MENTIONED)
    return verdicts


def _are_supported(answer: Answer, support: Sequence[float], weak: set[int]) -> list[bool]:
    return [
        value >= 0.5 and not lacks and number not in weak
        for number, (value, lacks) in enumerate(zip(support, answer.lacks_detail, strict=True))
    ]
