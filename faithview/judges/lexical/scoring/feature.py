"""Figures of a claim by name: a model asks for them by what they are called, and for no others."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from faithview.judges.lexical.scoring.claim_view import AnswerView, ClaimInAnswer, ClaimView


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A figure of a claim; `column` works it out for all claims of an answer.

    `is_of_claim`: the claim by itself tells it, without the rest of its answer. `version` is raised when its meaning
    changes, which gives it another name, so that no model that was fitted to the old meaning asks for the new one.
    """

    function: str
    version: int
    is_of_claim: bool
    column: Callable[[AnswerView], list[float]]

    @property
    def name(self) -> str:
        """What a model asks for it by: "missing_words", and "missing_words/2" in its second version."""
        return self.function if self.version == 1 else f"{self.function}/{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Features that belong together, in the order in which a fit reads them."""

    name: str
    features: tuple[Feature, ...]


def claim_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[ClaimView], float]], Feature]:
    """Make a function of a claim by itself a feature with the function's name.

    Args:
        cap: what is more counts as this much.
        version: the figure's version, from 1.
    """

    def make(function: Callable[[ClaimView], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(claim) for claim in answer.claims], cap)

        return Feature(function=function.__name__, version=version, is_of_claim=True, column=column)

    return make


def place_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[ClaimInAnswer], float]], Feature]:
    """Make a function of a claim in its answer a feature with the function's name (see `claim_feature`)."""

    def make(function: Callable[[ClaimInAnswer], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(ClaimInAnswer(answer, number)) for number in range(answer.count)], cap)

        return Feature(function=function.__name__, version=version, is_of_claim=False, column=column)

    return make


def answer_feature(*, cap: int | None = None, version: int = 1) -> Callable[[Callable[[AnswerView], float]], Feature]:
    """Make a function of a whole answer, alike for all its claims, a feature (see `claim_feature`)."""

    def make(function: Callable[[AnswerView], float]) -> Feature:
        def column(answer: AnswerView) -> list[float]:
            return _capped([function(answer)], cap) * answer.count

        return Feature(function=function.__name__, version=version, is_of_claim=False, column=column)

    return make


def _capped(values: Iterable[float], cap: int | None) -> list[float]:
    return [float(value if cap is None else min(cap, value)) for value in values]


def by_name(families: Iterable[Family]) -> dict[str, Feature]:
    """Return the features of all families by name, in their order.

    Raises:
        ValueError: two of them have the same name.
    """
    features: dict[str, Feature] = {}
    for family in families:
        for feature in family.features:
            if feature.name in features:
                raise ValueError(f"two features are called {feature.name!r}; one is of the family {family.name!r}")
            features[feature.name] = feature
    return features
