"""Statements of documents, prepared for comparing two of them, and what words mean in all documents together."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import NamedTuple

from faithview.judges.lexical.operators.clauses import Part, PartKind, parts_of
from faithview.judges.lexical.passages.values import Value, values_among
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.judges.text.tokens import Token, tokenize

_HEADING = re.compile(r"[ \t]*(?:(?P<level>#{1,6})[ \t]+(?P<marked>.+?)[ \t#]*|(?:\d+\.[ \t]*)?\*\*(?P<bold>[^*\n]+)\*\*(?P<rest>.*))\s*\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+")
_TABLE = re.compile(r"[ \t]*\|")
_FENCE = re.compile(r"[ \t]*```")
_CODE = re.compile(r'[ \t]*["{}\[\]]')
_PRONOUNS = word_set("it they he she this these those them such both")


class Place(NamedTuple):
    """A statement's place in its passage, and what is said around it.

    `heading` are the headings over it; `lead` is where the sentence before it is, empty at a paragraph's beginning.
    `is_item`: it is an element of a list.
    """

    start: int
    end: int
    heading: tuple[tuple[int, int], ...]
    lead: tuple[int, int]
    is_item: bool
    is_heading: bool = False


def find_statements(text: str) -> Iterator[Place]:
    """Yield the sentences of a passage that are prose or elements of lists; tables and code are left out."""
    at = 0
    headings: list[tuple[int, tuple[int, int]]] = []
    is_code = False
    lead = (0, 0)
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        if _FENCE.match(line):
            is_code = not is_code
            continue
        if is_code or _TABLE.match(line) or _CODE.match(line) or not line.strip():
            lead = (0, 0) if not line.strip() else lead
            continue
        heading = _HEADING.match(line)
        if heading is not None:
            level = len(heading["level"]) if heading["level"] else 7
            name = "marked" if heading["level"] else "bold"
            if any(c.isdigit() for c in heading[name]) and len(heading[name].split()) > 4:
                yield Place(start + heading.start(name), start + heading.end(name), tuple(place for _, place in headings), (0, 0), False, True)
            headings = [one for one in headings if one[0] < level]
            headings.append((level, (start + heading.start(name), start + heading.end(name))))
            lead = (0, 0)
            if heading["level"] or not heading["rest"].strip():
                continue
            begin = start + heading.start("rest")
        else:
            begin = start
        item = _ITEM.match(line) if heading is None else None
        if item is not None:
            begin = start + item.end()
            lead = (0, 0)
        for a, b in split_sentences_quickly(text, begin, at):
            yield Place(a, b, tuple(place for _, place in headings), lead, item is not None)
            lead = (a, b)


class Statement:
    """A sentence of a document with what is around it; prepared on demand, as most are compared with none."""

    def __init__(self, text: str, place: Place, title: str = "") -> None:
        self.text, self.place = text, place
        headings = [text[start:end] for start, end in place.heading]
        self.heading = " / ".join([title, *headings] if title and title not in headings else headings)
        self.start, self.end, self.is_item = place.start, place.end, place.is_item

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words."""
        return tokenize(self.text, self.start, self.end)

    @cached_property
    def values(self) -> list[Value]:
        """Its values."""
        return values_among(self.tokens, self.text, self.start, self.end)

    @cached_property
    def heading_tokens(self) -> list[Token]:
        """The words of its headings; they point into `heading`."""
        return tokenize(self.heading)

    @cached_property
    def lead_tokens(self) -> list[Token]:
        """The words of the sentence before, if this one begins with a word that stands for something said there."""
        if not self.tokens or self.tokens[0].word.lower not in _PRONOUNS:
            return []
        return tokenize(self.text, *self.place.lead) if self.place.lead[1] else []

    @cached_property
    def parts(self) -> list[Part]:
        """Its clauses."""
        return parts_of(self.tokens, self.text)

    @cached_property
    def own(self) -> dict[str, Token]:
        """Its words with meaning by stem, without those of values."""
        return {t.word.stem: t for t in self.tokens if self.is_telling(t)}

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of what it is about: its own, its headings', and those of the sentence that it goes on from."""
        there = (t for t in (*self.heading_tokens, *self.lead_tokens) if t.word.is_content)
        return frozenset(self.own) | {t.word.stem for t in there}

    def is_telling(self, token: Token) -> bool:
        """Return whether a word has meaning and is in no value."""
        return token.word.is_content and not any(v.start <= token.start < v.end for v in self.values)

    def unit_of(self, value: Value) -> list[Token]:
        """Return the words of the clause that has the value, with its conditions and, where it is short, its subject."""
        first, end = self._segment(value)
        inside = [p for p in self.parts if first <= p.first < end]
        at = next((n for n, p in enumerate(inside) if self.tokens[p.end - 1].start >= value.start), None)
        if at is None:
            return self.tokens
        low = high = at
        if inside[at].kind is PartKind.MAIN:
            while low > 0 and inside[low - 1].kind is not PartKind.MAIN:
                low -= 1
            while high + 1 < len(inside) and inside[high + 1].kind is not PartKind.MAIN:
                high += 1
        elif at + 1 < len(inside) and at == 0:
            high += 1
        elif at:
            low -= 1
        words = self.tokens[inside[low].first : inside[high].end]
        if sum(map(self.is_telling, words)) < _FEWEST_IN_UNIT and words[0] is not self.tokens[0]:
            words = [*[t for t in self.tokens if t.start < words[0].start and self.is_telling(t)][:1], *words]
        if self.lead_tokens and words[0] is self.tokens[0]:
            words = [*[t for t in self.lead_tokens if t.word.is_content][:2], *words]
        return words

    def _segment(self, value: Value) -> tuple[int, int]:
        first, end = 0, len(self.tokens)
        for n in range(1, len(self.tokens)):
            if ";" in self.text[self.tokens[n - 1].end : self.tokens[n].start]:
                if self.tokens[n].start <= value.start:
                    first = n
                else:
                    end = n
                    break
        return first, end


