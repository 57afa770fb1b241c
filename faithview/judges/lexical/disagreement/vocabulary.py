"""How much each word tells, and which words are names, over all documents together."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from math import fsum, log

from faithview.judges.lexical.disagreement.documents import PERIODS, Statement
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.tokens import Token, weight_of

_JOINS = word_set("and or")
_ARTICLES = word_set("a an the this that each every your our their its one no any")
_BEFORE_PLACES = word_set("in at for on")

# The weight of a word in every passage, as a share of its weight in English.
_LEAST_RARE = 0.3

# In fewer passages no word is frequent.
_FEWEST_PASSAGES = 50

# A word is a name if at least this share of its uses within sentences is capitalised.
_MOSTLY = 0.7

# A name after "in" that more passages have is the product or a tool of all documents, and no place.
_MOST_WITH_PLACE = 2

# A word is the name of a thing if this many passages have it, and this share of its uses follows an article.
_LEAST_WITH_THING, _LEAST_AFTER_ARTICLE = 4, 0.25

_LEAST_WITH_UNIT, _LEAST_SHARE_WITH_UNIT = 4, 0.1

# Words that show nothing about whether two statements are about the same thing.
_SAY_LITTLE = PERIODS | word_set("last time first new use calendar next")


# Words with a digit in them: "WM-7", "v2", "2023".
_CODE = re.compile(r"[\w-]*\d[\w.-]*(?<![.-])")


# Documents are numbered if the headings of this share of the passages have a number of one series.
_MOSTLY_NUMBERED = 0.5


def _series_of(code: str) -> str:
    return code.rstrip("0123456789.")


def find_codes(text: str) -> set[str]:
    """Return the words with a digit in them, in lower case."""
    return {code.lower() for code in _CODE.findall(text)}


class Vocabulary:
    """The words of all documents; add every passage before asking."""

    def __init__(self) -> None:
        self._passages = 0
        self._with_stem: Counter[str] = Counter()
        self._within: Counter[str] = Counter()
        self._capitalised: Counter[str] = Counter()
        self._listed: set[str] = set()
        self._places: set[str] = set()
        self._after_numbers: Counter[str] = Counter()
        self._uses: Counter[str] = Counter()
        self._after_articles: Counter[str] = Counter()
        self._series: Counter[str] = Counter()

    def add(self, statements: Sequence[Statement]) -> None:
        """Count the words of one passage."""
        self._passages += 1
        stems: set[str] = set()
        counted: set[str] = set()
        for statement in statements:
            stems |= statement.own_stems
            counted.update(
                after.word.stem
                for number, after in pairwise(statement.tokens)
                if number.word.is_number and after.word.is_content
            )
            if not statement.place.is_cell:
                self._add_names(statement)
        self._series.update({_series_of(code) for one in statements for code in find_codes(one.heading)})
        self._with_stem.update(stems)
        self._after_numbers.update(counted)

    def _add_names(self, statement: Statement) -> None:
        words = [token.word for token in statement.tokens]
        for at, (before, word) in enumerate(pairwise(words), start=1):
            if word.is_content:
                self._uses[word.stem] += 1
                self._after_articles[word.stem] += before.lower in _ARTICLES
                self._within[word.lower] += 1
                self._capitalised[word.lower] += word.is_capitalised
            if word.is_capitalised and before.lower in _BEFORE_PLACES:
                self._places.add(word.stem)
            if (
                word.lower in _JOINS
                and 1 < at < len(words) - 1
                and before.is_capitalised
                and words[at + 1].is_capitalised
            ):
                self._listed |= {before.stem, words[at + 1].stem}

    def is_id(self, code: str) -> bool:
        """Return whether a code numbers documents: the headings of most passages have one of its series, "kb-012"."""
        series = _series_of(code)
        return bool(series) and self._series[series] > _MOSTLY_NUMBERED * self._passages

    def without_codes(self, heading: str, codes: Set[str]) -> str:
        """Return a heading without these codes, and without what numbers documents."""
        return _CODE.sub(
            lambda code: "" if code[0].lower() in codes or self.is_id(code[0].lower()) else code[0], heading
        )

    def count_passages_with(self, stem: str) -> int:
        """Return how many passages have a word."""
        return self._with_stem[stem]

    def weigh(self, token: Token) -> float:
        """Return how much a word tells: its weight in English, less for one that many of these passages have."""
        return self._weigh(token.word.stem, token.word.weight)

    def weigh_stem(self, stem: str) -> float:
        """Return how much a word with this stem tells."""
        return self._weigh(stem, weight_of(stem))

    def weigh_all(self, stems: Iterable[str]) -> float:
        """Return how much different words tell together."""
        return fsum(map(self.weigh_stem, stems))

    def _weigh(self, stem: str, weight: float) -> float:
        passages = max(self._passages, _FEWEST_PASSAGES) + 1
        rarity = log(passages / (self._with_stem[stem] + 0.5)) / log(passages / 1.5)
        return weight * (_LEAST_RARE + (1 - _LEAST_RARE) * max(rarity, 0.0))

    def is_name(self, token: Token) -> bool:
        """Return whether a word is capitalised here, and nearly always within sentences."""
        lower = token.word.lower
        within = self._within[lower]
        is_capitalised = token.word.is_capitalised and token.word.is_content
        return is_capitalised and within > 0 and self._capitalised[lower] >= _MOSTLY * within

    def is_one_of_several(self, stem: str) -> bool:
        """Return whether a name is listed with others somewhere: "the Team and Scale plans"."""
        return stem in self._listed

    def limits(self, token: Token) -> bool:
        """Return whether a name limits a statement to a part: a plan among others, or a place that is rarely named."""
        if token.word.is_acronym:
            return False
        stem = token.word.stem
        return stem in self._listed or (stem in self._places and self._with_stem[stem] <= _MOST_WITH_PLACE)

    def is_unit(self, stem: str) -> bool:
        """Return whether so many passages have a word after a number that it is a unit: crowns, points."""
        count = self._after_numbers[stem]
        return count >= _LEAST_WITH_UNIT and count > _LEAST_SHARE_WITH_UNIT * self._passages

    def is_thing(self, stem: str) -> bool:
        """Return whether a word names a thing that several passages are about: it often follows an article."""
        is_frequent = self._with_stem[stem] >= _LEAST_WITH_THING
        return is_frequent and self._after_articles[stem] >= _LEAST_AFTER_ARTICLE * self._uses[stem]

    def is_evidence(self, token: Token) -> bool:
        """Return whether it tells something that two statements share a word: not "day", and no plan of several."""
        if token.word.stem in _SAY_LITTLE:
            return False
        return not (self.is_one_of_several(token.word.stem) and self.is_name(token))
