"""One calibrated probability from the findings of the rules and the reader, and the resulting verdict.

A claim's log odds are a mean of three straight lines over named figures. One is for answers that paraphrase
documentation, where the reader leads; one for other answers, where the rules rank claims well by themselves; one for a
claim beside a sentence of a short text that says nearly the same, where the operators decide. The first two are weighed
by how far the reader leads: a probability from how close the answer's claims are to their sentences, how long the
chunks are and how the rules' probabilities are spread. How the chunks are marked up changes none of this. Claims that
the reader was not asked about have lines of their own, and the answer's own score is made of its claims'.
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
from faithview.judges.lexical.comparing.comparison import Comparison
from faithview.judges.lexical.scoring.claim_view import AnswerView
from faithview.judges.lexical.scoring.model import AnswerKind, log_odds, logistic

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

# Every figure of an answer's score is multiplied by these.
_CROSSED = ("lead", "copied")

# Minimum probability of a claim that copies a whole sentence of a chunk.
_IF_VERBATIM = 0.95

# From this probability on, a value or name that no chunk has counts as stated in other words ("a fortnight").
SURELY_ENTAILED = 0.8

# The same for claims about documentation. In labelled answers one such claim in eight is wrong, as among all claims.
_TOLD_OTHERWISE = 0.7

# From this value on the reader leads: it reads every claim, and the answer has separate cuts.
_READER_LEADS = 0.5

# Kinds of difference that supported claims show too, mostly in fragments of sentences: they are inputs of the line for
# near claims but do not decide a claim alone.
_ONLY_COUNT = frozenset({"statement", "agent", "word"})

# Maximum support shown for a claim that a near sentence decides against.
_MOST_IF_DECIDED = 0.49


class Strictness(StrEnum):
    """How sure the judge must be to call a claim supported: strict flags more claims, lenient fewer."""

    LENIENT = "lenient"
    BALANCED = "balanced"
    STRICT = "strict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence about a claim: the rules' probability and comparison, and the reader's reading if it was asked.

    `wording` are the log odds of `wording`, which is asked where the reader is. `about` is what is known of its answer
    (`Combination.about` and `with_readings`).
    """

    probability: float
    comparison: Comparison
    about: Mapping[str, float]
    reading: Reading | None
    wording: float = 0.0


def claim_figures(
    probability: float, comparison: Comparison, reading: Reading | None, wording: float = 0.0
) -> dict[str, float]:
    """Return a claim's figures by name: log odds, logarithms of ratios, counts; the last only if the reader was asked.

    `wording` are log odds too (see `wording`).
    """
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
        "decided": float(is_decided_against(comparison)),
        "mixed": float(comparison.is_decided_against and not is_decided_against(comparison)),
        "verbatim": float(comparison.is_verbatim),
    }
    if reading is not None:
        figures["entailed"] = entailed_odds(reading)
        figures["contradicted"] = log((reading.contradicted + 0.01) / (reading.neutral + 0.01))
        figures["worst"] = log_odds(min(_MOST, max(_LEAST, reading.worst)))
        figures["wording"] = wording
    return figures


def entailed_odds(reading: Reading) -> float:
    """Return the log odds, within bounds, that the reader gives a claim to be entailed."""
    return log_odds(min(_MOST, max(_LEAST, reading.entailed)))


def is_told_otherwise(about: Mapping[str, float], support: float) -> bool:
    """Return whether a claim with this support may have values and names that its chunks state in other words."""
    return about["lead"] >= _READER_LEADS and support >= _TOLD_OTHERWISE


def is_decided_against(comparison: Comparison) -> bool:
    """Return whether a near sentence of a short text is enough to rule out that the claim is supported."""
    difference = comparison.near.difference if comparison.near is not None else None
    only_counts = difference is not None and difference.family in _ONLY_COUNT
    return comparison.is_decided_against and not only_counts


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
    """Return a whole answer's figures plus their products, from which the reader's lead is computed.

    The reader leads neither for a single sentence nor for long pages, and short answers copy differently from long
    ones, so squares and products predict its lead better than the figures alone.
    """
    return {**text, **{f"{one} {other}": text[one] * text[other] for one, other in _PRODUCTS}}


def answer_figures(support: Sequence[float], rules: float) -> dict[str, float]:
    """Return the inputs of the answer's score: log odds of the rules' score and of the weakest claim, and of all.

    `all` is the logarithm of the probability that every claim is supported, as if none told of another.
    """
    odds = [log_odds(min(_MOST, max(_LEAST, value))) for value in support]
    return {
        "rules": log_odds(min(_MOST, max(_LEAST, rules))),
        "lowest": min(odds),
        "all": sum(log(logistic(value)) for value in odds),
    }


class _Line:
    """A straight line over named figures: the intercept and a slope for each."""

    def __init__(self, document: Mapping[str, float]) -> None:
        self._intercept = document["intercept"]
        self._slopes = {name: slope for name, slope in document.items() if name != "intercept"}

    def at(self, figures: Mapping[str, float]) -> float:
        return self._intercept + sum(slope * figures[name] for name, slope in self._slopes.items())