_FEWEST_IN_UNIT = 3


class Vocabulary:
    """How many passages have a word, and which words are names, over all documents."""

    def __init__(self) -> None:
        self.passages = 0
        self.with_stem: Counter[str] = Counter()
        self.within: Counter[str] = Counter()
        self.capitalised: Counter[str] = Counter()
        self.with_siblings: Counter[str] = Counter()
        self.place_like: Counter[str] = Counter()

    def add(self, statements: Iterable[Statement]) -> None:
        """Count the words of one passage."""
        self.passages += 1
        stems: set[str] = set()
        for statement in statements:
            toks = statement.tokens
            for n in range(1, len(toks) - 1):
                if toks[n-1].word.lower in _PLACE and toks[n].word.is_capitalised:
                    self.place_like[toks[n].word.stem] += 1
                if toks[n].word.lower in ("and", "or") and toks[n-1].word.is_capitalised and toks[n+1].word.is_capitalised and n > 1:
                    self.with_siblings[toks[n-1].word.stem] += 1
                    self.with_siblings[toks[n+1].word.stem] += 1
            stems.update(statement.own)
            for token in statement.tokens[1:]:
                if token.word.is_content:
                    self.within[token.word.lower] += 1
                    self.capitalised[token.word.lower] += token.word.is_capitalised
        self.with_stem.update(stems)

    def weight(self, token: Token) -> float:
        """Return how much a word says: rare in English, and rare in these documents."""
        rarity = log((self.passages + 1) / (self.with_stem[token.word.stem] + 0.5)) / log((self.passages + 1) / 1.5)
        return token.word.weight * (_LEAST_RARE + (1 - _LEAST_RARE) * max(rarity, 0.0))

    def is_name(self, token: Token) -> bool:
        """Return whether a word is capitalised here and nearly always within sentences."""
        lower = token.word.lower
        within = self.within[lower]
        return token.word.is_capitalised and within > 0 and self.capitalised[lower] >= _MOSTLY * within


_LEAST_RARE = 0.3
_MOSTLY = 0.7
_PLACE = word_set("in at for on")
