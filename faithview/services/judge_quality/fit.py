"""Fit the embedded judge to labelled files, and measure the fit on documents that it was not fitted to.

Every reported figure is out of fold: rows on one document (`doc`) are in one fold, so no answer is judged by a model
that was fitted to its chunks. Files differ in their share of supported claims, so each has its own base rate while the
trees are fitted; the final model has the base rate whose cuts do best on the mean over the files. The last step turns
claims' scores into the answer's probability of being faithful, and sets the cuts.

"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from faithview.domain.claim import Verdict
from faithview.domain.errors import InvalidInput
from faithview.domain.private_file import private
from faithview.domain.scoring import is_faithful
from faithview.formats.files.atomic_file import atomic_file
from faithview.formats.labelled import LabelledSample
from faithview.judges.lexical.analysis import read_answer, score_without_claims, support_of
from faithview.judges.lexical.scoring.boosted_trees import Forest, Line, Settings, fit_forest, fit_line
from faithview.judges.lexical.scoring.model import (
    ANSWER_FIGURES,
    CLAIM_FEATURES,
    FEATURES,
    KINDS,
    LEAF_STEP,
    AnswerKind,
    kind_of,
    log_odds,
    logistic,
    weakest_claims,
)
from faithview.judges.lexical.scoring.model import answer_figures as pooled_figures
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.lexical.verdicts import is_mentioned, recall_of
from faithview.stats import judge_quality

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A labelled answer, as the judge reads it.

    `rows` are its claims' features and `known` their labels (1 supported, 0 not, -1 unknown). `in_conflict` and
    `lacks_detail` say which rules apply to each claim, and `found` is the share of it that the chunks contain (0 if
    they say that nothing is known about it). `beside` are the answer's own features for the pooling,
    `score_without_claims` its score if it has no claims. `fold` is a number of its document, taken modulo the number of
    folds.
    """

    is_faithful: bool
    has_spans: bool
    fold: int
    rows: Floats
    known: tuple[int, ...]
    in_conflict: tuple[bool, ...]
    lacks_detail: tuple[bool, ...]
    found: tuple[float, ...]
    beside: tuple[float, ...]
    kind: AnswerKind
    score_without_claims: float


def read_answers(rows: Sequence[LabelledSample]) -> list[Answer]:
    """Read labelled rows as the judge does; an answer without claims or chunks has no rows and counts as supported."""
    return [_read_answer(row) for row in rows]


def _read_answer(row: LabelledSample) -> Answer:
    split = split_answer(row.sample.answer, row.sample.question)
    reading = read_answer(row.sample, split) if split.claims and row.sample.has_context else None
    claims = split.claims if reading else ()
    known = []
    for claim in claims:
        if row.label == 1:
            known.append(1)
        elif row.spans and row.claim is None:
            known.append(int(not any(s.start < claim.end and claim.start < s.end for s in row.spans)))
        else:
            known.append(0 if len(claims) == 1 else -1)
    comparisons = reading.comparisons if reading else []
    columns = [feature.column(reading.view) for feature in FEATURES.values()] if reading else [[]] * len(FEATURES)
    return Answer(
        is_faithful=row.label == 1,
        has_spans=row.spans is not None and row.claim is None,
        fold=zlib.crc32(row.doc.encode()),
        rows=np.array(columns, dtype=np.float64).T.copy(),
        known=tuple(known),
        in_conflict=tuple(c.conflict is not None for c in comparisons),
        lacks_detail=tuple(bool(c.missing_names or c.missing_values or c.untold) for c in comparisons),
        found=tuple(0.0 if c.untold else recall_of(c, reading.context) for c in comparisons) if reading else (),
        beside=reading.beside if reading else (),
        kind=kind_of(len(claims), is_record=reading is not None and reading.context.is_record),
        score_without_claims=score_without_claims(row.sample, split) if not split.claims else 1.0,
    )


# Claims between this and the middle need checking; below it, the judge is confident that a claim is unsupported.
UNSUPPORTED_BELOW = 0.2

