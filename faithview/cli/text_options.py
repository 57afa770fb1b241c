"""The options of `check` and `guard` that give texts: as words, from a file, or from standard input."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from faithview.domain.errors import InvalidInput

if TYPE_CHECKING:
    from faithview.domain.sample import Chunk

_STANDARD_INPUT = "-"
# A file with one of these endings has a chunk per row; any other file is one chunk.
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")

_ANSWER = typer.Option("--answer", metavar="TEXT", help="The answer; @FILE reads a file, - reads standard input.")
RequiredAnswerOption: TypeAlias = Annotated[str, _ANSWER]
AnswerOption: TypeAlias = Annotated[str | None, _ANSWER]
ContextOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--context", metavar="TEXT", help="A chunk, as text, @FILE or - like --answer; repeat the option for more."
    ),
]
ContextFileOption: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--context-file",
        metavar="FILE",
        help="A file with chunks: one per row of csv, tsv, json, jsonl, parquet or xlsx; any other file is one chunk. "
        "Repeat the option for more.",
    ),
]
QuestionOption: TypeAlias = Annotated[
    str | None, typer.Option("--question", metavar="TEXT", help="The question, as text, @FILE or - like --answer.")
]


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that the options name. `chunks` has those of --context first."""

    answer: str | None
    question: str | None
    chunks: "Sequence[str | Chunk]"


def read_texts(
    *, answer: str | None, question: str | None, context: Sequence[str] | None, files: Sequence[Path] | None
) -> Texts:
    """Return the texts that the options name.

    Raises:
        InvalidInput: a file cannot be read, or several options name standard input.
    """
    given = [text for text in (answer, question, *(context or ()), *map(str, files or ())) if text is not None]
    if sum(text in (_STANDARD_INPUT, "@-") for text in given) > 1:
        raise InvalidInput("Only one option can read standard input (-); give the other texts as @FILE.")
    chunks: list[str | Chunk] = [_read_option(text) for text in context or ()]
    for file in files or ():
        chunks += _read_chunks(file)
    return Texts(
        answer=None if answer is None else _read_option(answer),
        question=None if question is None else _read_option(question),
        chunks=chunks,
    )


def _read_option(text: str) -> str:
    """Return the text of an option's value."""
    if text == _STANDARD_INPUT:
        return _read_file(Path(_STANDARD_INPUT))
    if text.startswith("@@"):
        return text[1:]
    return _read_file(Path(text[1:])) if text.startswith("@") else text


def _read_chunks(file: Path) -> "list[str | Chunk]":
    if file.suffix.lower() not in _TABLES:
        return [_read_file(file)]
    from faithview.cli.reading import say_report
    from faithview.services.knowledge.versions import read_knowledge_base

    chunks, report = read_knowledge_base(file)
    say_report(report)
    return [*chunks]


def _read_file(file: Path) -> str:
    """Return the text of a file, or of standard input, without the line break at its end."""
    try:
        if str(file) == _STANDARD_INPUT:
            if sys.stdin.isatty():
                raise InvalidInput(
                    "Standard input is a terminal; send a text to it, as in `… --answer - < answer.txt`."
                )
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        else:
            text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(file)!r} is not a UTF-8 text.") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a valid path"
        raise InvalidInput(
            f"The file {str(file)!r} cannot be read: {reason}. For a text that begins with @, write @@."
        ) from error
    return text.removesuffix("\n").removesuffix("\r")
