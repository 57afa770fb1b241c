"""What a text is about, for slices: its words and two-word terms by their stems, and how a question begins."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from faithview.judges.text.tokens import split_at_words, word_of

# English; a question that begins otherwise is in none of these slices.
_ASKS = re.compile(
    r"\b(?P<extent>how (?:many|much|long|often|far|old|soon|fast|big|large|high))\b"
    r"|(?:^|[.?!:,;]\s+|\band\s+)(?P<first>how|what|which|who|whose|where|when|why"
    r"|can|could|may|do|does|did|is|are|was|were|will|would|should|has|have)\b",
    re.IGNORECASE,
)
_SAME = {"could": "can", "may": "can", "did": "do", "does": "do", "is": "is", "are": "is", "was": "is", "were": "is"}
# What may stand between the two words of a term.
_JOINS = frozenset((" ", "-"))

_Codes = NDArray[np.int64]


class Terms:
    """Which answers hold a term. A term is a content word, or two in a row, whatever their endings.

    The words are kept as numbers, so that the terms of all texts are counted at once.
    """

    def __init__(self) -> None:
        self._words = _Numbers()
        # Of each word of the texts, in turn: its number, whether the next one may make a term with it, its answer.
        self._numbers, self._is_joined, self._answers = array("i"), array("b"), array("q")

    def add(self, answer: int, texts: Iterable[str]) -> None:
        """Add the texts of an answer; the answers must come in their order."""
        before = len(self._numbers)
        for text in texts:
            pieces = split_at_words(text)
            self._numbers.extend(map(self._words.__getitem__, pieces[1::2]))
            self._is_joined.extend(map(_JOINS.__contains__, pieces[2:-1:2]))
            if len(pieces) > 1:
                self._is_joined.append(False)  # the last word of a text makes no term with the next text
        self._answers.extend(repeat(answer, len(self._numbers) - before))

    def frequent(self, *, fewest: int, limit: int) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the terms of at least so many answers as mostly written, with these answers, the commonest first."""
        found = self._find()
        if not len(found.answers):
            return
        is_first = np.append(True, found.stems[1:] != found.stems[:-1])
        is_new_answer = is_first | np.append(True, found.answers[1:] != found.answers[:-1])
        starts = np.flatnonzero(is_first)
        ends = np.append(starts[1:], len(is_first))
        answers = np.add.reduceat(is_new_answer, starts, dtype=np.int64)
        often = [
            (-int(answers[at]), _term(found.stems[starts[at]], found.all_stems), slice(starts[at], ends[at]))
            for at in np.flatnonzero(answers >= fewest)
        ]
        for _, _, part in sorted(often, key=lambda term: term[:2])[:limit]:
            forms, uses = np.unique(found.forms[part], return_counts=True)
            written = [_term(form, found.all_forms) for form in forms]
            yield min(zip(-uses, written, strict=True))[1], np.unique(found.answers[part]).tolist()

    def _find(self) -> "_Found":
        """Return every term of every text, sorted by its stems and by the answer."""
        stem_names, form_names = _Numbers(), _Numbers()
        words = [word_of(raw) for raw in self._words]
        numbers = np.array(self._numbers, dtype=np.int64)
        stems = np.array([stem_names[word.stem] for word in words], dtype=np.int64)[numbers]
        forms = np.array([form_names[word.lower] for word in words], dtype=np.int64)[numbers]
        is_content = np.array([word.is_content for word in words], dtype=bool)[numbers]
        one = np.flatnonzero(is_content)
        two = np.flatnonzero(is_content[:-1] & is_content[1:] & np.array(self._is_joined[:-1], dtype=bool))
        terms, written = (
            np.concatenate([names.codes(values[one]), names.codes(values[two], values[two + 1])])
            for names, values in ((stem_names, stems), (form_names, forms))
        )
        order = np.argsort(terms, kind="stable")  # the answers of a term stay in their order
        answers = np.array(self._answers, dtype=np.int64)[np.concatenate([one, two])]
        return _Found(terms[order], written[order], answers[order], list(stem_names), list(form_names))


class _Numbers(dict[str, int]):
    """Names by consecutive numbers, which are given when a name is first asked for.

    A term of one or two names is a number too, its code.
    """

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number

    def codes(self, first: _Codes, second: _Codes | int = -1) -> _Codes:
        """Return the codes of terms; `second` is -1 for those of one word. All names must have been numbered."""
        return first * (len(self) + 1) + second + 1


class _Found(NamedTuple):
    """Terms where they stand: the code of their stems, that of how they are written, and the answer."""

    stems: _Codes
    forms: _Codes
    answers: _Codes
    all_stems: list[str]
    all_forms: list[str]


def _term(code: int, names: Sequence[str]) -> str:
    first, second = divmod(int(code), len(names) + 1)
    return f"{names[first]} {names[second - 1]}" if second else names[first]


def asks(question: str) -> set[str]:
    """Return what a question asks: "how many", "when", "can" for yes or no, and so on; a question may ask several."""
    return {
        _SAME.get(word, word)
        for match in _ASKS.finditer(question.strip())
        if (word := " ".join((match["extent"] or match["first"]).lower().split()))
    }


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return len(split_at_words(text)) // 2