# Rows of a small file get a larger weight, or a large file would decide alone; in total they still weigh less.
WEIGHT_BY_SIZE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """The answer's log odds: intercept + sum of slope * figure; for each kind of answer, the log odds of its cut."""

    slopes: Mapping[str, float]
    intercept: float
    cuts: Mapping[AnswerKind, float]

    def odds(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the log odds that an answer with these support scores, at least one, is faithful."""
        figures = pooled_figures(support, answer.beside)
        return self.intercept + sum(self.slopes[name] * value for name, value in figures.items())

    def score(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the probability that an answer with these support scores is faithful."""
        return logistic(self.odds(answer, support)) if support else answer.score_without_claims

    def verdicts(self, answer: Answer, support: Sequence[float]) -> list[Verdict]:
        """Return the judge's verdicts on claims with these support scores."""
        is_doubtful = bool(support) and self.odds(answer, support) < self.cuts[answer.kind]
        return _verdicts(answer, support, weakest_claims(support) if is_doubtful else set())

    def flags(self, answer: Answer, support: Sequence[float]) -> bool:
        """Return whether the judge would call the answer unfaithful."""
        return is_faithful(self.verdicts(answer, support)) is False

    def supported(self, answer: Answer, support: Sequence[float]) -> list[bool]:
        """Return which claims the judge would call supported."""
        return [verdict is Verdict.SUPPORTED for verdict in self.verdicts(answer, support)]


def _verdicts(answer: Answer, support: Sequence[float], weak: set[int]) -> list[Verdict]:
    """Return the judge's verdicts on the claims of an answer of which these, by number, are in doubt."""
    verdicts = []
    for number, value in enumerate(support):
        if answer.in_conflict[number]:
            verdicts.append(Verdict.CONTRADICTED)
        elif value >= 0.5 and not answer.lacks_detail[number] and number not in weak:
            verdicts.append(Verdict.SUPPORTED)
        elif is_mentioned(answer.found[number], value, unsupported=UNSUPPORTED_BELOW):
            verdicts.append(Verdict.PARTIALLY_SUPPORTED)
        else:
            verdicts.append(Verdict.NOT_MENTIONED)
    return verdicts


def support_scores(answer: Answer, odds: Floats) -> list[float]:
    """Return the support scores of an answer's claims, as the judge gives them, from their log odds."""
    chances = [round(logistic(float(value)), 6) for value in odds]
    return [support_of(chance, in_conflict=c) for chance, c in zip(chances, answer.in_conflict, strict=True)]


def fit_pooling(files: Mapping[str, Sequence[Answer]], odds: Mapping[str, Sequence[Floats]]) -> tuple[float, Pooling]:
    """Return the shift of the claims' log odds that puts the cut in the middle, and the pooling of the answers.

    Both maximise balanced accuracy, as a mean over the files, weighted by the square root of their number of claims,
    with which the error of figures falls.

    Args:
        files: the answers of each file.
        odds: the log odds of their claims, by trees that were not fitted to them.
    """
    best: tuple[float, float, Pooling] | None = None
    # The shift that puts the mean claim in the middle; all cuts worth trying are near it.
    middle = -float(np.mean([np.concatenate(parts).mean() for parts in odds.values()]))
    for shift in middle + np.arange(-1.0, 2.6, 0.25):
        support = {
            name: [support_scores(a, o + shift) for a, o in zip(answers, odds[name], strict=True)]
            for name, answers in files.items()
        }
        slopes, intercept = _fit_line(files, support)
        uncut = Pooling(slopes=slopes, intercept=intercept, cuts=dict.fromkeys(KINDS, 0.0))
        reached, cuts = _best_cuts(files, support, uncut)
        # A thousandth is noise; among equally good shifts the first is closest to the claims' own scores.
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
                lines.append(list(pooled_figures(values, answer.beside).values()))
                labels.append(float(answer.is_faithful))
                groups.append(group)
                weights.append((largest / len(answers)) ** WEIGHT_BY_SIZE)
    line = fit_line(np.array(lines), np.array(labels), np.array(weights), np.array(groups))
    return dict(zip(ANSWER_FIGURES, line.slopes, strict=True)), line.intercept


# The log odds tried as cuts, and how often each kind's cut is tuned while the others stay fixed.
_CUTS = tuple(float(cut) for cut in np.arange(-2.0, 2.01, 0.125))
_TURNS = 2


def _best_cuts(
    files: Mapping[str, Sequence[Answer]], support: Mapping[str, list[list[float]]], pooling: Pooling
) -> tuple[float, dict[AnswerKind, float]]:
    """Return the best mean balanced accuracy found, and the cuts per kind of answer that reach it."""
    pairs = [(a, s) for name, answers in files.items() for a, s in zip(answers, support[name], strict=True)]
    odds = np.array([pooling.odds(a, s) if s else np.inf for a, s in pairs])
    kinds = np.array([KINDS.index(a.kind) for a, _ in pairs])
    unfaithful = np.array([not a.is_faithful for a, _ in pairs])
    below = np.array([is_faithful(_verdicts(a, s, weakest_claims(s))) is False for a, s in pairs])
    above = np.array([is_faithful(_verdicts(a, s, set())) is False for a, s in pairs])
    worth = np.concatenate([_worth(answers) for answers in files.values()])
    worth /= worth.sum() or 1

    def reached(cuts: Sequence[float]) -> float:
        return float(worth @ (np.where(odds < np.asarray(cuts)[kinds], below, above) == unfaithful))

    cuts = [_top([reached([cut] * len(KINDS)) for cut in _CUTS])] * len(KINDS)
    for _, number in product(range(_TURNS), range(len(KINDS))):
        cuts[number] = _top([reached([*cuts[:number], cut, *cuts[number + 1 :]]) for cut in _CUTS])
    return reached(cuts), dict(zip(KINDS, cuts, strict=True))


def _worth(answers: Sequence[Answer]) -> Floats:
    """Return what each answer, judged right, adds to its file's weighted balanced accuracy; 0 without both labels."""
    faithful = np.array([answer.is_faithful for answer in answers])
    if faithful.all() or not faithful.any():
        return np.zeros(len(answers))
    weight = sum(len(answer.known) for answer in answers) ** 0.5
    worth: Floats = weight / 2 / np.where(faithful, faithful.sum(), (~faithful).sum())
    return worth


# How many neighbouring cuts a figure is averaged over: an isolated peak is noise.
_NEIGHBOURS = 3


def _top(figures: Sequence[float]) -> float:
    """Return the cut with the highest smoothed figure (one per cut in `_CUTS`); of equals the one nearest to 0."""
    padded = np.pad(np.array(figures), _NEIGHBOURS, mode="edge")
    smooth = np.convolve(padded, np.ones(2 * _NEIGHBOURS + 1) / (2 * _NEIGHBOURS + 1), mode="valid").round(6)
    return min((cut for cut, figure in zip(_CUTS, smooth, strict=True) if figure == smooth.max()), key=abs)


FOLDS = 5

# The minimum number of labelled claims of each kind for a fit.
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

    def document(self) -> dict[str, Any]:
        """Return the model as the file has it."""
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


# The settings of the packaged model.
SETTINGS = Settings(trees=400, depth=6, rate=0.06, ridge=30.0, rows=0.7)


def cross_validated(
    files: Mapping[str, Sequence[Answer]], settings: Settings = SETTINGS, *, folds: int = FOLDS
) -> tuple[Fitted, dict[str, dict[str, float | None]]]:
    """Return the fit to all files, and for each file the figures of its answers judged out of fold.

    The trees that judge a fold were not fitted to its documents; the pooling (a few figures) and the two cuts were.

    Raises:
        InvalidInput: the files have too few labelled claims of either kind.
    """
    odds = odds_out_of_fold(files, settings, folds)
    forest, line = _fit_claims(files, settings)
    shift, pooling = fit_pooling(files, odds)
    fitted = Fitted(forest=forest, line=line, pooling=pooling, base=forest.base + shift)
    figures = {
        name: answer_figures(
            answers,
            [support_scores(a, o + shift) for a, o in zip(answers, odds[name], strict=True)],
            pooling,
        )
        for name, answers in files.items()
    }
    return fitted, figures


def write_model(fitted: Fitted, path: Path) -> None:
    """Write the model as a file of numbers, one tree per line.

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
    """Return the log odds of each answer's claims, by trees not fitted to its document, with the files' base rate."""
    odds: dict[str, list[Floats]] = {name: [np.zeros(0)] * len(answers) for name, answers in files.items()}
    for fold in range(folds):
        others = {name: [a for a in answers if a.fold % folds != fold] for name, answers in files.items()}
        forest, line = _fit_claims(others, settings)
        for name, answers in files.items():
            judged = [number for number, answer in enumerate(answers) if answer.fold % folds == fold]
            # All at once: evaluating the trees answer by answer takes longer than growing them.
            parts = [answers[number].rows for number in judged]
            mixed = _mix(forest, line, np.concatenate([np.zeros((0, len(FEATURES))), *parts]))
            ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
            for number, claims in zip(judged, np.split(mixed, ends), strict=False):
                odds[name][number] = claims
    return odds


# Trees rank better among texts like those they were fitted to, a linear model among others, so both are mixed.
LINE_SHARE = 0.3


def _mix(forest: Forest, line: Line, rows: Floats) -> Floats:
    # The linear model's intercept is left out; the middle is set afterwards, for both together.
    straight = rows[:, : len(CLAIM_FEATURES)] @ np.asarray(line.slopes)
    mixed: Floats = forest.base + (1 - LINE_SHARE) * (forest.scores(rows) - forest.base) + LINE_SHARE * straight
    return mixed


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


def answer_figures(
    answers: Sequence[Answer], support: Sequence[list[float]], pooling: Pooling
) -> dict[str, float | None]:
    """Return the figures of answers whose claims have these support scores; None without anything to rank."""
    actual = [not a.is_faithful for a in answers]
    flagged = [pooling.flags(a, s) for a, s in zip(answers, support, strict=True)]
    claims = [
        (known == 0, -value)
        for a, s in zip(answers, support, strict=True)
        if a.has_spans
        for known, value in zip(a.known, s, strict=True)
    ]
    return {
        "claim_auroc": judge_quality.auroc([c for c, _ in claims], [v for _, v in claims]) if claims else None,
        "auroc": judge_quality.auroc(actual, [-pooling.score(a, s) for a, s in zip(answers, support, strict=True)]),
        "balanced_accuracy": judge_quality.rates(actual, flagged).balanced_accuracy,
    }
