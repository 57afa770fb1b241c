"""Words that say the same, in one form or another."""

from collections.abc import Sequence, Set
from functools import lru_cache
from importlib.resources import files

from faithview.judges.text.tokens import Token, stem_of

_SAME_LETTERS = 5
_MOST_OTHER_LETTERS = 5

# What a number weighs beside words by their inverse document frequencies.
_NUMBER_WEIGHT = 3.0


class Words:
    """The words of a text that have meaning, numbers among them."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.weights: dict[str, float] = {}
        for token in tokens:
            if token.word.is_content or token.word.is_number:
                self.weights[token.word.stem] = token.word.weight if token.word.is_content else _NUMBER_WEIGHT
        self.stems = frozenset(self.weights)
        self.lowers = frozenset(token.word.lower for token in tokens)

    @property
    def count(self) -> int:
        """How many different words there are."""
        return len(self.weights)

    def with_those_of(self, other: "Words") -> "Words":
        """Return the words of both."""
        both = Words(())
        both.weights = self.weights | other.weights
        both.stems = self.stems | other.stems
        both.lowers = self.lowers | other.lowers
        return both

    def has(self, token: Token) -> bool:
        """Return whether the word is here, be it in another form."""
        return token.word.lower in self.lowers or has_stem(token.word.stem, self.stems)

    def share_in(self, other: "Words", also: Set[str] = frozenset()) -> tuple[float, int]:
        """Return which share of these words, by weight, the other text or `also` has, and how many words that is."""
        found = [stem for stem in self.weights if stem in also or has_stem(stem, other.stems)]
        total = sum(self.weights.values())
        return (sum(self.weights[stem] for stem in found) / total if total else 0.0), len(found)


def has_stem(stem: str, stems: Set[str]) -> bool:
    """Return whether one of the stems says the same as this one."""
    return stem in stems or any(say_the_same(stem, other) for other in stems)


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, frozenset[str]]:
    """Return the stems that can say the same as a stem beside the same words, from lines of words."""
    found: dict[str, frozenset[str]] = {}
    for line in files(__package__).joinpath("synonyms.txt").read_text(encoding="utf-8").splitlines():
        stems = frozenset(map(stem_of, line.split()))
        for stem in stems:
            found[stem] = found.get(stem, frozenset()) | stems
    return found


def say_the_same(one: str, other: str) -> bool:
    """Return whether two stems are of one word: "propos" and "proposit"."""
    if one == other or other in _synonyms().get(one, ()):
        return True
    return (
        len(one) >= _SAME_LETTERS
        and len(other) >= _SAME_LETTERS
        and one[:_SAME_LETTERS] == other[:_SAME_LETTERS]
        and abs(len(one) - len(other)) <= _MOST_OTHER_LETTERS
        and not one[0].isdigit()
    )
