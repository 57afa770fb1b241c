"""A pair of a premise and a hypothesis, and how labels and texts of many data sets become those of one."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

ENTAILED = "entailed"
NEUTRAL = "neutral"
CONTRADICTED = "contradicted"
NOT_ENTAILED = "not_entailed"  # neutral or contradicted, the data set does not say which
LABELS = (ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED)

Row = tuple[str | None, str | None, str | None, str] | tuple[str | None, str | None, str | None, str, str]

_SHORTEST = 4

_LABEL_OF = {
    "entailment": ENTAILED,
    "entailed": ENTAILED,
    "e": ENTAILED,
    "supports": ENTAILED,
    "contradiction": CONTRADICTED,
    "c": CONTRADICTED,
    "refutes": CONTRADICTED,
    "not enough info": NEUTRAL,
    "neutral": NEUTRAL,
    "n": NEUTRAL,
    "notmentioned": NEUTRAL,
    "not_entailment": NOT_ENTAILED,
    "non_entailment": NOT_ENTAILED,
    "not-entailed": NOT_ENTAILED,
}

_BRACKETS = (
    (re.compile(r"-LRB-\s*"), "("),
    (re.compile(r"\s*-RRB-"), ")"),
    (re.compile(r"-LSB-"), "["),
    (re.compile(r"-RSB-"), "]"),
    (re.compile(r"-COLON-"), ":"),
)
_SPACES = (
    (re.compile(r" ([,.;:!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$]) "), r"\1"),
    (re.compile(r" ('s|'re|'ve|'ll|'d|'m|n't)\b"), r"\1"),
)
_QUOTES = ((" -- ", " – "), ("`` ", '"'), (" ''", '"'))
_NO_LETTER = re.compile(r"[^a-z0-9]+")


class Pair(NamedTuple):
    """A premise, a hypothesis and one of `LABELS`. `source` is the repository and the path that they come from.

    `asked` is what the hypothesis answers and follows, "" for all but answers. Pairs of one `group` differ in a few
    words of premise or hypothesis, and so in their label; "" is not a group.
    """

    premise: str
    hypothesis: str
    label: str
    source: str
    asked: str = ""
    group: str = ""

    def as_line(self) -> str:
        """Return the pair as a line of JSON, as the training reads it."""
        fields = self._asdict()
        for name in ("asked", "group"):
            if not fields[name]:
                del fields[name]
        return json.dumps(fields, ensure_ascii=False) + "\n"


def label_of(written: object) -> str | None:
    """Return the label for the word that a data set writes, None where it means none of ours.

    Data sets also have rows that nobody could agree on, which they mark by "-" or "other".
    """
    return _LABEL_OF.get(str(written).strip().lower())


def detokenised(text: str) -> str:
    """Return a text that was split into words, as people write it: no space before a comma, brackets for -LRB-."""
    for pattern, replacement in (*_BRACKETS, *_SPACES):
        text = pattern.sub(replacement, text)
    for old, new in _QUOTES:
        text = text.replace(old, new)
    return text


def usable(rows: Iterable[Row]) -> Iterator[Pair]:
    """Return the rows of a data set as pairs: trimmed, without those that lack a text or a label, each once.

    A row is a premise, a hypothesis, a label and a source, and where it has one a group.
    """
    seen: set[tuple[str, str]] = set()
    for premise, hypothesis, label, source, *group in rows:
        if not premise or not hypothesis or not label:
            continue
        texts = (premise.strip(), hypothesis.strip())
        if min(map(len, texts)) < _SHORTEST or texts in seen:
            continue
        seen.add(texts)
        yield Pair(*texts, label, source, group="".join(group))


def without_repeats(pairs: Iterable[Pair], seen: set[tuple[str, str]]) -> list[Pair]:
    """Return the pairs whose letters and digits are not in `seen`, and put them there.

    Data sets are made from each other, so that the same pair is in several.
    """
    kept = []
    for pair in pairs:
        key = (_letters(pair.premise), _letters(pair.hypothesis))
        if key not in seen:
            seen.add(key)
            kept.append(pair)
    return kept


def _letters(text: str) -> str:
    return _NO_LETTER.sub("", text.lower())
