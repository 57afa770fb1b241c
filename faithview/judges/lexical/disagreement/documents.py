"""Passages of documents and their statements, prepared for comparing two of them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from faithview.judges.lexical.disagreement.places import Place, find_places
from faithview.judges.lexical.operators.clauses import Part, PartKind, StemSet, parts_of
from faithview.judges.lexical.passages.values import Value, values_among, values_in_cell
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import Token, tokenize

if TYPE_CHECKING:
    from faithview.judges.lexical.disagreement.slots import Slot

# Words at the beginning of a sentence that stand for what was named in the sentence before.
_STAND_FOR = word_set("it they he she this these those them such both")

# The stems of periods.
PERIODS = word_set("second minut hour day night week month quarter annual")

# "Those who have a child", "this of course".
_DESCRIBE = word_set("who whose whom that which with without of in from")

# An element of a list with fewer words is no sentence.
_FEWEST_IN_SENTENCE = 6

# "I have a new phone", "The app on your tablet too", "Where do I cancel?"
_OF_SENTENCES = word_set(
    "i me my you your yours we us our it its they them is are was were be can cannot can't do does don't doesn't did "
    "how what when where which who why"
)


def _is_said_to_reader(heading: str) -> bool:
    return "?" in heading or any(token.word.lower in _OF_SENTENCES for token in tokenize(heading))


class Source:
    """A passage of a document; `title` and `labels` come from its metadata, labels name its plan, region or version."""

    def __init__(self, text: str, *, title: str = "", labels: Iterable[tuple[str, str]] = ()) -> None:
        self.text, self.title, self.labels = text, title, dict(labels)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all its words, the title's among them."""
        return frozenset(token.word.stem for text in (self.title, self.text) for token in tokenize(text))

    @cached_property
    def stem_set(self) -> StemSet:
        """The same, to be asked for a word."""
        return StemSet(self.stems)

    @cached_property
    def telling_stems(self) -> frozenset[str]:
        """The stems of its words with meaning."""
        return frozenset(token.word.stem for token in tokenize(self.text) if token.word.is_content)

    def find_statements(self) -> list["Statement"]:
        """Return its statements, in the order of the text, cells of tables last."""
        return [Statement(self, place) for place in find_places(self.text)]


