"""Files: their detected format, and results of a pull."""

from typing import ClassVar

from faithview.documents.base import Count, Document, Part, Share, Time, WithOptional, entry
from faithview.documents.runs import RunFigures
from faithview.domain.scoring import State


class OtherFormat(Part):
    """Another format that the file could have."""

    format: str = entry("Its name.", "schema")
    title: str = entry("Its display name.")
    confidence: Share = entry("How certain the detection is.", "score")
    reasons: list[str] = entry("The reasons.")


class OpenQuestion(Part):
    """A question about a file that the user has to answer."""

    field: str = entry("The field that the question is about.")
    candidates: list[str] = entry("The possible answers.")
    why: str = entry("Why it is unclear.")
    options: list[str] = entry("The options that would answer it.")


class PreviewedChunk(Part):
    """A chunk, shortened."""

    id: str = entry("Its id.", "chunk_id")
    text: str = entry("Its text.")


class PreviewedResult(Part):
    """Another tool's result, shortened."""

    state: State = entry("The answer's state.")
    faithfulness: Share | None = entry("Its faithfulness.")
    claims: list[tuple[str, str]] = entry("Verdict and text of each claim.")
    error: str | None = entry("Why it could not be judged.")
    warnings: list[str] = entry("What is missing from the result.")


class PreviewedRow(WithOptional):
    """A row, shortened."""

    left_out: ClassVar[frozenset[str]] = frozenset({"result"})

    key: str = entry("The row's id.")
    question: str | None = entry("The question.")
    answer: str = entry("The answer.")
    chunks: list[PreviewedChunk] = entry("The chunks.")
    segment: str | None = entry("Its segment.")
    reference: str | None = entry("The reference answer.")
    timestamp: Time | None = entry("Its time.")
    extra: list[str] = entry("The other columns that are kept.")
    result: PreviewedResult | None = entry("Another tool's result, for `import` only.", default=None)


class UnusableRow(Part):
    """A row that cannot be used."""

    problem: str = entry("The reason.")


class PreviewDocument(Document):
    """How a file is read, before anything is stored."""

    file: str = entry("The file.", "table.name")
    content: str = entry("The file type, such as CSV.", "table.format")
    format: str = entry("The format that it is read as.", "detection.schema")
    title: str = entry("Its display name.", "detection.title")
    confidence: Share = entry("How certain the detection is.", "detection.confidence")
    reasons: list[str] = entry("The reasons.", "detection.match.reasons")
    runner_up: OtherFormat | None = entry("The second most likely format.", "detection.runner_up")
    fields: dict[str, str | list[str]] = entry("The columns of each field.")
    settings: dict[str, str] = entry("Other settings.")
    kept_columns: list[str] = entry("Other columns that are kept.")
    questions: list[OpenQuestion] = entry("Questions that the user has to answer.")
    warnings: list[str] = entry("Warnings about the file.")
    notes: list[str] = entry("Notes.", "table.notes")
    rows: list[PreviewedRow | UnusableRow] = entry("The first rows.")
    problem: str | None = entry("Why the rows cannot be read.")
    reading: list[str] = entry("Notes on reading the rows.")


class PullDocument(Document):
    """A pull from another tool."""

    source: str = entry("The tool.")
    host: str = entry("Its server.")
    project: str | None = entry("The project.")
    since: str | None = entry("The start of the period.")
    until: str = entry("The end of the period.")
    file: str = entry("The file that was written.", "destination")
    lines: Count = entry("Its lines.")
    records: Count = entry("The records of the tool, including those that an earlier pull had fetched.")
    resumed_records: Count = entry("Records that an earlier pull had fetched.", "resumed")
    run: RunFigures | None = entry("The run that its results became; null without --run.")
