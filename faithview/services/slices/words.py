"""What a text is about, for slices: its words and two-word terms by their stems, and how a question begins."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from faithview.judges.text.tokens import Token, tokenize

# English; a question that begins otherwise is in none of these slices.
_ASKS = re.compile(
    r"\b(?P<extent>how (?:many|much|long|often|far|old|soon|fast|big|large|high))\b"
    r"|(?:^|[.?!:,;]\s+|\band\s+)(?P<first>how|what|which|who|whose|where|when|why"
    r"|can|could|may|do|does|did|is|are|was|were|will|would|should|has|have)\b",
    re.IGNORECASE,
)
_SAME = {"could": "can", "may": "can", "did": "do", "does": "do", "is": "is", "are": "is", "was": "is", "were": "is"}


class Terms:
    """Which answers hold a term. A term is a content word, or two in a row, whatever their endings."""

    def __init__(self) -> None:
        self._answers: dict[str, list[int]] = {}
        self._written: dict[str, Counter[str]] = {}

    def add(self, answer: int, texts: Iterable[str]) -> None:
        """Add the texts of an answer; the answers must come in their order."""
        for text in texts:
            for stem, written in _terms(text):
                answers = self._answers.setdefault(stem, [])
                if not answers or answers[-1] != answer:
                    answers.append(answer)
                self._written.setdefault(stem, Counter())[written] += 1

    def frequent(self, *, fewest: int, limit: int) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield the terms of at least so many answers as mostly written, with these answers, the commonest first."""
        often = [(stem, answers) for stem, answers in self._answers.items() if len(answers) >= fewest]
        for stem, answers in sorted(often, key=lambda term: (-len(term[1]), term[0]))[:limit]:
            yield min(self._written[stem].items(), key=lambda form: (-form[1], form[0]))[0], answers


def asks(question: str) -> set[str]:
    """Return what a question asks: "how many", "when", "can" for yes or no, and so on; a question may ask several."""
    return {
        _SAME.get(word, word)
        for match in _ASKS.finditer(question.strip())
        if (word := " ".join((match["extent"] or match["first"]).lower().split()))
    }


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return len(tokenize(text))


def _terms(text: str) -> Iterator[tuple[str, str]]:
    tokens = tokenize(text)
    for token in tokens:
        if token.word.is_content:
            yield token.word.stem, token.word.lower
    for first, second in pairwise(tokens):
        if _is_term(first, second, text):
            yield f"{first.word.stem} {second.word.stem}", f"{first.word.lower} {second.word.lower}"


def _is_term(first: Token, second: Token, text: str) -> bool:
    return first.word.is_content and second.word.is_content and text[first.end : second.start] in (" ", "-")