class Statement:
    """A statement with what is around it; everything is worked out on demand, as most are compared with no other."""

    def __init__(self, source: Source, place: Place) -> None:
        self.source, self.place, self.text = source, place, source.text
        # What its values are values of; `slots.slots_of` works it out once.
        self.slots: list[Slot] | None = None

    @cached_property
    def span(self) -> Range:
        """Where it is in its passage; for a cell from its row's header to the cell."""
        ranges = self.place.ranges[1:] if self.place.is_cell else self.place.ranges
        return min(start for start, _ in ranges), max(end for _, end in ranges)

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words."""
        return [token for place in self.place.ranges for token in tokenize(self.text, *place)]

    @cached_property
    def values(self) -> list[Value]:
        """Its values; of a cell those in the cell alone."""
        if self.place.is_cell:
            return values_in_cell(self.text, *self.place.ranges[-1])
        return values_among(self.tokens, self.text, *self.span)

    @cached_property
    def parts(self) -> list[Part]:
        """Its clauses."""
        if self.place.is_cell:
            return [Part(PartKind.MAIN, 0, len(self.tokens), 0)]
        return parts_of(self.tokens, self.text) if self.tokens else []

    @cached_property
    def heading(self) -> str:
        """Its title and headings in one line."""
        title = self.source.title
        headings = [self.text[start:end] for start, end in self.place.headings]
        if not title or title in headings:
            return " / ".join(headings)
        return " / ".join([title, *(heading for heading in headings if heading not in title)])

    @cached_property
    def heading_tokens(self) -> list[Token]:
        """The words of its headings; they point into `heading`."""
        return tokenize(self.heading)

    @cached_property
    def title_tokens(self) -> list[Token]:
        """The words of its headings that are titles; a heading that asks or tells something says not what is meant."""
        titles = [part for part in self.heading.split(" / ") if not _is_said_to_reader(part)]
        return [token for title in titles for token in tokenize(title)]

    @cached_property
    def heading_stems(self) -> frozenset[str]:
        """The stems of its headings' words with meaning."""
        return frozenset(token.word.stem for token in self.heading_tokens if token.word.is_content)

    @cached_property
    def lead_tokens(self) -> list[Token]:
        """The words with meaning of the sentence before, if this one begins with a word that stands for them."""
        words = [token.word.lower for token in self.tokens[:2]]
        if not words or words[0] not in _STAND_FOR or words[-1] in _DESCRIBE:
            return []
        return [token for token in tokenize(self.text, *self.place.lead) if token.word.is_content]

    @cached_property
    def own(self) -> dict[str, Token]:
        """Its words with meaning by their stems, without those of values."""
        return {token.word.stem: token for token in self.tokens if self.is_telling(token)}

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """The stems of its words with meaning."""
        return frozenset(self.own)

    @cached_property
    def around(self) -> frozenset[str]:
        """The stems of what it is about: its own words, its headings', and those of the sentence it goes on from."""
        return self.own_stems | self.heading_stems | {token.word.stem for token in self.lead_tokens}

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks."""
        return self.text[slice(*self.span)].rstrip().endswith("?")

    @cached_property
    def around_set(self) -> StemSet:
        """The same, to be asked for a word."""
        return StemSet(self.around)

    @cached_property
    def said_set(self) -> StemSet:
        """The stems of its own words, and of those of the sentence that it goes on from."""
        return StemSet(self.own_stems | {token.word.stem for token in self.lead_tokens})

    @cached_property
    def lowers(self) -> frozenset[str]:
        """All its words, in lower case."""
        return frozenset(token.word.lower for token in self.tokens)

    @property
    def is_fragment(self) -> bool:
        """Whether it is an element of a list without a sentence of its own: it is about what its heading says."""
        is_sentence = len(self.tokens) >= _FEWEST_IN_SENTENCE and self.text[slice(*self.span)].rstrip().endswith(".")
        return self.place.is_item and not is_sentence

    def is_telling(self, token: Token) -> bool:
        """Return whether a word has meaning and is in no value."""
        return token.word.is_content and token.start not in self._in_values

    @cached_property
    def _in_values(self) -> frozenset[int]:
        return frozenset(t.start for t in self.tokens if any(v.start <= t.start < v.end for v in self.values))

    def between(self, one: Token, other: Token) -> str:
        """Return the text between two words that follow each other; a full stop between the pieces of a cell."""
        return self.text[one.end : other.start] if one.end <= other.start and not self.place.is_cell else "."

    @cached_property
    def clauses(self) -> list["Clause"]:
        """What it says: each clause with its conditions, and what it leaves out: the subject, or what it denies."""
        found: list[Clause] = []
        for at, part in enumerate(self.parts):
            if part.kind in _STATED:
                found += self._statements_of(self._clause(at), found[-1] if found else None)
        return found

    def _statements_of(self, clause: "Clause", before: "Clause | None") -> Iterator["Clause"]:
        """Yield what a clause says at its commas and its "but": "drinks are allowed, food is not"."""
        subject = clause.core[: len(clause.core) - len(clause.main)]
        conditions = [token for token in clause.words if token not in clause.core]
        for words in self._segments_of(clause.main):
            own = [token for token in words if token.word.lower not in _JOINS]
            has_subject = not own or own[0].word.lower not in _WITHOUT_SUBJECT
            lead = [] if has_subject else [*subject] or (self._subject_of(before.core) if before else [])
            core = [*lead, *words, *self._predicate_for(words, before)]
            before = Clause([*core, *conditions], words, core)
            subject = subject or self._subject_of(words)
            yield before

    def _segments_of(self, words: Sequence[Token]) -> Iterator[Sequence[Token]]:
        """Yield the words between commas and joins that have a verb or a denial on both sides."""
        first = 0
        for at in range(1, len(words)):
            lower = words[at].word.lower
            is_cut = "," in self.between(words[at - 1], words[at]) or lower in _JOINS or lower == "never"
            if is_cut and _speaks(words[first:at]) and _speaks(words[at:]):
                yield words[first:at]
                first = at
        yield words[first:]

    def _subject_of(self, words: Sequence[Token]) -> list[Token]:
        """Return the words with meaning before the first verb, as far as it can be told."""
        verb = next((n for n, token in enumerate(words) if token.word.lower in AUXILIARIES), len(words))
        return [token for token in words[:verb] if self.is_telling(token)][:_LONGEST_SUBJECT]

    def clause_of(self, value: Value) -> "Clause":
        """Return the clause that has a value."""
        at = next((n for n, p in enumerate(self.parts) if self.tokens[p.end - 1].end > value.start), None)
        if self.place.is_cell or self.place.is_heading or at is None:
            return Clause(self.tokens, self.tokens, self.tokens)
        clause = self._clause(at)
        words = self._end_after(value, clause.words)
        before = [token for token in self._words_before_alone(at) if token not in words]
        return clause._replace(words=[*before, *words, *self._words_behind_bracket(at)])

    def _words_before_alone(self, at: int) -> Sequence[Token]:
        """Return the words before a value that has none of its own: "the fixed part (25 cents)", "no less than €50"."""
        part = self.parts[at]
        words = self.tokens[part.first : part.end]
        if at == 0 or any(self.is_telling(token) and token.word.stem not in PERIODS for token in words):
            return []
        before = self.parts[at - 1]
        return self.tokens[before.first : before.end]

    def _words_behind_bracket(self, at: int) -> Sequence[Token]:
        """Return how a clause goes on after brackets: "you have 9 days (for this card 20) to send it"."""
        if at + 1 >= len(self.parts) or "(" not in self._text_before(at + 1):
            return []
        last = next((n for n in range(at + 2, len(self.parts)) if ")" in self._text_before(n)), None)
        if last is None or self._text_before(last).strip() != ")":
            return []
        return self.tokens[self.parts[last].first : self.parts[last].end]

    def _text_before(self, part: int) -> str:
        at = self.parts[part].first
        return self.between(self.tokens[at - 1], self.tokens[at])

    def _end_after(self, value: Value, words: Sequence[Token]) -> Sequence[Token]:
        """Return the words up to where something else is said after a value: "it costs 5 euros, plus 1 for a bag"."""
        part = next((p for p in self.parts if self.tokens[p.end - 1].end > value.start), None)
        if part is None:
            return words
        for before, token in pairwise(self.tokens[part.first : part.end]):
            if before.end < value.end or not (
                token.word.lower in _JOINS or ("," in self.between(before, token) and not token.word.is_number)
            ):
                continue
            end = self.tokens[part.end - 1].end
            kept = [t for t in words if not token.start <= t.start < end]
            return kept if sum(map(self.is_telling, kept)) >= _FEWEST_BEFORE_CUT else words
        return words

    def _clause(self, at: int) -> "Clause":
        first = last = at
        while first > 0 and self.parts[first].kind not in _STATED:
            first -= 1  # what a condition belongs to
        while first > 0 and self._depends(first - 1, first):
            first -= 1
        if self.parts[first].kind not in _STATED:  # a condition before what depends on it
            while last + 1 < len(self.parts) and self.parts[last].kind not in _STATED:
                last += 1
        while last + 1 < len(self.parts) and self._depends(last + 1, last + 1):
            last += 1
        words = self.tokens[self.parts[first].first : self.parts[last].end]
        said = [
            token
            for part in self.parts[first : last + 1]
            if part.kind not in _CONDITIONS
            for token in self.tokens[part.first : part.end]
        ]
        subject = self._subject_for(words)
        return Clause([*subject, *words], said, [*subject, *said])

    def _depends(self, part: int, after: int) -> bool:
        """Return whether a part is a condition, and no semicolon is before the part `after`."""
        at = self.parts[after].first
        is_apart = at > 0 and ";" in self.between(self.tokens[at - 1], self.tokens[at])
        return self.parts[part].kind not in _NO_CONDITIONS and not is_apart

    def _subject_for(self, words: Sequence[Token]) -> list[Token]:
        """Return the words of the subject if a clause has none of its own: "it costs 5 euros", "and may be printed"."""
        if words[0] is self.tokens[0]:
            return self.lead_tokens[:_SUBJECT]
        lowers = [token.word.lower for token in words[:2]]
        first = lowers[-1] if lowers[0] in _JOINS else lowers[0]
        if first not in _WITHOUT_SUBJECT or sum(map(self.is_telling, words)) >= _FEWEST_IN_CLAUSE:
            return []
        before = [token for token in self.tokens if token.start < words[0].start]
        verb = next((n for n, token in enumerate(before) if token.word.lower in AUXILIARIES), len(before))
        subject = [token for token in before[:verb] if self.is_telling(token)]
        return (subject or [token for token in before if self.is_telling(token)])[:_LONGEST_SUBJECT]

    def _predicate_for(self, words: Sequence[Token], before: "Clause | None") -> list[Token]:
        """Return what a clause leaves out that the one before it says: "drinks are allowed, food is not"."""
        if before is None or words[-1].word.lower not in _ENDS_WITHOUT_PREDICATE:
            return []
        verb = next((n for n, token in enumerate(before.main) if token.word.lower in AUXILIARIES), len(before.main))
        return [token for token in before.main[verb:] if self.is_telling(token)]


def _speaks(words: Sequence[Token]) -> bool:
    return any(token.word.lower in _SPEAKS for token in words)


# Parts that explain something do not limit it.
_NO_CONDITIONS = frozenset({PartKind.MAIN, PartKind.REASON, PartKind.CONTRAST})
_STATED = frozenset({PartKind.MAIN, PartKind.CONTRAST, PartKind.REASON})
# Parts that say nothing by themselves. A restriction may go on with the statement.
_CONDITIONS = frozenset({PartKind.CONDITION, PartKind.EXCEPTION, PartKind.TIME})
_SUBJECT = 3
_FEWEST_BEFORE_CUT = 2
_LONGEST_SUBJECT = 4
_FEWEST_IN_CLAUSE = 4
_JOINS = word_set("and or but")
_ENDS_WITHOUT_PREDICATE = word_set("not cannot can't isn't aren't don't doesn't won't is are can may must")
AUXILIARIES = word_set(
    "is are was were be can cannot can't could may must will would shall should has have had do does don't doesn't "
    "isn't aren't"
)
# A clause that begins with one of these has its subject in the clause before it.
_SPEAKS = AUXILIARIES | word_set("not never")
_WITHOUT_SUBJECT = AUXILIARIES | word_set("not never it they he she these those only which who")


class Clause(NamedTuple):
    """A clause of a statement.

    `words` are those of its subject, of what it says and of its conditions; `main` is what it says, and `core` that
    with its subject.
    """

    words: Sequence[Token]
    main: Sequence[Token]
    core: Sequence[Token]