def crossed(figures: Mapping[str, float], text: Mapping[str, float]) -> dict[str, float]:
    """Return the figures, their factors, and their products: "rules", "copied", "rules copied"."""
    products = {f"{name} {other}": value * text[other] for name, value in figures.items() for other in _CROSSED}
    return {**figures, **{other: text[other] for other in _CROSSED}, **products}


def shares(figures: Mapping[str, float], about: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each line for claims that were read, by its name; the weights add up to 1."""
    near, lead = figures["near"], about["lead"]
    return {"documentation": (1 - near) * lead, "other": (1 - near) * (1 - lead), "near": near}


def with_readings(about: Mapping[str, float], entailed: Sequence[float]) -> dict[str, float]:
    """Return the answer's figures plus the mean and minimum of its claims' log odds of being entailed.

    `entailed` has the log odds of the claims that were read; if none was, both figures are 0.
    """
    mean = sum(entailed) / len(entailed) if entailed else 0.0
    return {**about, "mean_entailed": mean, "lowest_entailed": min(entailed, default=0.0)}


class Combination:
    """A fitted combination, ready for use. `digest` identifies its numbers."""

    def __init__(self, document: Mapping[str, Any], digest: str) -> None:
        self.digest = digest
        self._lead = _Line(document["lead"])
        self._read = {name: _Line(line) for name, line in document["read"].items()}
        self._unread = {name: _Line(line) for name, line in document["unread"].items()}
        self._answer = _Line(document["answer"])
        self._shifts = {Strictness(name): float(shift) for name, shift in document["shifts"].items()}
        self._cuts: dict[str, float] = document["cuts"]
        self._answer_cuts: dict[str, float] = document["answer_cuts"]
        self._unsure: float = document["unsure"]
        self._few: float = log(document["few"])

    def about(self, text: Mapping[str, float], *, is_record: bool) -> dict[str, float]:
        """Return an answer's figures, computed from its `text_figures`; "lead" is in (0, 1)."""
        lead = logistic(self._lead.at(lead_figures(text)))
        return {"lead": lead, "copied": text["copied"], "claims": text["claims"], "record": float(is_record)}

    def needs_reading(self, about: Mapping[str, float], rules: float, *, is_near: bool) -> bool:
        """Return whether to ask the reader: it leads, claims are few, one is near, or the rules are unsure.

        `rules` is the rules' probability. The reader is never asked about records: rules read their fields, and it
        ranks claims about them worse.
        """
        if about["record"]:
            return False
        is_unsure = abs(log_odds(rules)) < log_odds(self._unsure)
        return about["lead"] >= _READER_LEADS or about["claims"] <= self._few or is_near or is_unsure

    def support(self, known: Evidence) -> float:
        """Return the probability in (0, 1) that a claim is supported, to four digits."""
        figures = claim_figures(known.probability, known.comparison, known.reading, known.wording)
        return self.support_of(figures, known.about)

    def support_of(self, figures: Mapping[str, float], about: Mapping[str, float]) -> float:
        """Return the same from a claim's figures.

        The reader sees a claim beside the sentences around it and may take a whole sentence that is copied for denied.
        """
        all_ = {**figures, **about}
        if "entailed" in figures:
            odds = sum(share * self._read[name].at(all_) for name, share in shares(figures, about).items() if share)
        else:
            odds = self._unread["record" if about["record"] else "text"].at(all_)
        value = round(logistic(odds), 4)
        if figures["decided"]:
            return min(value, _MOST_IF_DECIDED)
        return max(value, _IF_VERBATIM) if figures["verbatim"] else value

    def answer_support(self, about: Mapping[str, float], support: Sequence[float], rules: float) -> float:
        """Return the probability in (0, 1) that an answer with these claims (at least one) is faithful.

        `rules` is the score that the rules alone give the answer.
        """
        return round(logistic(self._answer.at(crossed(answer_figures(support, rules), about))), 4)

    def cut(self, about: Mapping[str, float], strictness: Strictness, *, is_near: bool = False) -> float:
        """Return the probability from which a claim of such an answer is called supported.

        `is_near`: a sentence of one short text says nearly the same.
        """
        cut = self._cuts["near" if is_near else "reader" if about["lead"] >= _READER_LEADS else "rules"]
        return logistic(log_odds(cut) + self._shifts[strictness])

    def answer_cut(self, about: Mapping[str, float], kind: AnswerKind, strictness: Strictness) -> float:
        """Return the score below which an answer has its weakest claims checked, regardless of their own scores."""
        cut = self._answer_cuts["reader" if about["lead"] >= _READER_LEADS else kind.value]
        return logistic(log_odds(cut) + self._shifts[strictness])


@lru_cache(maxsize=1)
def packaged_combination() -> Combination:
    """Return the combination that comes with the package."""
    content = files(__package__).joinpath("combination.json").read_bytes()
    return Combination(json.loads(content), sha256(content).hexdigest()[:8])
