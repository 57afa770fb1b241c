"""Guesses the meaning of columns from unknown names and from the form of their cells."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from types import MappingProxyType

from faithview.domain.mapping import Field
from faithview.formats.files.aliases import find_columns, fold_name
from faithview.formats.files.tables import RawRow
from faithview.formats.rows.cells import BadCell, as_text, column_of, is_missing
from faithview.formats.rows.chunk_rows import holds_answer
from faithview.formats.rows.contexts import AS_JSON, ContextReader
from faithview.formats.rows.mapping import Mapping as ColumnMapping
from faithview.formats.rows.timestamps import needs_date_order, parse_timestamp

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"[-+]?[\d.,]+ ?%?")
_QUESTION_START = re.compile(
    r"(how|what|which|who|whose|when|where|why|can|could|do|does|did|is|are|may|should|will|would|wie|was|wer|wann|wo|"
    r"warum|kann|darf|comment|quel|quelle|pourquoi|où|cómo|qué|cuál|cuándo|dónde|por qué)\b",
    re.IGNORECASE,
)
# Words of at least this many letters indicate a text's subject.
_TELLING_LETTERS = 4
_MIN_PASSAGE_WORDS = 4
# The largest share of other cells in a column of texts.
_MOST_OTHERS = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnTraits:
    """Figures on the cells of one column among the first rows; shares are of the cells that have a value.

    Attributes:
        filled: the share of rows with a value.
        rows: how many rows were examined.
        values: how many different values there are.
        words: the median number of words of a cell.
        passages: the share of cells that are a list of passages.
        questions: the share that end with a question mark or begin with a question word.
        dates: the share that are dates or times, including ambiguous ones; numbers are not counted.
        numbers: the share that are numbers.
        epochs: the share that are numbers which can be seconds, milli-, micro- or nanoseconds since 1970.
        spaces: the share of cells with whitespace inside.
        vocabulary: by row, the subject words of the cell in lower case; empty if it has no value.
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
    """Return the traits of the column's cells in these rows."""
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
        dates=_share(
            [not _is_number(cell) and (parse_timestamp(cell) is not None or needs_date_order(cell)) for cell in known]
        ),
        numbers=_share([_is_number(cell) for cell in known]),
        epochs=_share([_is_number(cell) and parse_timestamp(cell) is not None for cell in known]),
        spaces=_share([any(map(str.isspace, text)) for text in texts]),
        vocabulary=tuple(frozenset() if is_missing(cell) else _telling_words(_as_line(cell)) for cell in cells),
    )


def overlap(text: ColumnTraits, source: ColumnTraits) -> float:
    """Return the mean share of a text's subject words that are in its row of the source; 0 if no row has both."""
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
    if AS_JSON in odd:  # an object without a text is not a passage
        return False
    if isinstance(cell, str) and len(chunks) == 1 and chunks[0].text == cell:  # a text that begins with a bracket
        return False
    return bool(chunks) and median(len(_WORD.findall(chunk.text)) for chunk in chunks) >= _MIN_PASSAGE_WORDS


def _is_number(cell: object) -> bool:
    return isinstance(cell, bool | int | float) or (isinstance(cell, str) and bool(_NUMBER.fullmatch(cell.strip())))


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(word for word in map(str.lower, _WORD.findall(text)) if len(word) >= _TELLING_LETTERS)


def _share(marks: Sequence[bool]) -> float:
    return sum(marks) / len(marks) if marks else 0.0


def _ignore(_text: str) -> None:
    """Ignore it: oddities of cells are reported when the rows are read."""


