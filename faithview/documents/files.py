"""Files: what they are taken for, saved mappings, and what a pull has written."""

from typing import ClassVar

from faithview.documents.base import Count, Document, Part, Share, Time, WithOptional, entry
from faithview.documents.runs import RunFigures
from faithview.domain.scoring import State


class OtherFormat(Part):
    """Another format that the file could have."""

    format: str = entry("Its name.", "schema")
    title: str = entry("Its name for people.")
    confidence: Share = entry("How sure that is.", "score")
    reasons: list[str] = entry("Why.")


class OpenQuestion(Part):
    """A question about a file that only a person can answer."""

    field: str = entry("The field that is open.")
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
    warnings: list[str] = entry("Missing parts of the result.")


class PreviewedRow(WithOptional):
    """A row, shortened."""

    left_out: ClassVar[frozenset[str]] = frozenset({"result"})

    key: str = entry("The row's id.")
    question: str | None = entry("The question.")
    answer: str = entry("The answer.")
    chunks: list[PreviewedChunk] = entry("The chunks.")
    segment: str | None = entry("Its segment.")
    reference: str | None = entry("The reference answer.")
    timestamp: Time | None = entry("The time that it is from.")
    extra: list[str] = entry("The other columns that are kept.")
    result: PreviewedResult | None = entry("Another tool's result, for `import` only.", default=None)


class UnusableRow(Part):
    """A row that cannot be used."""

    problem: str = entry("Why.")


class PreviewDocument(Document):
    """How a file will be read, before anything is stored."""

    file: str = entry("The file.", "table.name")
    content: str = entry("How it is written.", "table.format")
    format: str = entry("The format that it is read as.", "detection.schema")
    title: str = entry("Its name for people.", "detection.title")
    confidence: Share = entry("How sure that is.", "detection.confidence")
    reasons: list[str] = entry("Why.", "detection.match.reasons")
    runner_up: OtherFormat | None = entry("The format that is next likely.", "detection.runner_up")
    fields: dict[str, str | list[str]] = entry("The columns of each field.")
    settings: dict[str, str] = entry("Other settings.")
    kept_columns: list[str] = entry("Columns that are kept beside the fields.")
    questions: list[OpenQuestion] = entry("Questions that only a person can answer.")
    warnings: list[str] = entry("Warnings.")
    notes: list[str] = entry("Notes.", "table.notes")
    rows: list[PreviewedRow | UnusableRow] = entry("The first rows.")
    problem: str | None = entry("Why the rows cannot be read.")
    reading: list[str] = entry("Notes from reading them.")


class SavedMappingFigures(Part):
    """A saved mapping of columns."""

    name: str = entry("Its name.")
    format: str = entry("The format that the file was read as.")
    columns: list[str] = entry("The columns of the file that it was made for.")
    fields: dict[str, list[str]] = entry("The columns of each field.")
    saved_at: Time = entry("When it was saved.")
    saved_by: str | None = entry("Who saved it.")


class MappingsDocument(Document):
    """The saved mappings."""

    mappings: list[SavedMappingFigures] = entry("The mappings, newest first.")


class PullDocument(Document):
    """The result of a pull from another tool."""

    source: str = entry("The tool.")
    host: str = entry("Its server.")
    project: str | None = entry("The project.")
    since: str | None = entry("Only records from after this time.")
    until: str = entry("Only records from before this time.")
    file: str = entry("The file that was written.", "destination")
    lines: Count = entry("Its lines.")
    records: Count = entry("Records in the file, including those of an earlier pull.")
    resumed_records: Count = entry("Records that an earlier pull fetched.", "resumed")
    run: RunFigures | None = entry("The run that its results became; null without --run.")
