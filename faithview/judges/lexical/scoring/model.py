"""The fitted figures, read from a file of numbers, and what follows from them: probabilities and cuts.

A model is one JSON document: `features` (the names of the figures that it asks for; no others are worked out), `base`,
`line` (a slope for each of the first of them, those that the claim by itself tells), `trees` (for each its questions
`[feature, threshold]` and its leaves, in ten-thousandths of log odds), `answer` (the figures of the pooling) and
`cuts`. All are log odds; a claim's are base + line + trees. Leaves are whole numbers, so their sum is the same on any
machine.

The figures' own numbers are shares of rounded weights, counts and logarithms of counts; thresholds have four digits, so
that the last bit of a logarithm, in which machines differ, decides nothing.
"""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log
from operator import mul
from pathlib import Path
from typing import Any

from faithview.domain.errors import JudgeUnavailable
from faithview.judges.lexical.scoring.claim_view import AnswerView
from faithview.judges.lexical.scoring.feature import Feature
from faithview.judges.lexical.scoring.features import FEATURES

# Log odds are written in steps of this size.
LEAF_STEP = 0.0001

# Every tree has one byte of a row's answers, so that it asks at most eight questions.
MOST_QUESTIONS = 8

_FORMAT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Where the bands of the support score end; all are probabilities in [0, 1].

    `supported`: from here on a claim of any answer is supported. `unsupported`: below, nothing of it is found.
    `answer`: an answer of a kind whose own probability is below this has its weakest claims checked, whatever their
    scores.
    """

    supported: float
    unsupported: float
    answer: Mapping[str, float]


class Model:
    """A fitted model, ready to be asked. `digest` names its figures."""

    def __init__(self, document: Mapping[str, Any], digest: str) -> None:
        if document.get("format") != _FORMAT:
            raise ValueError("it was fitted for another version of the embedded judge")
        self._columns = [feature.column for feature in _asked_for(document["features"])]
        self.digest = digest
        self.cuts = Cuts(**document["cuts"])
        self._base = round(document["base"] / LEAF_STEP)
        self._line: list[float] = document["line"]
        self._answer: dict[str, float] = document["answer"]
        # Equal leaves are one object: a tenth of the memory, so that adding them up stays within the processor's cache.
        known: dict[int, int] = {}
        self._leaves: list[list[int]] = [[known.setdefault(n, n) for n in tree["leaves"]] for tree in document["trees"]]
        by_feature: dict[int, list[tuple[float, int]]] = {}
        for number, tree in enumerate(document["trees"]):
            for bit, (feature, threshold) in enumerate(tree["questions"]):
                by_feature.setdefault(feature, []).append((threshold, 1 << (MOST_QUESTIONS * number + bit)))
        # For each feature its thresholds in order and, for each number of thresholds passed, the bits of all of them.
        self._features: list[tuple[int, list[float], list[int]]] = []
        for feature in sorted(by_feature):
            questions = sorted(by_feature[feature])
            masks = [0]
            for _, mask in questions:
                masks.append(masks[-1] | mask)
            self._features.append((feature, [threshold for threshold, _ in questions], masks))

    def supports(self, answer: AnswerView) -> list[float]:
        """Return for each claim of an answer the probability in (0, 1) that it is supported."""
        if not answer.claims:
            return []
        # Figure by figure, because nearly half of them are the same for all claims of an answer.
        of_all, of_each = 0, [0] * answer.count
        columns = [column(answer) for column in self._columns]
        for feature, thresholds, masks in self._features:
            column = columns[feature]
            if column.count(column[0]) == len(column):
                of_all |= masks[bisect_left(thresholds, column[0])]
                continue
            for number, value in enumerate(column):
                passed = bisect_left(thresholds, value)
                if passed:
                    of_each[number] |= masks[passed]
        rows = zip(*columns, strict=True)
        return [self._support(row, bits | of_all) for row, bits in zip(rows, of_each, strict=True)]

    def _support(self, row: Sequence[float], bits: int) -> float:
        answers = bits.to_bytes(len(self._leaves), "little")
        total = sum([leaves[answer] for leaves, answer in zip(self._leaves, answers, strict=True)])
        straight = sum(map(mul, self._line, row))  # over the first figures, those of the claim by itself
        return round(logistic((self._base + total) * LEAF_STEP + straight), 6)

    def answer_support(self, figures: Mapping[str, float]) -> float:
        """Return the probability in (0, 1) that an answer is faithful, from the figures of `pooling`."""
        score = self._answer["intercept"] + sum(self._answer[name] * value for name, value in figures.items())
        return round(logistic(score), 6)


def _asked_for(names: Sequence[str]) -> list[Feature]:
    unknown = [name for name in names if name not in FEATURES]
    if unknown:
        raise ValueError(f"it asks for {unknown[0]!r}, which is no figure of this version")
    if not names or len(set(names)) < len(names):
        raise ValueError("it asks for no figures, or for one of them twice")
    return [FEATURES[name] for name in names]


def logistic(score: float) -> float:
    """Return 1 / (1 + exp(-score)), in (0, 1)."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, score))))


def log_odds(probability: float) -> float:
    """Return the inverse of `logistic`, for probabilities away from 0 and 1."""
    return log(probability / (1 - probability))


@lru_cache(maxsize=1)
def packaged_model() -> Model:
    """Return the model that comes with the package."""
    return _parse(files(__package__).joinpath("model.json").read_bytes())


def read_model(path: Path) -> Model:
    """Return a model that `faithview fit` wrote.

    Raises:
        JudgeUnavailable: the file cannot be read, or it holds no model of this version.
    """
    try:
        return _parse(path.read_bytes())
    except OSError as error:
        raise JudgeUnavailable(f"The model {str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JudgeUnavailable(
            f"{str(path)!r} is no model of this judge ({error}); fit it again with: faithview fit FILE -o {path}"
        ) from error


def _parse(content: bytes) -> Model:
    return Model(json.loads(content), hashlib.sha256(content).hexdigest()[:8])
