"""Fit the embedded judge's figures to labelled files, and say honestly what they are worth.

Every figure that is reported is out of fold: rows on one document (`doc`) are in one fold, so that nothing is judged by
a model that has seen its chunks. Files differ in how many of their claims are supported; each has its own base rate
while the trees are fitted, and the one that ships lies where the cuts do best on the mean over the files.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from faithview.domain.errors import InvalidInput
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.formats.dataset import LabelledSample
from faithview.judges.lexical.boosting import Forest, Line, Settings, fit_forest, fit_line
from faithview.judges.lexical.claims import split_answer
from faithview.judges.lexical.features import FEATURES
from faithview.judges.lexical.model import LEAF_STEP, log_odds, logistic
from faithview.judges.lexical.pooling import ANSWER_FIGURES, answer_figures, weakest_claims
from faithview.judges.lexical.reading import read_answer, score_without_claims, support_of
from faithview.judges.lexical.surroundings import ALL_FEATURES
from faithview.stats import classification

Floats = NDArray[np.floating[Any]]

FOLDS = 5

# A file of few rows counts for more a row, or a large one would decide alone; and less in all than a large one.
_WEIGHT_BY_SIZE = 0.25

# Fewer labelled claims of either kind fit nothing.
FEWEST_CLAIMS = 50

# A band below the middle in which claims are to be checked; what is below is called unsupported with confidence.
_UNSUPPORTED_BELOW = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A labelled answer, read: its claims' figures, what is known of them (1 supported, 0 not, -1 unknown), rules.

    `words_found` is the share of the claims' words that the chunks hold, `score_without_claims` what the answer scores
    where it has no claims. `fold` is a number by its document; its remainder says in which fold it is.
    """

    is_faithful: bool
    has_spans: bool
    fold: int
    rows: Floats
    known: tuple[int, ...]
    in_conflict: tuple[bool, ...]
    lacks_detail: tuple[bool, ...]
    words_found: float
    score_without_claims: float


def read_answers(rows: Sequence[LabelledSample]) -> list[Answer]:
    """Read labelled rows as the judge does; an answer without claims or chunks has no rows and counts as supported."""
    return [_read(row) for row in rows]


def _read(row: LabelledSample) -> Answer:
    split = split_answer(row.sample.answer)
    is_readable = bool(split.claims) and row.sample.has_context
    reading = read_answer(row.sample, split) if is_readable else None
    claims = split.claims if is_readable else ()
    known = []
    for claim in claims:
        if row.label == 1:
            known.append(1)
        elif row.spans and row.claim is None:
            known.append(int(not any(s.start < claim.end and claim.start < s.end for s in row.spans)))
        else:
            known.append(0 if len(claims) == 1 else -1)
    comparisons = reading.comparisons if reading else []
    return Answer(
        is_faithful=row.label == 1,
        has_spans=row.spans is not None and row.claim is None,
        fold=zlib.crc32(row.doc.encode()),
        rows=np.array(reading.rows if reading else np.zeros((0, len(ALL_FEATURES)))),
        known=tuple(known),
        in_conflict=tuple(c.conflict is not None for c in comparisons),
        lacks_detail=tuple(bool(c.missing_names or c.missing_values or c.untold) for c in comparisons),
        words_found=reading.words_found if reading else 1.0,
        score_without_claims=score_without_claims(row.sample, split) if not split.claims else 1.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Figures that were fitted, before and after they are written down."""

    forest: Forest
    line: Line
    answer: dict[str, float]
    base: float
    intercept: float

    def claim_odds(self, answer: Answer) -> Floats:
        """Return the log odds of each claim of an answer, the middle being where the cut is."""
        return _mix(self.forest, self.line, answer.rows) - self.forest.base + self.base

    def support(self, answer: Answer) -> list[float]:
        """Return the support scores of an answer's claims, as the judge gives them."""
        return _support(answer, self.claim_odds(answer))

    def answer_score(self, answer: Answer, support: Sequence[float]) -> float:
        """Return the probability that an answer with these support scores is faithful."""
        return _answer_score(answer, support, self.answer, self.intercept)

    def document(self) -> dict[str, Any]:
        """Return the model as it is written to a file."""
        trees = [
            {
                "questions": [list(q) for q in questions],
                "leaves": [round((1 - LINE_SHARE) * leaf / LEAF_STEP) for leaf in leaves],
            }
            for questions, leaves in zip(self.forest.questions, self.forest.leaves, strict=True)
        ]
        return {
            "format": 2,
            "features": list(ALL_FEATURES),
            "cuts": {"supported": 0.5, "unsupported": _UNSUPPORTED_BELOW, "answer": 0.5},
            "answer": {"intercept": round(self.intercept, 4), **{k: round(v, 4) for k, v in self.answer.items()}},
            "base": round(self.base, 4),
            "line": [round(LINE_SHARE * slope, 6) for slope in self.line.slopes],
            "trees": trees,
        }


def fit(files: Mapping[str, Sequence[Answer]], settings: Settings, *, folds: int = FOLDS) -> Fitted:
    """Fit trees to the claims of all files, the pooling to their answers, and set the middle of both scores.

    Raises:
        InvalidInput: the files hold too few labelled claims of either kind.
    """
    odds = _out_of_fold(files, settings, folds)
    return _fit_with(files, odds, settings)


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
    odds = _out_of_fold(files, settings, folds)
    fitted = _fit_with(files, odds, settings)
    shift = fitted.base - fitted.forest.base
    figures = {
        name: _figures(answers, [_support(a, o + shift) for a, o in zip(answers, odds[name], strict=True)], fitted)
        for name, answers in files.items()
    }
    return fitted, figures


def held_out(answers: Sequence[Answer], fitted: Fitted) -> dict[str, float | None]:
    """Return the figures of answers that the fit has not seen."""
    return _figures(answers, [fitted.support(answer) for answer in answers], fitted)


def write_model(fitted: Fitted, path: Path) -> None:
    """Write the model as a file of numbers, one tree a line.

    Raises:
        InvalidInput: the file cannot be written.
    """
    document = fitted.document()
    trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in document.pop("trees"))
    head = json.dumps(document)[:-1]
    try:
        path.write_text(f'{head}, "trees": [\n{trees}\n]}}\n', encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"The model cannot be written to {str(path)!r}: {error.strerror}.") from error


