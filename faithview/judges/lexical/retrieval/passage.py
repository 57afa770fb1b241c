"""What the chunks are cut into: sentences of prose and fields of records, and a few of them in a row."""

from dataclasses import dataclass
from typing import NamedTuple

from faithview.judges.lexical.structure.field import Field
from faithview.judges.lexical.values.model import Value
from faithview.judges.text.polarity import Polarity
from faithview.judges.text.tokens import Token


@dataclass(slots=True, eq=False)
class Passage:
    """A sentence of a chunk, or a field of a record in it ("wifi: false").

    `is_flag` marks a field whose value is true or false, `is_denied` one that is false, `is_unknown` one that is null.
    `key_forms` are the sets of stems that say its key; `path` holds the keys that lead to it as they are written, its
    own last. A passage that is a row of a table has neither; `field` is what it was read from, None for prose.
    """

    chunk: int
    start: int
    end: int
    tokens: list[Token]
    is_denied: bool = False
    is_unknown: bool = False
    is_flag: bool = False
    key_forms: tuple[frozenset[str], ...] = ()
    path: tuple[str, ...] = ()
    field: Field | None = None
    values: list[Value] | None = None
    content: frozenset[str] | None = None
    polarity: Polarity | None = None


class Window(NamedTuple):
    """One to three passages `[first, last]` in a row.

    `recall` is the share of the claim's weight that they hold, `stems` are the words of the claim that they hold.
    """

    first: int
    last: int
    recall: float
    stems: frozenset[str]