_ENOUGH = 3
_LEAD = 2
_REQUIRED: tuple[Field, ...] = ("contexts", "answer")
# The fields that names and cells can identify, most reliable first: each column is used once.
_ORDER: tuple[Field, ...] = ("contexts", "timestamp", "key", "answer", "question", "reference", "segment")
_SPLIT = re.compile(r"[_\W\d]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGuess:
    """The mapping with the guessed columns in it.

    `guessed` has the reason for each guessed column, as the end of a sentence ("by its name and content"). `competing`
    lists the candidates for each field that is left open.
    """

    mapping: ColumnMapping
    guessed: Mapping[str, str] = field(default_factory=dict)
    competing: Mapping[Field, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """Words of a column's name: `strong` ones name the field, `weak` ones support it, `against` ones oppose it."""

    strong: frozenset[str]
    weak: frozenset[str] = frozenset()
    against: frozenset[str] = frozenset()


def guess_columns(
    columns: Sequence[str],
    head: Sequence[RawRow],
    mapping: ColumnMapping,
    *,
    by_tool: bool = False,
    answered: Collection[str] = (),
) -> ColumnGuess:
    """Return the mapping with guesses for the fields that it leaves open.

    A time that was mapped only by its name is removed if its cells are not times. If names of tools fit several
    columns, the cells decide if they can; otherwise the columns compete.

    Args:
        columns: the table's columns.
        head: its first rows.
        mapping: the mapping known from the names, or from the tool that wrote the file.
        by_tool: whether the file is known to be a tool's: then its answer and chunks are where the tool puts them, or
            nowhere, and are not guessed.
        answered: the fields for which the user named a column, or said that there is none; they are not changed.
    """
    traits = {column: column_traits(column, head) for column in columns}
    barred: set[str] = set()
    while True:
        guess = _guess(columns, traits, mapping, by_tool=by_tool, answered=answered, barred=barred)
        # The answer's column is known only after the chunks are guessed.
        likely = (*(c for c in guess.mapping.contexts if c in guess.guessed), *guess.competing.get("contexts", ()))
        wrong = {column for column in likely if holds_answer(column, guess.mapping, head)}
        if not wrong:
            return guess
        barred |= wrong


def _guess(
    columns: Sequence[str],
    traits: Mapping[str, ColumnTraits],
    mapping: ColumnMapping,
    *,
    by_tool: bool,
    answered: Collection[str],
    barred: Collection[str],
) -> ColumnGuess:
    """Return the guesses; `barred` columns are never guessed for the chunks."""
    competing: dict[Field, tuple[str, ...]] = {}
    if not by_tool:
        mapping, competing = _check_named(columns, traits, mapping, answered=answered, barred=barred)
    guessed: dict[str, str] = {}
    for name in _ORDER:
        if _is_mapped(mapping, name) or name in (*competing, *answered) or (by_tool and name in _REQUIRED):
            continue
        taken = {*_used(mapping, columns), *(column for rivals in competing.values() for column in rivals)}
        free = [c for c in columns if c not in taken and not (name == "contexts" and c in barred)]
        points = {column: _points(name, column, traits, mapping) for column in free}
        likely = sorted((c for c in free if points[c][0] >= _ENOUGH), key=lambda c: -points[c][0])
        if not likely:
            continue
        best = likely[0]
        rivals = tuple(c for c in likely if points[best][0] - points[c][0] < _LEAD)
        if len(rivals) > 1:
            competing[name] = rivals
            continue
        mapping = mapping.override({name: (best,)})
        guessed[best] = points[best][1]
    return ColumnGuess(mapping=mapping, guessed=guessed, competing=competing)


def _check_named(
    columns: Sequence[str],
    traits: Mapping[str, ColumnTraits],
    mapping: ColumnMapping,
    *,
    answered: Collection[str],
    barred: Collection[str],
) -> tuple[ColumnMapping, dict[Field, tuple[str, ...]]]:
    """Remove fields that the cells contradict, and name the columns that compete for the answer or the chunks."""
    time = mapping.timestamp
    is_named = "timestamp" in answered
    if (
        time is not None
        and not is_named
        and time in traits
        and traits[time].filled
        and traits[time].dates + traits[time].epochs < _MOST
    ):
        mapping = replace(mapping, timestamp=None)
    competing: dict[Field, tuple[str, ...]] = {}
    for name in _REQUIRED:
        used = mapping.contexts if name == "contexts" else tuple(c for c in [mapping.answer] if c)
        if len(used) != 1 or name in answered:
            continue
        fits, left_out = _FITS[name], {*_used(mapping, columns), *(barred if name == "contexts" else ())}
        others = [c for c in find_columns(name, columns) if c not in left_out and fits(traits[c])]
        if others:
            competing[name] = (*used, *others)
            mapping = mapping.override({name: ()})
    return mapping, competing


def _used(mapping: ColumnMapping, columns: Sequence[str]) -> set[str | None]:
    """Return the columns that are mapped, or that a path leads into."""
    return {column_of(name, columns) for name in mapping.columns}


def _is_mapped(mapping: ColumnMapping, name: Field) -> bool:
    if name == "answer" and mapping.claim is not None:
        return True
    return bool(getattr(mapping, name))


def _points(name: Field, column: str, traits: Mapping[str, ColumnTraits], mapping: ColumnMapping) -> tuple[int, str]:
    """Return the points of a column for a field, and the reason for them."""
    one = traits[column]
    if not _FITS[name](one):
        return 0, ""
    by_name = _name_points(name, column)
    by_content = _CONTENT[name](one)
    if name == "contexts" and by_name > 0 and one.is_text:  # "sources" can be addresses instead of prose
        by_content += 2
    if name == "answer" and mapping.contexts:
        sources = [traits[source] for source in mapping.contexts if source in traits]
        grounded = max((overlap(one, source) for source in sources), default=0.0)
        by_content += (grounded >= _GROUNDED) + (by_name <= 0 and grounded >= _WELL_GROUNDED)
    if by_name > 0:
        return by_name + by_content, "by its name and content" if by_content > 0 else "by its name"
    return by_name + by_content, "by its content"


def _name_points(name: Field, column: str) -> int:
    words = _NAMES[name]
    parts = {part for part in _SPLIT.split(fold_name(column)) if part}
    points = 3 * bool(parts & words.strong) + min(1, len(parts & words.weak))
    return points - 3 * bool(parts & words.against)


_MOST = 0.8
_HALF = 0.5
_GROUNDED = 0.4
_WELL_GROUNDED = 0.6
_PROSE_WORDS = 6
_PASSAGE_WORDS = 8
_MOST_GROUPS = 20
_GROUP_WORDS = 4
_MIN_ROWS_FOR_GROUPS = 4


def _fits_contexts(one: ColumnTraits) -> bool:
    return one.passages >= _HALF or (one.is_text and one.words >= _PASSAGE_WORDS)


def _fits_answer(one: ColumnTraits) -> bool:
    return one.is_text and (one.distinct >= _HALF or one.words >= _PROSE_WORDS) and one.spaces >= _HALF


def _fits_question(one: ColumnTraits) -> bool:
    return one.is_text and one.words >= 2 and (one.distinct >= 0.3 or one.questions >= _HALF)


def _fits_timestamp(one: ColumnTraits) -> bool:
    return one.filled >= _HALF and one.dates + one.epochs >= _MOST


def _fits_key(one: ColumnTraits) -> bool:
    return one.filled == 1 and one.values == one.rows > 1 and one.spaces < 0.1 and one.dates < 0.1


def _fits_segment(one: ColumnTraits) -> bool:
    most = min(_MOST_GROUPS, one.rows // 2)
    return (
        one.rows >= _MIN_ROWS_FOR_GROUPS
        and one.filled >= _MOST
        and 2 <= one.values <= most
        and one.words <= _GROUP_WORDS
        and one.is_text
    )


def _fits_reference(one: ColumnTraits) -> bool:
    return one.is_text and one.spaces >= _HALF


_FITS: Mapping[Field, Callable[[ColumnTraits], bool]] = MappingProxyType(
    {
        "contexts": _fits_contexts,
        "answer": _fits_answer,
        "question": _fits_question,
        "timestamp": _fits_timestamp,
        "key": _fits_key,
        "segment": _fits_segment,
        "reference": _fits_reference,
    }
)

# The points of cells that fit.
_CONTENT: Mapping[Field, Callable[[ColumnTraits], int]] = MappingProxyType(
    {
        "contexts": lambda one: 3 if one.passages >= _HALF else 0,
        "answer": lambda one: int(one.words >= _PROSE_WORDS and one.questions < _HALF),
        "question": lambda one: 3 if one.questions >= _MOST else 2 if one.questions >= _HALF else 0,
        # Numbers can be seconds since 1970, but also ids: only a name identifies times.
        "timestamp": lambda one: 3 if one.dates >= _MOST else 0,
        "key": lambda one: 0,
        "segment": lambda one: 0,
        "reference": lambda one: 0,
    }
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_METADATA = _words(
    "id ids url uri link score scores rating quality time date at type lang language len length count tokens status "
    "state by author label labels feedback comment comments source model version name email ok flag latency ms "
    "seconds cost price hash path"
)
_EXPECTED = _words(
    "erwartet erwartete referenz referenzantwort musterantwort sollantwort soll richtige attendue correcte esperada "
    "correcta referencia"
)
_NAMES: Mapping[Field, _Words] = MappingProxyType(
    {
        "contexts": _Words(
            strong=_words(
                "context contexts ctx ctxs chunk chunks passage passages snippet snippets retrieved retrieval evidence "
                "document documents doc docs grounding kontext kontexte abschnitt abschnitte textstelle textstellen "
                "dokument dokumente contexte contextes extrait extraits contexto contextos fragmento fragmentos "
                "pasaje pasajes documento documentos"
            ),
            weak=_words(
                "knowledge kb search source sources article articles excerpts hits nodes rag quelle quellen fuente "
                "fuentes"
            ),
            against=_METADATA - {"source"} | _words("title titles question answer gold expected titel titre titulo"),
        ),
        "answer": _Words(
            strong=_words(
                "answer ans reply response resp output completion generation generated prediction antwort respuesta "
                "reponse"
            ),
            weak=_words("bot assistant llm ai agent model rag final summary text a"),
            against=_METADATA - {"model"}
            | _words("expected gold golden reference truth ideal target correct user customer human")
            | _EXPECTED,
        ),
        "question": _Words(
            strong=_words("question query prompt asked ask inquiry utterance q frage anfrage pregunta consulta"),
            weak=_words("user customer client visitor human caller msg message input text subject"),
            against=_METADATA | _words("reply response answer bot assistant agent system"),
        ),
        "timestamp": _Words(
            strong=_words(
                "time timestamp date datetime day ts at asked answered created sent received datum zeit zeitstempel "
                "horodatage fecha"
            ),
            weak=frozenset(["on", "when"]),
            against=_words(
                "updated modified closed resolved deleted exported due birth expires deadline ms latency duration "
                "seconds id number no version"
            ),
        ),
        "key": _Words(
            strong=_words("id no nr num number key uuid guid ref ticket"),
            weak=_words("case conversation message row record"),
            against=_words(
                "user customer agent phone zip postal score rating price cost tokens length count latency ms seconds "
                "rank model chunk passage doc document context"
            ),
        ),
        "segment": _Words(
            strong=_words(
                "segment area category topic theme product department dept team domain intent section kategorie thema "
                "bereich categorie categoria tema"
            ),
            against=frozenset(["id", "score"]),
        ),
        "reference": _Words(
            strong=_words("expected gold golden reference truth ideal") | _EXPECTED,
            against=_METADATA | _words("context contexts chunk chunks"),
        ),
    }
)
