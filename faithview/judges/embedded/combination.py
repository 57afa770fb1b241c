"""One calibrated probability from what the rules and the reader find, and what follows from it.

Three straight lines over named figures give a claim's log odds: one for documentation, one for prose, and one for
claims that the reader was not asked about. A gate weighs the first two by how much of the chunks is marked up, so that
a text between the kinds gets something between the lines. The answer's own score is made likewise from its claims'.
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
from faithview.judges.lexical.scoring.model import log_odds, logistic

_LEAST, _MOST = 0.002, 0.998

# Texts that are documentation with at least this probability are told apart from others where a cut is chosen.
_IS_DOCUMENTATION = 0.5


class Strictness(StrEnum):
    """How sure the judge must be to call a claim supported: strict flags more claims, lenient fewer."""

    LENIENT = "lenient"
    BALANCED = "balanced"
    STRICT = "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of a claim: the rules' probability and comparison, and the reading where the reader was asked.

    `gate` is the probability that the chunks are documentation.
    """

    probability: float
    comparison: Comparison
    gate: float
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
    }
    if reading is not None:
        figures["entailed"] = log_odds(min(_MOST, max(_LEAST, reading.entailed)))
        figures["contradicted"] = log((reading.contradicted + 0.01) / (reading.neutral + 0.01))
        figures["worst"] = log_odds(min(_MOST, max(_LEAST, reading.worst)))
    return figures


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


class Combination:
    """A fitted combination, ready to be asked. `digest` names its numbers."""

    def __init__(self, document: Mapping[str, Any], digest: str) -> None:
        self.digest = digest
        self._gate = _Line(document["gate"])
        self._documentation = _Line(document["documentation"])
        self._prose = _Line(document["prose"])
        self._unread = _Line(document["unread"])
        self._answer_documentation = _Line(document["answer_documentation"])
        self._answer_prose = _Line(document["answer_prose"])
        self._shifts = {Strictness(name): float(shift) for name, shift in document["shifts"].items()}
        self._cuts: dict[str, float] = document["cuts"]
        self._answer_cuts: dict[str, float] = document["answer_cuts"]
        self._unsure: tuple[float, float] = tuple(document["unsure"])
        self.sure: float = document["sure"]

    def gate(self, markup: float) -> float:
        """Return the probability in (0, 1) that chunks with that share of marked lines are documentation."""
        return logistic(self._gate.at({"markup": markup}))

    def needs_reading(self, gate: float, probability: float, *, is_record: bool) -> bool:
        """Return whether the reader is asked: of documentation always, of prose where the rules are unsure.

        Of records it is not: their fields are read by rules, and the reader ranks their claims worse.
        """
        if is_record:
            return False
        lowest, highest = self._unsure
        return gate >= _IS_DOCUMENTATION or lowest < probability < highest

    def support(self, known: Evidence) -> float:
        """Return the probability in (0, 1) that a claim is supported, to four digits."""
        return self.support_of(claim_figures(known.probability, known.comparison, known.reading), known.gate)

    def support_of(self, figures: Mapping[str, float], gate: float) -> float:
        """Return the same from a claim's figures."""
        if "entailed" not in figures:
            return round(logistic(self._unread.at(figures)), 4)
        return round(logistic(_between(gate, self._documentation, self._prose, figures)), 4)

    def answer_support(self, gate: float, support: Sequence[float], rules: float) -> float:
        """Return the probability in (0, 1) that an answer with these claims (at least one) is faithful.

        `rules` is the score that the rules alone give the answer.
        """
        figures = answer_figures(support, rules)
        return round(logistic(_between(gate, self._answer_documentation, self._answer_prose, figures)), 4)

    def cut(self, gate: float, strictness: Strictness) -> float:
        """Return the probability from which a claim of such a text is called supported."""
        cut = self._cuts["documentation" if gate >= _IS_DOCUMENTATION else "prose"]
        return logistic(log_odds(cut) + self._shifts[strictness])

    def answer_cut(self, gate: float, kind: AnswerKind, strictness: Strictness) -> float:
        """Return the score below which an answer has its weakest claims checked, whatever their own scores."""
        cut = self._answer_cuts["documentation" if gate >= _IS_DOCUMENTATION else kind.value]
        return logistic(log_odds(cut) + self._shifts[strictness])


def _between(gate: float, documentation: _Line, prose: _Line, figures: Mapping[str, float]) -> float:
    return gate * documentation.at(figures) + (1 - gate) * prose.at(figures)


@lru_cache(maxsize=1)
def packaged_combination() -> Combination:
    """Return the combination that comes with the package."""
    content = files(__package__).joinpath("combination.json").read_bytes()
    return Combination(json.loads(content), sha256(content).hexdigest()[:8])
