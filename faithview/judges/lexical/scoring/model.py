"""The fitted numbers and what follows from them: the probability of each claim and of the answer.

The figures that a model can ask for are listed here by family.
A new figure is a function in `wording_features` or `answer_features` and a name in a family: models that do not know
it do not ask for it, and the next fit does.
"""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from math import exp, log, log1p
from operator import mul
from pathlib import Path
from typing import Any

from faithview.domain.claim import Verdict
from faithview.domain.errors import JudgeUnavailable
from faithview.domain.scoring import is_faithful
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.scoring import answer_features, wording_features
from faithview.judges.lexical.scoring.claim_view import AnswerView, Feature, by_name
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import tokenize, word_of

# The order matters: a fit draws columns at random by position.
FAMILIES = (
    wording_features.WORDS,
    wording_features.WORD_ORDER,
    answer_features.NAMES_AND_VALUES,
    wording_features.STYLE,
    wording_features.GAPS,
    answer_features.CITATIONS,
    answer_features.FIELDS,
    wording_features.ADDITIONS,
    answer_features.ANSWER,
    answer_features.NEIGHBOURS,
    answer_features.SUPPORT,
)

FEATURES = by_name(FAMILIES)

# Claim-level features: the inputs of the model's linear part.
CLAIM_FEATURES = tuple(name for name, feature in FEATURES.items() if feature.is_of_claim)


# Log odds are stored in steps of this size.
LEAF_STEP = 0.0001

# A tree's answers for a row are one byte, so a tree has at most eight questions.
MOST_QUESTIONS = 8

_FORMAT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuts:
    """Where the bands of the support score end; all are probabilities in [0, 1].

    `supported`: from here on a claim of any answer is supported. `unsupported`: below, nothing of it is found.
    `answer`: an answer of a kind whose own probability is below this has its weakest claims checked, regardless of
    their scores.
    """

    supported: float
    unsupported: float
    answer: Mapping[str, float]


class Trees:
    """Boosted oblivious trees and a straight line over rows of figures, both as a document has them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._base: int = round(document["base"] / LEAF_STEP)
        self._line: list[float] = document["line"]
        # Share equal leaves: that takes a tenth of the memory, so the sums stay within the processor's cache.
        known: dict[int, int] = {}
        self._leaves: list[list[int]] = [[known.setdefault(n, n) for n in tree["leaves"]] for tree in document["trees"]]
        by_feature: dict[int, list[tuple[float, int]]] = {}
        for number, tree in enumerate(document["trees"]):
            for bit, (feature, threshold) in enumerate(tree["questions"]):
                by_feature.setdefault(feature, []).append((threshold, 1 << (MOST_QUESTIONS * number + bit)))
        # Per feature: its thresholds in order, and the bits of all thresholds passed, by how many were passed.
        self._features: list[tuple[int, list[float], list[int]]] = []
        for feature in sorted(by_feature):
            questions = sorted(by_feature[feature])
            masks = [0]
            for _, mask in questions:
                masks.append(masks[-1] | mask)
            self._features.append((feature, [threshold for threshold, _ in questions], masks))

    def odds(self, columns: Sequence[Sequence[float]]) -> list[float]:
        """Return the log odds of each row; `columns` has the rows' values of each feature, at least one."""
        # Go feature by feature: nearly half of them have one value for all claims of an answer.
        of_all, of_each = 0, [0] * len(columns[0])
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
        return [self._of_row(row, bits | of_all) for row, bits in zip(rows, of_each, strict=True)]

    def _of_row(self, row: Sequence[float], bits: int) -> float:
        answers = bits.to_bytes(len(self._leaves), "little")
        total = sum([leaves[answer] for leaves, answer in zip(self._leaves, answers, strict=True)])
        straight: float = sum(map(mul, self._line, row))  # over the first figures
        return (self._base + total) * LEAF_STEP + straight


class Model:
    """A fitted model, ready for use. `digest` identifies its numbers."""

    def __init__(self, document: Mapping[str, Any], digest: str) -> None:
        if document.get("format") != _FORMAT:
            raise ValueError("it was fitted for another version of the embedded judge")
        self._columns = [feature.column for feature in _asked_for(document["features"])]
        self.digest = digest
        self.cuts = Cuts(**document["cuts"])
        self._trees = Trees(document)  # its line is over the claim-level features, which come first
        self._answer: dict[str, float] = document["answer"]

    def supports(self, answer: AnswerView) -> list[float]:
        """Return for each claim of an answer the probability in (0, 1) that it is supported."""
        if not answer.claims:
            return []
        odds = self._trees.odds([column(answer) for column in self._columns])
        return [round(logistic(value), 6) for value in odds]

    def answer_support(self, figures: Mapping[str, float]) -> float:
        """Return the probability in (0, 1) that an answer is faithful, from the figures of `pooling`."""
        score = self._answer["intercept"] + sum(self._answer[name] * value for name, value in figures.items())
        return round(logistic(score), 6)


