"""Passages of a knowledge base that say different things about the same, and new words for known things.

Both are findings of rules that a person confirms or dismisses. A decision belongs to what was found, by its `key`, and
not to a version: it holds for later versions as long as the two statements, or the two words, stay the same.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from faithview.domain.content_hashes import claim_hash
from faithview.domain.spans import Span


class ContradictionKind(StrEnum):
    """In what two passages differ; `PERIOD` is a length of time, `RULE` a rule and its opposite."""

    NUMBER = "number"
    PERIOD = "period"
    PRICE = "price"
    DATE = "date"
    RULE = "rule"
    NAME = "name"


class FindingKind(StrEnum):
    """What a person decides about."""

    CONTRADICTION = "contradiction"
    TERM = "term"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A person's decision about a finding: confirmed, or dismissed as none."""

    is_confirmed: bool
    decided_by: str | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPassage:
    """A passage with the statement that is contradicted in it, and the words in which the two differ.

    `chunk_id` is the chunk's own id, `document` and `title` come from its metadata, None if these have none. Spans are
    offsets into `text`, the whole passage.
    """

    chunk_id: str
    document: str | None
    title: str | None
    text: str
    statement: Span
    words: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question of a run, with its row's position and id."""

    row: int
    key: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Two passages that say different things about the same.

    `closeness` is how much of the two clauses is alike, from 0 to 1. `is_new`: the older version does not have both
    passages; True if there is none. `questions` are those of the run whose answers retrieved either passage, the first
    ones, and `asked` is how many there are.
    """

    kind: ContradictionKind
    one: StatedPassage
    other: StatedPassage
    closeness: float
    is_new: bool = True
    questions: tuple[AskedQuestion, ...] = ()
    asked: int = 0
    decision: Decision | None = None

    @property
    def key(self) -> str:
        """Its id in decisions: the hash of the two statements in any order."""
        statements = sorted(claim_hash(side.statement.of(side.text)) for side in (self.one, self.other))
        return claim_hash(" ".join(statements))

    @property
    def is_dismissed(self) -> bool:
        """Whether a person dismissed it."""
        return self.decision is not None and not self.decision.is_confirmed


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWord:
    """A word of older documents or of people's questions; `likeness` is from 0 to 1, how alike its contexts are."""

    word: str
    likeness: float
    is_in_documents: bool
    is_in_questions: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTerm:
    """A frequent word of new documents that no older one and no question has, and the known words that it may replace.

    `uses` counts it in the new and edited passages, `passages` how many of them have it, and `documents` are the names
    of the first ones. `example` is a sentence that uses it.
    """

    word: str
    uses: int
    passages: int
    documents: tuple[str, ...]
    known: tuple[KnownWord, ...]
    example: str
    decision: Decision | None = None

    @property
    def key(self) -> str:
        """Its id in decisions: the word."""
        return self.word.casefold()

    @property
    def is_dismissed(self) -> bool:
        """Whether a person dismissed it."""
        return self.decision is not None and not self.decision.is_confirmed