def _out_of_fold(files: Mapping[str, Sequence[Answer]], settings: Settings, folds: int) -> dict[str, list[Floats]]:
    """Return the log odds of each answer's claims by trees that have not seen its document; the base is the files'."""
    odds: dict[str, list[Floats]] = {name: [np.zeros(0)] * len(answers) for name, answers in files.items()}
    for fold in range(folds):
        kept = {name: [a for a in answers if a.fold % folds != fold] for name, answers in files.items()}
        forest, line = _fit_claims(kept, settings)
        for name, answers in files.items():
            for number, answer in enumerate(answers):
                if answer.fold % folds == fold:
                    odds[name][number] = _mix(forest, line, answer.rows)
    return odds


# Trees rank better among texts like those they were fitted to, a straight line among others; the mean of both is used.
LINE_SHARE = 0.3


def _mix(forest: Forest, line: Line, rows: Floats) -> Floats:
    if not len(rows):
        return np.zeros(0)
    # The line's own intercept is left out: the middle is set afterwards, for both together.
    straight = rows[:, : len(FEATURES)] @ np.asarray(line.slopes)
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
        weights.append(np.full(len(known), (largest / max(1, len(known))) ** _WEIGHT_BY_SIZE))
    all_labels = np.concatenate(labels) if labels else np.zeros(0)
    if min(all_labels.sum(), (1 - all_labels).sum()) < FEWEST_CLAIMS:
        raise InvalidInput(
            f"The files hold {int(all_labels.sum())} supported and {int((1 - all_labels).sum())} unsupported claims; "
            f"a fit needs at least {FEWEST_CLAIMS} of each. Label more answers, or add a file."
        )
    table, weight = np.concatenate(tables), np.concatenate(weights)
    forest = fit_forest(table, all_labels, weight, settings, offsets=np.concatenate(offsets))
    groups = np.repeat(np.arange(len(labels)), [len(part) for part in labels])
    return forest, fit_line(table[:, : len(FEATURES)], all_labels, weight, groups)


