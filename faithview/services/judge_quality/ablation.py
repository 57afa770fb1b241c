"""The value of each family of features to the embedded judge on a labelled file: fits with and without it.

The claims' features are computed once. A family is left out by setting its columns to zero: trees cannot split on a
constant column and the linear part gets no slope, so the fit is one without them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from faithview.domain.errors import InvalidInput
from faithview.formats.labelled import LabelledSample
from faithview.judges.lexical.scoring.boosted_trees import Settings
from faithview.judges.lexical.scoring.claim_view import Family
from faithview.judges.lexical.scoring.model import FAMILIES, FEATURES
from faithview.services.judge_quality.fit import FOLDS, SETTINGS, Answer, figures_out_of_fold, read_answers
from faithview.stats.intervals import NORMAL_QUANTILE

# Trees are random: how many seeds each fit is repeated with; the mean counts.
DRAWS = 3

ABLATED_FIGURES = ("claim_auroc", "auroc", "balanced_accuracy")

_Figures = Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutFamily:
    """The figures, in [0, 1], of fits without a family of `features` features.

    `differences` are these minus the figures with all families; negative means that the judge is worse without it.
    """

    family: str
    features: int
    figures: _Figures
    differences: _Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """An ablation by family; a figure is None if the file does not allow it.

    `answers` and `claims` count those of the file, `labelled_claims` the claims whose label is known, which are fitted.
    `chance` is the largest difference from zero that random trees alone cause in 95 of 100 cases.
    """

    answers: int
    claims: int
    labelled_claims: int
    folds: int
    draws: int
    all_families: _Figures
    chance: _Figures
    families: tuple[WithoutFamily, ...]

    def document(self) -> dict[str, Any]:
        """Return the ablation as `faithview bench --ablate --json` prints it."""
        return {
            "answers": self.answers,
            "claims": self.claims,
            "labelled_claims": self.labelled_claims,
            "folds": self.folds,
            "draws": self.draws,
            "all": dict(self.all_families),
            "chance": dict(self.chance),
            "families": [
                {
                    "family": left_out.family,
                    "features": left_out.features,
                    **left_out.figures,
                    "differences": dict(left_out.differences),
                }
                for left_out in self.families
            ],
        }


# The families group the features of the rules, which both judges have.
_WITH_FAMILIES = ("embedded", "lexical")


def require_rules(judge: str) -> None:
    """Reject judges without families of features.

    Raises:
        InvalidInput: the judge does not use the rules that have them.
    """
    if judge not in _WITH_FAMILIES:
        raise InvalidInput(
            f"Judge {judge!r} has no families of features; --ablate needs the embedded judge, so leave --judge out."
        )


def fits_needed(draws: int = DRAWS) -> int:
    """Return how many cross-validated fits an ablation takes."""
    return (len(FAMILIES) + 1) * draws


def ablate(rows: Sequence[LabelledSample], *, on_fitted: Callable[[], None] | None = None) -> Ablation:
    """Fit the embedded judge to a labelled file with all families of features and without each in turn.

    Raises:
        InvalidInput: the file has too few labelled claims of either kind.
    """
    return ablate_answers(read_answers(rows), on_fitted=on_fitted)


def ablate_answers(
    answers: Sequence[Answer],
    settings: Settings = SETTINGS,
    *,
    folds: int = FOLDS,
    draws: int = DRAWS,
    on_fitted: Callable[[], None] | None = None,
) -> Ablation:
    """Return the figures of fits to these answers, with all families and without each, out of fold by document.

    Args:
        answers: labelled answers, as the judge reads them.
        settings: how to grow the trees; each repetition adds one to the seed.
        folds: how many parts the documents are split into.
        draws: how many times each fit is repeated, at least 1. With one draw `chance` is not known.
        on_fitted: called after each of `fits_needed` fits.

    Raises:
        InvalidInput: the answers have too few labelled claims of either kind.
    """

    def measure(read: Sequence[Answer]) -> list[_Figures]:
        measured: list[_Figures] = []
        for draw in range(draws):
            figures = figures_out_of_fold({"file": read}, replace(settings, seed=settings.seed + draw), folds=folds)
            measured.append(figures["file"])
            if on_fitted is not None:
                on_fitted()
        return measured

    with_all = measure(answers)
    without = {family.name: measure([_without(answer, family) for answer in answers]) for family in FAMILIES}
    all_figures = _means(with_all)
    known = [label >= 0 for answer in answers for label in answer.known]
    return Ablation(
        answers=len(answers),
        claims=len(known),
        labelled_claims=sum(known),
        folds=folds,
        draws=draws,
        all_families=all_figures,
        chance={name: _chance([with_all, *without.values()], name) for name in ABLATED_FIGURES},
        families=tuple(_compare_figures(family, _means(without[family.name]), all_figures) for family in FAMILIES),
    )


def _without(answer: Answer, family: Family) -> Answer:
    left_out = {feature.name for feature in family.features}
    rows = answer.rows.copy()
    rows[:, [name in left_out for name in FEATURES]] = 0.0
    return replace(answer, rows=rows)


def _means(draws: Sequence[_Figures]) -> _Figures:
    columns = {name: [figure for draw in draws if (figure := draw[name]) is not None] for name in ABLATED_FIGURES}
    return {name: sum(column) / len(column) if column else None for name, column in columns.items()}


def _compare_figures(family: Family, figures: _Figures, with_all: _Figures) -> WithoutFamily:
    differences = {
        name: None if value is None or (other := with_all[name]) is None else value - other
        for name, value in figures.items()
    }
    return WithoutFamily(family=family.name, features=len(family.features), figures=figures, differences=differences)


def _chance(fits: Sequence[Sequence[_Figures]], name: str) -> float | None:
    """Return the half-width of a 95% interval of the difference of two means, from repetitions of one fit."""
    columns = [[figure for draw in draws if (figure := draw[name]) is not None] for draws in fits]
    spreads = [float(np.var(column, ddof=1)) for column in columns if len(column) > 1]
    if not spreads:
        return None
    return NORMAL_QUANTILE * sqrt(2 * sum(spreads) / len(spreads) / len(columns[0]))
