"""One calibrated probability from what the rules and the reader find, and what follows from it.

A straight line over named figures gives a claim's log odds. Rules rank claims well where an answer keeps to the words
of its chunks, and the reader where it paraphrases them. So each figure weighs more or less by how much of the answer is
copied and by how far the reader leads: a probability from how close the answer's claims are to their sentences, how
long the chunks are and how the rules' probabilities are spread. How the chunks are marked up changes none of this.
Claims that the reader was not asked about have a line of their own, and the answer's own score is made of its claims'.
`combination.json` holds the numbers by name; `tests/training/fit_combination.py` makes it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from math import log, log1p
from typing import Any

from faithview.judges.embedded.reader import Reading
from faithview.judges.lexical.comparison.comparison import Comparison
from faithview.judges.lexical.scoring.answer_pooling import AnswerKind
from faithview.judges.lexical.scoring.claim_view import AnswerView
from faithview.judges.lexical.scoring.model import log_odds, logistic

_LEAST, _MOST = 0.002, 0.998

_PRODUCTS = (
    ("passages", "passages"),
    ("copied", "copied"),
    ("rules", "rules"),
    ("claims", "claims"),
    ("claims", "claim_length"),
    ("claims", "copied"),
    ("length", "copied"),
)

# What every figure is multiplied by.
_CROSSED = ("lead", "copied")

# The least probability of a claim that copies a whole sentence of a chunk.
_IF_VERBATIM = 0.95

# From here on the reader leads: it is asked about every claim, and the answer has cuts of its own.
_READER_LEADS = 0.5

# What is left of the support of a claim against which a sentence that says nearly the same decides.
_LEFT_IF_DECIDED = 0.2


class Strictness(StrEnum):
    """How sure the judge must be to call a claim supported: strict flags more claims, lenient fewer."""

    LENIENT = "lenient"
    BALANCED = "balanced"
    STRICT = "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a claim: the rules' probability and comparison, and the reading where the reader was asked.

    `about` is what the answer's figures are multiplied by.
    """

    probability: float
    comparison: Comparison
    about: Mapping[str, float]
    reading: Reading | None


def claim_figures(probability: float, comparison: Comparison, reading: Reading | None) -> dict[str, float]:
    """Return a claim's figures by name: log odds, logarithms of ratios, counts; the reader's if it was asked."""
    figures = {
        "rules": log_odds(min(_MOST, max(_LEAST, probability))),
        "conflict": float(comparison.conflict is not None),
        "untold": float(comparison.untold is not None),
        "missing_values": float(min(2, len(comparison.missing_values))),
        "missing_names": float(min(2, len(comparison.missing_names))),
        "missing_words": float(min(4, len(comparison.missing))),
        "recall": comparison.windows[0].recall if comparison.windows else 0.0,
        "words": log1p(len(comparison.tokens)),
        "near": float(comparison.is_near_in_short_text),
        "decided": float(comparison.is_decided_against),
    }
    if reading is not None:
        figures["entailed"] = log_odds(min(_MOST, max(_LEAST, reading.entailed)))
        figures["contradicted"] = log((reading.contradicted + 0.01) / (reading.neutral + 0.01))
        figures["worst"] = log_odds(min(_MOST, max(_LEAST, reading.worst)))
    return figures


def text_figures(view: AnswerView, probabilities: Sequence[float]) -> dict[str, float]:
    """Return figures of a whole answer: how close it is to its chunks, their length, and the rules' log odds."""
    odds = [log_odds(min(_MOST, max(_LEAST, value))) for value in probabilities]
    mean = sum(odds) / len(odds)
    return {
        "length": log1p(view.context.size),
        "passages": log1p(view.passages),
        "recall": sum(view.recall) / view.count,
        "copied": sum(claim.word_pair_recall for claim in view.claims) / view.count,
        "rules": mean,
        "spread": (sum((value - mean) ** 2 for value in odds) / len(odds)) ** 0.5,
        "claims": log(view.count),
        "claim_length": log1p(view.words / view.count),
    }


def lead_figures(text: Mapping[str, float]) -> dict[str, float]:
    """Return a whole answer's figures with the products that tell where the reader leads.

    It leads neither beside one sentence nor beside long pages, and a short answer copies otherwise than a long one, so
    squares and products tell more than the figures alone.
    """
    return {**text, **{f"{one} {other}": text[one] * text[other] for one, other in _PRODUCTS}}


def answer_figures(support: Sequence[float], rules: float) -> dict[str, float]:
    """Return what the answer's score is made of: log odds of the rules' score, of the weakest claims and of all."""
    odds = sorted(log_odds(min(_MOST, max(_LEAST, value))) for value in support)
    return {
        "rules": log_odds(min(_MOST, max(_LEAST, rules))),
        "lowest": odds[0],
        "second": odds[1] if len(odds) > 1 else odds[0],
        "mean": sum(odds) / len(odds),
        "all": sum(log(logistic(value)) for value in odds),
        "claims": log(len(odds)),
    }