def _fit_with(files: Mapping[str, Sequence[Answer]], odds: Mapping[str, list[Floats]], settings: Settings) -> Fitted:
    forest, line = _fit_claims(files, settings)
    best: tuple[float, float, float, dict[str, float]] | None = None
    # A file counts by the root of its claims, as the error of its figures falls.
    weight_of = {name: max(1, sum(len(a.known) for a in answers)) ** 0.5 for name, answers in files.items()}
    # Where the mean claim stands in the middle, all cuts worth trying are near.
    middle = -float(np.mean([np.concatenate(parts).mean() for parts in odds.values()]))
    for shift in middle + np.arange(-1.0, 2.6, 0.25):
        support = {
            name: [_support(a, o + shift) for a, o in zip(answers, odds[name], strict=True)]
            for name, answers in files.items()
        }
        pooling, intercept = _fit_pooling(files, support)
        tables = {
            name: np.array([_reading_of(a, s, pooling) for a, s in zip(answers, support[name], strict=True)])
            for name, answers in files.items()
        }
        for cut in np.arange(-1.25, 1.26, 0.125):
            moved = intercept - float(cut)
            score = weight = 0.0
            for name, answers in files.items():
                odds_of, if_doubtful, if_not = tables[name].T
                flagged = np.where(odds_of + moved < 0, if_doubtful, if_not) > 0
                rates = classification.rates([not a.is_faithful for a in answers], flagged.tolist())
                if rates.balanced_accuracy is not None:
                    score += rates.balanced_accuracy * weight_of[name]
                    weight += weight_of[name]
            mean = score / (weight or 1.0)
            if best is None or mean > best[0]:
                best = (mean, float(shift), moved, pooling)
    assert best is not None  # noqa: S101 - the ranges are not empty
    _, shift, intercept, pooling = best
    return Fitted(forest=forest, line=line, answer=pooling, base=forest.base + shift, intercept=intercept)


def _fit_pooling(
    files: Mapping[str, Sequence[Answer]], support: Mapping[str, list[list[float]]]
) -> tuple[dict[str, float], float]:
    """Fit a logistic regression with an L2 penalty to the answers, with a base rate for each file."""
    lines, labels, groups = [], [], []
    for group, (name, answers) in enumerate(files.items()):
        for answer, values in zip(answers, support[name], strict=True):
            if values:
                lines.append(list(answer_figures(values, answer.words_found).values()))
                labels.append(float(answer.is_faithful))
                groups.append(group)
    line = fit_line(np.array(lines), np.array(labels), np.ones(len(labels)), np.array(groups))
    return dict(zip(ANSWER_FIGURES, line.slopes, strict=True)), line.intercept


def _support(answer: Answer, odds: Floats) -> list[float]:
    chances = [round(logistic(float(value)), 6) for value in odds]
    return [support_of(chance, in_conflict=c) for chance, c in zip(chances, answer.in_conflict, strict=True)]


def _answer_score(answer: Answer, support: Sequence[float], pooling: Mapping[str, float], intercept: float) -> float:
    if not support:
        return answer.score_without_claims
    return logistic(intercept + _pooled(answer, support, pooling))


def _pooled(answer: Answer, support: Sequence[float], pooling: Mapping[str, float]) -> float:
    return sum(pooling[name] * value for name, value in answer_figures(support, answer.words_found).items())


def _reading_of(answer: Answer, support: Sequence[float], pooling: Mapping[str, float]) -> tuple[float, bool, bool]:
    """Return an answer's log odds without the intercept; whether it is flagged where it is doubtful, and where not."""
    if not support:
        return 0.0, False, False
    weak = weakest_claims(support, DEFAULT_THRESHOLD)
    return (
        _pooled(answer, support, pooling),
        _has_too_few(answer, support, weak),
        _has_too_few(answer, support, set[int]()),
    )


def _is_flagged(answer: Answer, support: Sequence[float], pooling: Mapping[str, float], intercept: float) -> bool:
    """Return whether the judge would call the answer unfaithful."""
    odds, if_doubtful, if_not = _reading_of(answer, support, pooling)
    return if_doubtful if odds + intercept < 0 else if_not


def _has_too_few(answer: Answer, support: Sequence[float], weak: set[int]) -> bool:
    """Return whether a claim is contradicted, or too few are supported."""
    if any(answer.in_conflict):
        return True
    held = sum(
        value >= 0.5 and not lacks and number not in weak
        for number, (value, lacks) in enumerate(zip(support, answer.lacks_detail, strict=True))
    )
    return held / len(support) < DEFAULT_THRESHOLD


def _figures(answers: Sequence[Answer], support: Sequence[list[float]], fitted: Fitted) -> dict[str, float | None]:
    actual = [not a.is_faithful for a in answers]
    flagged = [_is_flagged(a, s, fitted.answer, fitted.intercept) for a, s in zip(answers, support, strict=True)]
    claims = [
        (known == 0, -value)
        for a, s in zip(answers, support, strict=True)
        if a.has_spans
        for known, value in zip(a.known, s, strict=True)
    ]
    return {
        "claim_auroc": classification.auroc([c for c, _ in claims], [v for _, v in claims]) if claims else None,
        "auroc": classification.auroc(
            actual, [-fitted.answer_score(a, s) for a, s in zip(answers, support, strict=True)]
        ),
        "balanced_accuracy": classification.rates(actual, flagged).balanced_accuracy,
    }
