"""An edit: the words in which a claim departs from a sentence that it otherwise repeats."""

from dataclasses import dataclass
from enum import StrEnum

from faithview.judges.lexical.retrieval.passage import Passage


class EditKind(StrEnum):
    """In what a claim and the sentence that it repeats differ.

    `CLASS` is a word of a closed class that excludes another one ("weeks", "months"), `NAME` a name that the chunks
    have elsewhere, `WORDS` are other words; `ADDED` and `DROPPED` stand on one side only.
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
    """What the claim has at `claim_span`, and the sentence at `passage_span` of its chunk; one of them may be empty.

    `is_sure`: in labelled answers nine of ten such edits are errors. `beside` is how many words in a row are alike
    before and after it.
    """

    kind: EditKind
    passage: Passage
    claim_span: tuple[int, int]
    passage_span: tuple[int, int]
    is_sure: bool
    beside: int
