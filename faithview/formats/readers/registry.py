"""The readers of all formats; the first one whose signs a file has reads it."""

from faithview.domain.errors import InvalidInput
from faithview.formats import labelled
from faithview.formats.files.tables import RawRow, Table
from faithview.formats.readers import (
    by_name,
    deepeval,
    faithview_export,
    inspect_ai,
    langfuse,
    langsmith,
    llm_aggrefact,
    mlflow,
    opik,
    otel_genai,
    phoenix,
    promptfoo,
    ragas,
    ragtruth,
    trulens,
)
from faithview.formats.reading.reader import Match, Reader

# A reader of rarer signs comes before one of more common ones; the last one takes every table.
READERS: tuple[Reader, ...] = (
    labelled.READER,
    faithview_export.READER,
    ragas.READER,
    deepeval.READER,
    trulens.READER,
    phoenix.READER,
    phoenix.SPANS_READER,
    otel_genai.READER,
    mlflow.READER,
    inspect_ai.READER,
    langfuse.READER,
    langsmith.READER,
    ragtruth.READER,
    llm_aggrefact.READER,
    opik.READER,
    promptfoo.READER,
    by_name.READER,
)


def recognise(table: Table, *, format_name: str | None = None) -> tuple[Reader, Match, Table]:
    """Return the reader of a file, its match, and the file with the rows in which it recognised its format.

    Args:
        table: the file.
        format_name: the format that the user named; then only its reader is asked.

    Raises:
        InvalidInput: there is no such format, or the file is not in it.
    """
    asked = [reader for reader in READERS if format_name in (None, reader.name)]
    if not asked:
        known = ", ".join(reader.name for reader in READERS)
        raise InvalidInput(f"There is no format {format_name!r}; known are {known}.")
    tables = [table]
    # The rows of one JSON object are a list in it, unless the object is the only line of a JSON Lines file.
    if (document := table.document) is not None and table.first != document:
        tables.append(table.with_rows(lambda: iter([RawRow(1, document)])))
    for reader in asked:
        for candidate in tables:
            if (match := reader.recognise(candidate)) is not None:
                return reader, match, candidate
    # Without a name, `by_name` takes every table.
    raise InvalidInput(f"{table.name} is not a file of {asked[0].title}.")
