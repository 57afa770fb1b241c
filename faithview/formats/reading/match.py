"""What a format makes of a file: how sure it is, why, which column is what, and what it has to ask."""

import shlex
from collections.abc import Mapping as MappingABC
from dataclasses import dataclass

from faithview.domain.columns import Field
from faithview.formats.rows.mapping import ONE_ROW_PER, PER_ANSWER, PER_CHUNK, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What only a person can say about a file.

    Attributes:
        field: the field of the mapping that is open; "format"; or "map" where the candidates name the field too.
        candidates: what it could be: columns, names of formats, or `field=column`.
        why: one sentence that says what is unclear.
    """

    field: str
    candidates: tuple[str, ...]
    why: str

    @property
    def options(self) -> tuple[str, ...]:
        """What answers it on the command line, for each candidate."""
        flag = "--format" if self.field == "format" else "--map"
        lead = "" if self.field in ("format", "map") else f"{self.field}="
        return tuple(f"{flag} {shlex.quote(f'{lead}{name}')}" for name in self.candidates)

    def __str__(self) -> str:
        """Return the question with its answers, for messages."""
        return f"{self.why} Say which with {' or '.join(self.options)}."


ASK_ROWS = Question(
    field=ONE_ROW_PER,
    candidates=(PER_CHUNK, PER_ANSWER),
    why="Several rows have the same question and answer, but their chunks and other columns differ.",
)


def ask_rivals(competing: MappingABC[Field, tuple[str, ...]]) -> tuple[Question, ...]:
    """Return the question which of several columns is the answer, and which holds the chunks, where they compete."""
    needed: MappingABC[Field, str] = {"answer": "the answer", "contexts": "the retrieved chunks"}
    return tuple(
        Question(field=name, candidates=rivals, why=f"{' and '.join(map(repr, rivals))} could each be {needed[name]}.")
        for name, rivals in competing.items()
        if name in needed
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A format that a file may be in.

    Attributes:
        score: in [0, 1]; formats are ranked by it. About 0.9 if the fields that only this tool has are there, 0.98 if
            all that it needs are, and less where another tool's files may look alike.
        reasons: a sentence each; the first is shown beside the name.
        mapping: the columns of the rows as the reader opens them.
        schema: the format's name for programs; the reader's own unless it tells kinds of its files apart.
        title: the same for people.
        questions: what has to be asked; a field that is asked about is left open in the mapping.
        warnings: what a person should know, as whole sentences.
        has_results: whether there are results of the tool, and not only what was judged.
    """

    score: float
    reasons: tuple[str, ...]
    mapping: Mapping
    schema: str = ""
    title: str = ""
    questions: tuple[Question, ...] = ()
    warnings: tuple[str, ...] = ()
    has_results: bool = False
