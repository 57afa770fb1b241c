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
from faithview.formats.reading.reader import Detection, Reader

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


def detect(table: Table, *, format_name: str | None = None) -> Detection:
    """Return the format of a file: the first that recognises it, or the one that the user named.

    Raises:
        InvalidInput: there is no format of that name, or the file is not in it.
        UnreadableFile: the file has no rows in its format, or a companion file is missing or cannot be read.
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
                return Detection(
                    reader=reader,
                    table=reader.open(candidate) if reader.open else candidate,
                    mapping=match.mapping,
                    questions=match.questions,
                    warnings=match.warnings,
                    has_results=match.has_results
                    or match.mapping.score is not None
                    or any(question.field in ("score", "map") for question in match.questions),
                )
    # Without a name, `by_name` takes every table.
    raise InvalidInput(f"{table.name} is not a file of {asked[0].title}.")
