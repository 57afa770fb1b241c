"""Fit the embedded judge to labelled files, and measure the fit on documents that it has not seen.

Every reported figure is out of fold: rows on one document (`doc`) are in one fold, so that no answer is judged by a
model that has seen its chunks. Files differ in how many of their claims are supported, so each has its own base rate
while the trees are fitted; the base rate of the final model is the one whose cuts do best on the mean over the files.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from faithview.domain.errors import InvalidInput
from faithview.domain.private_file import private
from faithview.formats.dataset import LabelledSample
from faithview.formats.files.atomic_file import atomic_file
from faithview.judges.lexical.scoring.features import CLAIM_FEATURES, FEATURES
from faithview.judges.lexical.scoring.model import LEAF_STEP, log_odds, logistic
from faithview.judges.lexical.training.boosted_trees import Forest, Line, Settings, fit_forest, fit_line
from faithview.services.judge_quality.training_data import Answer, Floats, read_answers
from faithview.services.judge_quality.training_pooling import (
    UNSUPPORTED_BELOW,
    WEIGHT_BY_SIZE,
    Pooling,
    fit_pooling,
    support_scores,
)
from faithview.stats import classification

FOLDS = 5

# With fewer labelled claims of either kind there is nothing to fit.
FEWEST_CLAIMS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A fitted model, in memory."""

    forest: Forest
    line: Line
    pooling: Pooling
    base: float

    def claim_odds(self, answer: Answer) -> Floats:
        """Return the log odds of each claim of an answer; the cut is at 0."""
        return _mix(self.forest, self.line, answer.rows) - self.forest.base + self.base

    def support(self, answer: Answer) -> list[float]:
        """Return the support scores of an answer's claims, as the judge gives them."""
        return support_scores(answer, self.claim_odds(answer))

    def answer_score(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the probability that an answer with these support scores is faithful."""
        return self.pooling.score(answer, support)

    def document(self) -> dict[str, Any]:
        """Return the model as the file holds it."""
        trees = [
            {
                "questions": [list(q) for q in questions],
                "leaves": [round((1 - LINE_SHARE) * leaf / LEAF_STEP) for leaf in leaves],
            }
            for questions, leaves in zip(self.forest.questions, self.forest.leaves, strict=True)
        ]
        return {
            "format": 3,
            "features": list(FEATURES),
            "cuts": {
                "supported": 0.5,
                "unsupported": UNSUPPORTED_BELOW,
                "answer": {kind.value: round(logistic(cut), 4) for kind, cut in self.pooling.cuts.items()},
            },
            "answer": {
                "intercept": round(self.pooling.intercept, 4),
                **{name: round(slope, 4) for name, slope in self.pooling.slopes.items()},
            },
            "base": round(self.base, 4),
            "line": [round(LINE_SHARE * slope, 6) for slope in self.line.slopes],
            "trees": trees,
        }


# What the packaged model was fitted with.
SETTINGS = Settings(trees=400, depth=6, rate=0.06, ridge=30.0, rows=0.7)


def cross_validate_files(
    files: Mapping[str, Sequence[LabelledSample]],
) -> tuple[Fitted, dict[str, dict[str, float | None]]]:
    """Read labelled files, fit the judge to them and return the fit with each file's figures out of fold.

    Raises:
        InvalidInput: the files hold too few labelled claims of either kind.
    """
    return cross_validated({name: read_answers(rows) for name, rows in files.items()}, SETTINGS)


def cross_validated(
    files: Mapping[str, Sequence[Answer]], settings: Settings, *, folds: int = FOLDS
) -> tuple[Fitted, dict[str, dict[str, float | None]]]:
    """Return the fit to all files, and for each file the figures of its answers judged out of fold.

    The trees that judge a fold have not seen its documents; the pooling (a handful of figures) and the two cuts have.
    """
    odds = odds_out_of_fold(files, settings, folds)
    fitted = _fit_with(files, odds, settings)
    return fitted, _all_figures(files, odds, fitted.base - fitted.forest.base, fitted.pooling)


def figures_out_of_fold(
    files: Mapping[str, Sequence[Answer]], settings: Settings = SETTINGS, *, folds: int = FOLDS
) -> dict[str, dict[str, float | None]]:
    """Return each file's figures as `cross_validated` does, without the fit to all of them.

    Raises:
        InvalidInput: the files hold too few labelled claims of either kind.
    """
    odds = odds_out_of_fold(files, settings, folds)
    return _all_figures(files, odds, *fit_pooling(files, odds))


def write_model(fitted: Fitted, path: Path) -> None:
    """Write the model as a file of numbers, one tree a line.

    Raises:
        InvalidInput: the file cannot be written, or `path` is a folder.
    """
    document = fitted.document()
    trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in document.pop("trees"))
    head = json.dumps(document)[:-1]
    with atomic_file(path) as temporary, open(temporary, "x", opener=private, encoding="utf-8") as out:
        out.write(f'{head}, "trees": [\n{trees}\n]}}\n')


def odds_out_of_fold(
    files: Mapping[str, Sequence[Answer]], settings: Settings = SETTINGS, folds: int = FOLDS
) -> dict[str, list[Floats]]:
    """Return the log odds of each answer's claims, by trees that have not seen its document; the base is the files'."""
    odds: dict[str, list[Floats]] = {name: [np.zeros(0)] * len(answers) for name, answers in files.items()}
    for fold in range(folds):
        others = {name: [a for a in answers if a.fold % folds != fold] for name, answers in files.items()}
        forest, line = _fit_claims(others, settings)
        for name, answers in files.items():
            judged = [number for number, answer in enumerate(answers) if answer.fold % folds == fold]
            # All at once: asking the trees about one answer at a time takes longer than growing them.
            for number, claims in zip(judged, _mix_all(forest, line, [answers[n] for n in judged]), strict=True):
                odds[name][number] = claims
    return odds


# Trees rank better among texts like those they were fitted to, a straight line among others; so both are mixed.
LINE_SHARE = 0.3


def _mix(forest: Forest, line: Line, rows: Floats) -> Floats:
    if not len(rows):
        return np.zeros(0)
    # The line's own intercept is left out: the middle is set afterwards, for both together.
    straight = rows[:, : len(CLAIM_FEATURES)] @ np.asarray(line.slopes)
    mixed: Floats = forest.base + (1 - LINE_SHARE) * (forest.scores(rows) - forest.base) + LINE_SHARE * straight
    return mixed


def _mix_all(forest: Forest, line: Line, answers: Sequence[Answer]) -> list[Floats]:
    """Return the log odds of each answer's claims."""
    if not answers:
        return []
    mixed = _mix(forest, line, np.concatenate([answer.rows for answer in answers]))
    return np.split(mixed, np.cumsum([len(answer.rows) for answer in answers])[:-1])


def _fit_claims(files: Mapping[str, Sequence[Answer]], settings: Settings) -> tuple[Forest, Line]:
    tables, labels, offsets, weights = [], [], [], []
    largest = max(sum(len(a.known) for a in answers) for answers in files.values())
    for answers in files.values():
        if not any(len(a.known) for a in answers):
            continue
        rows = np.concatenate([a.rows for a in answers])
        known = np.array([k for a in answers for k in a.known])
        rows, known = rows[known >= 0], known[known >= 0]
        mean = float(np.clip(known.mean() if len(known) else 0.5, 0.02, 0.98))
        tables.append(rows)
        labels.append(known.astype(np.float64))
        offsets.append(np.full(len(known), log_odds(mean)))
        weights.append(np.full(len(known), (largest / max(1, len(known))) ** WEIGHT_BY_SIZE))
    all_labels = np.concatenate(labels) if labels else np.zeros(0)
    if min(all_labels.sum(), (1 - all_labels).sum()) < FEWEST_CLAIMS:
        raise InvalidInput(
            f"The files hold {int(all_labels.sum())} supported and {int((1 - all_labels).sum())} unsupported claims; "
            f"a fit needs at least {FEWEST_CLAIMS} of each. Label more answers, or add a file."
        )
    table, weight = np.concatenate(tables), np.concatenate(weights)
    forest = fit_forest(table, all_labels, weight, settings, offsets=np.concatenate(offsets))
    groups = np.repeat(np.arange(len(labels)), [len(part) for part in labels])
    return forest, fit_line(table[:, : len(CLAIM_FEATURES)], all_labels, weight, groups)


def _fit_with(files: Mapping[str, Sequence[Answer]], odds: Mapping[str, list[Floats]], settings: Settings) -> Fitted:
    forest, line = _fit_claims(files, settings)
    shift, pooling = fit_pooling(files, odds)
    return Fitted(forest=forest, line=line, pooling=pooling, base=forest.base + shift)


def _all_figures(
    files: Mapping[str, Sequence[Answer]], odds: Mapping[str, Sequence[Floats]], shift: float, pooling: Pooling
) -> dict[str, dict[str, float | None]]:
    return {
        name: answer_figures(
            answers, [support_scores(a, o + shift) for a, o in zip(answers, odds[name], strict=True)], pooling
        )
        for name, answers in files.items()
    }


def answer_figures(
    answers: Sequence[Answer], support: Sequence[list[float]], pooling: Pooling
) -> dict[str, float | None]:
    """Return the figures of answers whose claims have these support scores; None where there is nothing to rank."""
    actual = [not a.is_faithful for a in answers]
    flagged = [pooling.flags(a, s) for a, s in zip(answers, support, strict=True)]
    claims = [
        (known == 0, -value)
        for a, s in zip(answers, support, strict=True)
        if a.has_spans
        for known, value in zip(a.known, s, strict=True)
    ]
    return {
        "claim_auroc": classification.auroc([c for c, _ in claims], [v for _, v in claims]) if claims else None,
        "auroc": classification.auroc(actual, [-pooling.score(a, s) for a, s in zip(answers, support, strict=True)]),
        "balanced_accuracy": classification.rates(actual, flagged).balanced_accuracy,
    }