def _asked_for(names: Sequence[str]) -> list[Feature]:
    unknown = [name for name in names if name not in FEATURES]
    if unknown:
        raise ValueError(f"it asks for {unknown[0]!r}, which this version does not have")
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
            f"{str(path)!r} is not a model of this judge ({error}); fit it again with: faithview fit FILE -o {path}"
        ) from error


def _parse(content: bytes) -> Model:
    return Model(json.loads(content), hashlib.sha256(content).hexdigest()[:8])


# The order of the figures that `denial_figures` returns.
DENIAL_FIGURES = (
    "denials",
    "denial_words",
    "denial_beyond_question",
    "denial_beyond_chunks",
    "denial_found",
)

# Words that express a denial, as opposed to its content.
_OF_DENYING = frozenset(
    word_of(word).stem
    for word in word_set(
        """passage provided mention specific information context given details direct explicit answer question text able
        unable enough state contain include article based determine document source note important however additional
        also"""
    )
)


def denial_figures(answer: str, refusals: Sequence[Range], context: Context) -> tuple[float, ...]:
    """Return figures on an answer's statements that the context lacks something; zeros if it makes none.

    They are the number of such statements, and the maximum over them of: the content words that name what is lacking,
    those of them not in the question, those not in the chunks, and the share of their weight in one place of a chunk.
    """
    words = beyond_question = beyond_chunks = 0
    recall = 0.0
    for start, end in refusals:
        denied = [t.word for t in tokenize(answer, start, end) if t.word.is_content and t.word.stem not in _OF_DENYING]
        words = max(words, len(denied))
        beyond_question = max(beyond_question, sum(word.stem not in context.question_stems for word in denied))
        beyond_chunks = max(beyond_chunks, sum(word.stem not in context.postings for word in denied))
        recall = max([recall, *(window.recall for window in context.best_windows(denied)[:1])])
    figures = (float(min(3, len(refusals))), log1p(words), log1p(beyond_question), log1p(beyond_chunks), recall)
    return tuple(round(figure, 5) for figure in figures)


# The inputs of the pooling, in the order of `answer_figures`.
BESIDE = ("words_found", *DENIAL_FIGURES)
ANSWER_FIGURES = ("lowest", "second", "third", "mean", "all", "expected", "claims", *BESIDE)


class AnswerKind(StrEnum):
    """Kinds of answers that differ in how doubtful a faithful one looks: of one claim, of several, about records."""

    ONE = "one"
    SEVERAL = "several"
    RECORD = "record"


KINDS = tuple(AnswerKind)


def kind_of(claims: int, *, is_record: bool) -> AnswerKind:
    """Return the length class of an answer."""
    if is_record:
        return AnswerKind.RECORD
    return AnswerKind.ONE if claims <= 1 else AnswerKind.SEVERAL


# A missing second or third claim is replaced by a claim that is certainly supported.
_SURE = 0.99


def answer_figures(support: Sequence[float], beside: Sequence[float]) -> dict[str, float]:
    """Return the inputs of the pooling: figures over the support scores of an answer's claims (at least one).

    `beside` has the share of all words of the claims, function words included, that the chunks contain, and the
    `denial_figures`. The others are the log odds of the three weakest claims and their mean over all claims, the log
    odds that all claims hold if they were independent, the expected number that do not, and the number of claims,
    because the weakest of many is weaker by chance alone.
    """
    ranked = sorted(min(0.999, max(0.001, value)) for value in support)
    weakest = [*ranked[:3], _SURE, _SURE]
    odds = [log_odds(value) for value in ranked]
    all_hold = sum(log(value) for value in ranked)  # never 0
    values = (
        log_odds(weakest[0]),
        log_odds(weakest[1]),
        log_odds(weakest[2]),
        sum(odds) / len(odds),
        max(-8.0, all_hold),
        log1p(sum(1 - value for value in ranked)),
        log(len(ranked)),
        *beside,
    )
    return dict(zip(ANSWER_FIGURES, (round(value, 5) for value in values), strict=True))


def weakest_claims(support: Sequence[float]) -> set[int]:
    """Return the numbers of the weakest claims: as many as make the answer unfaithful if each is partly supported."""
    count = len(support)

    def is_unfaithful(weak: int) -> bool:
        parts = [Verdict.PARTIALLY_SUPPORTED] * weak
        return is_faithful([*parts, *[Verdict.SUPPORTED] * (count - weak)]) is False

    needed = bisect_left(range(count + 1), True, lo=1, hi=count, key=is_unfaithful)
    return set(sorted(range(count), key=lambda number: (support[number], number))[:needed])
