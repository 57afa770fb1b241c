"""What the cells of one column look like: texts, questions, lists of passages, times, numbers, ids or a few groups."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import BadCell, as_text, is_missing
from faithview.formats.rows.contexts import AS_JSON, ContextReader
from faithview.formats.rows.timestamps import needs_date_order, parse_timestamp

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[-+]?[\d.,]+ ?%?")
_QUESTION_START = re.compile(
    r"(how|what|which|who|whose|when|where|why|can|could|do|does|did|is|are|may|should|will|would|wie|was|wer|wann|wo|"
    r"warum|kann|darf|comment|quel|quelle|pourquoi|où|cómo|qué|cuál|cuándo|dónde|por qué)\b",
    re.IGNORECASE,
)
# Words of this many letters or more say what a text is about.
_TELLING_LETTERS = 4
_MIN_PASSAGE_WORDS = 4
# A column of texts has no more cells than this that are something else.
_MOST_OTHERS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTraits:
    """Figures on the cells of one column among the first rows; shares are of the cells that have a value.

    Attributes:
        filled: the share of rows with a value.
        rows: how many rows were looked at.
        values: how many different values there are.
        words: the median number of words of a cell.
        passages: the share of cells that are a list of passages.
        questions: the share that end with a question mark or begin with a question word.
        dates: the share that are dates or times, those that could mean two days included; numbers are not counted.
        numbers: the share that are numbers.
        epochs: the share that are numbers which can be seconds, milli-, micro- or nanoseconds since 1970.
        spaces: the share of cells with white space inside.
        vocabulary: by row, the telling words of the cell in lower case; empty where it has no value.
    """

    filled: float
    rows: int
    values: int
    words: float
    passages: float
    questions: float
    dates: float
    numbers: float
    epochs: float
    spaces: float
    vocabulary: tuple[frozenset[str], ...]

    @property
    def distinct(self) -> float:
        """The share of different values among the values; 0 without any."""
        count = round(self.filled * self.rows)
        return self.values / count if count else 0.0

    @property
    def is_text(self) -> bool:
        """Whether the cells are texts: not lists, times or numbers."""
        return self.filled > 0 and max(self.passages, self.dates, self.numbers) < _MOST_OTHERS


def column_traits(column: str, head: Sequence[RawRow]) -> ColumnTraits:
    """Return what the column's cells look like in these rows."""
    cells = [row.values.get(column) for row in head]
    known = [cell for cell in cells if not is_missing(cell)]
    texts = [_as_line(cell) for cell in known]
    return ColumnTraits(
        filled=len(known) / len(cells) if cells else 0.0,
        rows=len(cells),
        values=len(set(texts)),
        words=median([len(_WORD.findall(text)) for text in texts]) if texts else 0.0,
        passages=_share([_is_list_of_passages(cell) for cell in known]),
        questions=_share([text.endswith("?") or bool(_QUESTION_START.match(text)) for text in texts]),
        dates=_share([_is_date(cell) for cell in known]),
        numbers=_share([_is_number(cell) for cell in known]),
        epochs=_share([_is_number(cell) and parse_timestamp(cell) is not None for cell in known]),
        spaces=_share([any(map(str.isspace, text)) for text in texts]),
        vocabulary=tuple(frozenset() if is_missing(cell) else _telling_words(_as_line(cell)) for cell in cells),
    )


def overlap(text: ColumnTraits, source: ColumnTraits) -> float:
    """Return the mean share of a text's telling words that its row of the source has; 0 where no row has both."""
    shares = [
        len(own & other) / len(own)
        for own, other in zip(text.vocabulary, source.vocabulary, strict=True)
        if own and other
    ]
    return sum(shares) / len(shares) if shares else 0.0


def _as_line(cell: object) -> str:
    try:
        return (as_text(cell, what="cell") or "").strip()
    except BadCell:
        return str(cell)


def _is_list_of_passages(cell: object) -> bool:
    if isinstance(cell, str) and not cell.lstrip().startswith(("[", "{", "(")):
        return False
    if isinstance(cell, bool | int | float):
        return False
    odd: list[str] = []
    try:
        chunks = ContextReader(warn=odd.append, note=_ignore).read([cell])
    except BadCell:
        return False
    if AS_JSON in odd:  # an object without a text is no passage
        return False
    if isinstance(cell, str) and len(chunks) == 1 and chunks[0].text == cell:  # a text that begins with a bracket
        return False
    return bool(chunks) and median(len(_WORD.findall(chunk.text)) for chunk in chunks) >= _MIN_PASSAGE_WORDS


def _is_date(cell: object) -> bool:
    return not _is_number(cell) and (parse_timestamp(cell) is not None or needs_date_order(cell))


def _is_number(cell: object) -> bool:
    return isinstance(cell, bool | int | float) or (isinstance(cell, str) and bool(_NUMBER.fullmatch(cell.strip())))


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(word for word in map(str.lower, _WORD.findall(text)) if len(word) >= _TELLING_LETTERS)


def _share(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0


def _ignore(_text: str) -> None:
    """What is odd about a cell is reported when the rows are read."""
