"""The results of comparing a claim with the chunks, and how much of a claim a passage says."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from faithview.domain.claim import Verdict
from faithview.judges.lexical.passages.index import Context, Passage, Window
from faithview.judges.lexical.passages.values import Value
from faithview.judges.text.tokens import Token


class EditKind(StrEnum):
    """The difference between a claim and the sentence that it repeats.

    `CLASS` is a word of a closed class that excludes another one ("weeks", "months"), `NAME` a name that the chunks
    have elsewhere, `WORDS` are other words; `ADDED` and `DROPPED` are on one side only.
    """

    VALUE = "value"
    LIMIT = "limit"
    NEGATION = "negation"
    CLASS = "class"
    NAME = "name"
    WORDS = "words"
    ADDED = "added"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEdit:
    """The claim's words at `claim_span`, and the sentence's at `passage_span` of its chunk; one may be empty.

    `is_sure`: in labelled answers nine of ten such edits are errors. `beside` is how many words in a row are alike
    before and after it.
    """

    kind: EditKind
    passage: Passage
    claim_span: tuple[int, int]
    passage_span: tuple[int, int]
    is_sure: bool
    beside: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name at `[start, end)`: capitalised words that follow each other, or an acronym."""

    start: int
    end: int
    tokens: tuple[Token, ...]

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words."""
        return tuple(token.word.stem for token in self.tokens)


class ConflictKind(StrEnum):
    """How a passage contradicts a claim; `FIELD`: in a record's field, `SUBJECT`: it says the same of another subject.

    `WORDS` and `DROPPED` are in a sentence that the claim repeats otherwise: other words in their place, or none.
    `OPERATOR` is a word that determines the meaning of a sentence: "must" for "may".
    """

    VALUE = "value"
    NAME = "name"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    FIELD = "field"
    ROLES = "roles"
    SUBJECT = "subject"
    WORDS = "words"
    DROPPED = "dropped"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A conflict: the claim's words at `claim_span` and the passage's other words at `passage_span` of its chunk.

    `note` says in words what the chunk does where its own text does not show it ("gives no hours for Sunday"), "" where
    it does. `headers` are the places in the chunk of what names a cell's row and column.
    """

    kind: ConflictKind
    passage: Passage
    claim_span: tuple[int, int]
    passage_span: tuple[int, int]
    note: str = ""
    headers: tuple[tuple[int, int], ...] = ()


class FieldCounts(NamedTuple):
    """How many of a record's fields a claim states correctly, incorrectly, and although the record leaves them open."""

    agreed: int = 0
    against: int = 0
    untold: int = 0


NO_FIELDS = FieldCounts()


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorDifference:
    """A difference: the claim's words at `claim_span` and a near sentence's at `passage_span` of its chunk.

    Where only one side has such a word, the span of the other side is None. `verdict` is what the difference makes of
    the claim, and `family` names the kind of word.
    """

    family: str
    verdict: Verdict
    claim_span: tuple[int, int] | None
    passage_span: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSentence:
    """A sentence of the chunks that says nearly the same as a claim.

    `closeness` is the share by weight of the claim's words that it has. `difference` is None if the two differ in no
    operator. `is_turned`: the two have words that reverse a statement, so a denial in one may be a statement in the
    other. `is_in_short_text`: the chunks are so short that the claim is about this sentence.
    """

    passage: Passage
    closeness: float
    is_in_short_text: bool
    difference: OperatorDifference | None
    is_turned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A claim `[start, end)` of the answer compared with the chunks; spans of the claim are offsets into the answer.

    `untold` is a field of a record that is about what the claim says and is left open (null), with nothing else told.
    `added_units` is how many of its values the chunks have only without the unit or in another: "350" for "350 °F".
    `fields` counts what it says of a record's fields.
    `edit` is where it departs from a sentence that it repeats otherwise, be that an error or not.
    `near` is the sentence that says nearly the same, if there is one.
    `known` are the offsets of the words that the chunks or the question hold, or that belong to a value found there.
    """

    start: int
    end: int
    tokens: list[Token]
    windows: list[Window]
    missing: list[Token]
    known: frozenset[int]
    names: list[Name]
    missing_names: list[Name]
    values: list[Value]
    missing_values: list[Value]
    added_units: int
    conflict: Conflict | None
    untold: Passage | None = None
    fields: FieldCounts = NO_FIELDS
    edit: FoundEdit | None = None
    near: NearSentence | None = None

    @property
    def is_near_in_short_text(self) -> bool:
        """Whether a sentence says nearly the same and the chunks are so short that the claim is about it."""
        return self.near is not None and self.near.is_in_short_text

    @property
    def is_verbatim(self) -> bool:
        """Whether the claim has the words of one whole sentence of a chunk, each in its place."""
        if self.near is None:
            return False
        return [t.word.lower for t in self.tokens] == [t.word.lower for t in self.near.passage.tokens]

    @property
    def has_other_operator(self) -> bool:
        """Whether that sentence has a different operator, which is evidence against support."""
        return self.near is not None and self.near.difference is not None

    @property
    def is_decided_against(self) -> bool:
        """Whether that sentence differs in an operator, a value or a name, and no other supports the claim.

        In a long text a difference counts but does not decide: other sentences may support the claim, and in labelled
        answers about web pages fewer than one such difference in twenty is an error.
        """
        return self.is_near_in_short_text and (self.has_other_operator or self.conflict is not None)


# Share of the claim's words, besides what differs, that a passage must say before a difference counts as a denial.
ALIGNED_FOR_VALUE = 0.78
ALIGNED_FOR_NAME = 0.8
ALIGNED_FOR_NEGATION = 0.8
FEWEST_ALIGNED_WORDS = 2

# A passage that aligns at least this well and has the value, or opposes nothing, supports the claim.
ALIGNED_FOR_AGREEMENT = 0.5

# Chunks can disagree: a passage that has the value and aligns at least this well still supports the claim.
ALIGNED_ELSEWHERE = 0.2

# A claim with more values is a table; comparing all pairs would take too long.
MOST_VALUES = 24


class Aligned(NamedTuple):
    """A passage compared with a claim, with the stems of its words that have meaning."""

    passage: Passage
    stems: frozenset[str]


def aligned_passages(comparison: Comparison, context: Context) -> list[Aligned]:
    """Return the passages of the best windows, those that share most words with the claim first."""
    positions = dict.fromkeys(
        position for window in comparison.windows for position in range(window.first, window.last + 1)
    )
    claimed = {t.word.stem for t in comparison.tokens if t.word.is_content}
    aligned = []
    for position in positions:
        passage = context.passages[position]
        if passage.is_unknown:
            continue
        stems = content_stems(passage)
        aligned.append((len(claimed & stems), position, Aligned(passage=passage, stems=stems)))
    aligned.sort(key=lambda item: (-item[0], item[1]))
    return [item[2] for item in aligned]


def share_found(tokens: Sequence[Token], stems: frozenset[str], spared: Sequence[tuple[int, int]]) -> tuple[float, int]:
    """Return the share by weight, and the number, of the words outside the spared ranges that are among the stems."""
    total = shared = 0.0
    count = 0
    for word, start, _ in tokens:
        if not word.is_content or (spared and any(a <= start < b for a, b in spared)):
            continue
        total += word.weight
        if word.stem in stems:
            shared += word.weight
            count += 1
    return (shared / total if total else 0.0), count


def content_stems(passage: Passage) -> frozenset[str]:
    """Return the stems of the passage's words that have meaning; they are gathered once."""
    if passage.content is None:
        passage.content = frozenset([word.stem for word, _, _ in passage.tokens if word.is_content])
    return passage.content