class _Line:
    """A straight line over named figures: the intercept and a slope for each."""

    def __init__(self, document: Mapping[str, float]) -> None:
        self._intercept = document["intercept"]
        self._slopes = {name: slope for name, slope in document.items() if name != "intercept"}

    def at(self, figures: Mapping[str, float]) -> float:
        return self._intercept + sum(slope * figures[name] for name, slope in self._slopes.items())


def crossed(figures: Mapping[str, float], text: Mapping[str, float]) -> dict[str, float]:
    """Return the figures, what they are multiplied by, and their products: "rules", "copied", "rules copied"."""
    products = {f"{name} {other}": value * text[other] for name, value in figures.items() for other in _CROSSED}
    return {**figures, **{other: text[other] for other in _CROSSED}, **products}


class Combination:
    """A fitted combination, ready to be asked. `digest` names its numbers."""

    def __init__(self, document: Mapping[str, Any], digest: str) -> None:
        self.digest = digest
        self._lead = _Line(document["lead"])
        self._read = _Line(document["read"])
        self._unread = _Line(document["unread"])
        self._answer = _Line(document["answer"])
        self._shifts = {Strictness(name): float(shift) for name, shift in document["shifts"].items()}
        self._cuts: dict[str, float] = document["cuts"]
        self._answer_cuts: dict[str, float] = document["answer_cuts"]
        self._unsure: float = document["unsure"]
        self.sure: float = document["sure"]

    def about(self, text: Mapping[str, float]) -> dict[str, float]:
        """Return what an answer's figures are multiplied by, from its `text_figures`; "lead" is in (0, 1)."""
        return {"lead": logistic(self._lead.at(lead_figures(text))), "copied": text["copied"]}

    def needs_reading(
        self, about: Mapping[str, float], probability: float, comparison: Comparison, *, is_record: bool
    ) -> bool:
        """Return whether the reader is asked: where it leads, a sentence is near or the rules are unsure.

        Of records it is not asked: their fields are read by rules, and the reader ranks their claims worse.
        """
        if is_record:
            return False
        is_unsure = abs(log_odds(probability)) < log_odds(self._unsure)
        return about["lead"] >= _READER_LEADS or comparison.is_near_in_short_text or is_unsure

    def support(self, known: Evidence) -> float:
        """Return the probability in (0, 1) that a claim is supported, to four digits.

        The reader sees a claim beside the sentences around it and may take a whole sentence that is copied for denied.
        """
        figures = claim_figures(known.probability, known.comparison, known.reading)
        value = self.support_of(figures, known.about)
        return max(value, _IF_VERBATIM) if known.comparison.is_verbatim and not figures["decided"] else value

    def support_of(self, figures: Mapping[str, float], about: Mapping[str, float]) -> float:
        """Return the same from a claim's figures."""
        line = self._unread if "entailed" not in figures else self._read
        odds = line.at(crossed(figures, about))
        return round(logistic(odds) * (_LEFT_IF_DECIDED if figures["decided"] else 1.0), 4)

    def answer_support(self, about: Mapping[str, float], support: Sequence[float], rules: float) -> float:
        """Return the probability in (0, 1) that an answer with these claims (at least one) is faithful.

        `rules` is the score that the rules alone give the answer.
        """
        return round(logistic(self._answer.at(crossed(answer_figures(support, rules), about))), 4)

    def cut(self, about: Mapping[str, float], strictness: Strictness, *, is_near: bool = False) -> float:
        """Return the probability from which a claim of such an answer is called supported.

        `is_near`: a sentence of one short text says nearly the same, and the operators found no difference; or the
        claim copies a sentence.
        """
        cut = self._cuts["reader" if about["lead"] >= _READER_LEADS else "rules"]
        if is_near:
            cut = min(cut, self._cuts["near"])
        return logistic(log_odds(cut) + self._shifts[strictness])

    def answer_cut(self, about: Mapping[str, float], kind: AnswerKind, strictness: Strictness) -> float:
        """Return the score below which an answer has its weakest claims checked, whatever their own scores."""
        cut = self._answer_cuts["reader" if about["lead"] >= _READER_LEADS else kind.value]
        return logistic(log_odds(cut) + self._shifts[strictness])


@lru_cache(maxsize=1)
def packaged_combination() -> Combination:
    """Return the combination that comes with the package."""
    content = files(__package__).joinpath("combination.json").read_bytes()
    return Combination(json.loads(content), sha256(content).hexdigest()[:8])
