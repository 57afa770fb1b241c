"""How a claim is worded beside the sentences that it was taken from: what it borrows, adds and leaves out.

Answers about documentation go wrong in small ways: a word of another plan's sentence, a dropped "only if", a limit that
is not there. The figures here compare a claim with the line or sentence that says most of it and with all others, and
trees fitted to help-desk answers (`tests/training/fit_wording.py`) turn them into log odds. No figure is of the claim
by itself, as its length or its style would be: a benchmark's wrong claims may have a style of their own.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from faithview.judges.embedded.passages import PassageIndex, Unit, weights_of
from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimView
from faithview.judges.lexical.scoring.model import FEATURES, Trees, log_odds
from faithview.judges.text.lexicon import NEGATIONS, word_set
from faithview.judges.text.tokens import tokenize

# The rules' own figures that are looked at too.
_COMPARED = (
    "word_four_recall",
    "word_pair_recall",
    "trigram_recall",
    "longest_copy_share",
    "copied_pieces",
    "last_missing_at",
    "first_missing_at",
    "known_pairs_apart",
    "missing_after_article",
    "second_rarest_missing",
    "longest_missing_run",
    "missing_in_last_third",
)

_CONDITIONS = word_set("""
    only unless if except without provided until before after within when once from long during first otherwise but
    """)
_SWEEPING = word_set("""
    always never all every any each none no nothing free guaranteed automatically whatever regardless whichever both
    neither everyone anyone anywhere anything immediately must need needs required cannot only just even also too still
    """)
_BOUNDS = word_set("least most up more less over under below above minimum maximum per each")

_MOST = 3
_LEAST_ODDS, _MOST_ODDS = 0.002, 0.998


def wording_figures(
    claims: Sequence[ClaimView], view: AnswerView, probabilities: Sequence[float], index: PassageIndex
) -> list[dict[str, float]]:
    """Return the figures of some claims of an answer by name; `probabilities` are the rules' for these claims."""
    part = AnswerView(claims, view.context, refusals=view.refusals)
    columns = [FEATURES[name].column(part) for name in _COMPARED]
    return [
        {
            **dict(zip(_COMPARED, compared, strict=True)),
            **_found(claim, probability),
            **_beside_nearest(claim.text, index),
        }
        for claim, probability, *compared in zip(claims, probabilities, *columns, strict=True)
    ]


def _found(claim: ClaimView, probability: float) -> dict[str, float]:
    comparison = claim.comparison
    return {
        "rules": log_odds(min(_MOST_ODDS, max(_LEAST_ODDS, probability))),
        "conflict": float(comparison.conflict is not None),
        "missing_values": float(min(2, len(comparison.missing_values))),
        "missing_names": float(min(2, len(comparison.missing_names))),
        "missing_words": float(min(4, len(comparison.missing))),
        "recall": comparison.windows[0].recall if comparison.windows else 0.0,
        "near": float(comparison.is_near_in_short_text),
    }


def _beside_nearest(text: str, index: PassageIndex) -> dict[str, float]:
    """Return how a claim's words are spread over its nearest unit, that unit's headings and all others.

    Shares are of the claim's weight, except `precision`, which is of the unit's.
    """
    said = weights_of(text)
    units = [index.units[at] for at in index.near(said)]
    total = sum(said.values()) or 1.0

    def share(*held: Mapping[str, float] | frozenset[str]) -> float:
        return sum(weight for stem, weight in said.items() if any(stem in words for words in held)) / total

    ranked = sorted(((share(unit.words), -at) for at, unit in enumerate(units)), reverse=True)
    nearest = units[-ranked[0][1]] if ranked else Unit.nothing()
    recall = ranked[0][0] if ranked else 0.0
    second = ranked[1][0] if len(ranked) > 1 else 0.0
    heading = index.heading_words(nearest)
    headings = {unit.place_of_head: unit for unit in units}
    numbers = [stem for stem in said if stem[:1].isdigit()]
    beside = {stem for stem in nearest.words if stem[:1].isdigit()}
    here, there = _words(text), _words(index.text_of(nearest))
    headed = share(nearest.words, heading)
    known = share(index.stems)
    return {
        "nearest": recall,
        "nearest_headed": headed,
        "second": second,
        "ahead": recall - second,
        "borrowed": known - headed,
        "unknown": 1 - known,
        "precision": sum(w for stem, w in nearest.words.items() if stem in said) / (sum(nearest.words.values()) or 1.0),
        "other_heading": max((share(index.heading_words(u)) for u in headings.values()), default=0.0) - share(heading),
        "added_by_second": max((share(nearest.words, unit.words) for unit in units), default=0.0) - recall,
        "numbers_borrowed": float(
            sum(n in index.stems for n in numbers) - sum(n in nearest.words or n in heading for n in numbers)
        ),
        "numbers_unknown": float(sum(n not in index.stems for n in numbers)),
        "numbers_left": float(len(beside - said.keys())),
        "conditions_left": _more(there, here, _CONDITIONS),
        "conditions_added": _more(here, there, _CONDITIONS),
        "sweeping_added": _more(here, there, _SWEEPING),
        "bounds_left": _more(there, here, _BOUNDS),
        "bounds_added": _more(here, there, _BOUNDS),
        "negations": float(min(_MOST, abs(_count(here, NEGATIONS) - _count(there, NEGATIONS)))),
    }


def _words(text: str) -> list[str]:
    return [token.word.lower for token in tokenize(text)]


def _count(words: Sequence[str], of: frozenset[str]) -> int:
    return sum(word in of for word in words)


def _more(one: Sequence[str], other: Sequence[str], of: frozenset[str]) -> float:
    return float(min(_MOST, max(0, _count(one, of) - _count(other, of))))


class WordingModel:
    """The fitted trees. `digest` identifies their numbers."""

    def __init__(self, content: bytes) -> None:
        document = json.loads(content)
        self._names: list[str] = document["features"]
        self._trees = Trees(document)
        self.digest = sha256(content).hexdigest()[:8]

    def odds(self, figures: Sequence[Mapping[str, float]]) -> list[float]:
        """Return the log odds that claims with these figures are supported, to four digits."""
        if not figures:
            return []
        columns = [[row[name] for row in figures] for name in self._names]
        return [round(value, 4) for value in self._trees.odds(columns)]


@lru_cache(maxsize=1)
def packaged_wording() -> WordingModel:
    """Return the model that comes with the package."""
    return WordingModel(files(__package__).joinpath("wording.json").read_bytes())
