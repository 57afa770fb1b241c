"""Knowledge bases by version: they distinguish evidence that was removed from evidence that was not retrieved.

For an update, the runs before and after it are given.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput, NotFound, UnreadableFile
from faithview.domain.event import Event, EventKind
from faithview.domain.knowledge import KnowledgeBase
from faithview.domain.run import Run, RunStatus
from faithview.domain.sample import Chunk, find_unstorable
from faithview.domain.series import has_trend
from faithview.services.comparison.baselines import is_alike
from faithview.services.container import Store
from faithview.services.events import list_events
from faithview.services.results import list_runs
from faithview.store import knowledge

if TYPE_CHECKING:
    from faithview.formats.files.report import ReadReport

# File readers are imported when needed: most commands of `faithview kb` do not read a file.


_MAX_VERSION = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedBase:
    """A knowledge base to check: its name, its chunks, and what was noticed in a file or a folder."""

    name: str
    chunks: Sequence[Chunk]
    report: "ReadReport | None" = None


def read_base(store: Store, source: str, *, against: str | None = None) -> CheckedBase:
    """Return a stored version, or the chunks of a file or a folder.

    Args:
        store: the store.
        source: a version's name; if none has it, the path of a file or a folder as `faithview kb add` takes it.
        against: the older version; a folder is split as it is. By default the newest stored one.

    Raises:
        NotFound: it is neither.
        InvalidInput: the file has no column with texts.
        UnreadableFile: the file or the folder cannot be used.
    """
    chunks = knowledge.load_version(store.db, source)
    if chunks:
        return CheckedBase(name=source, chunks=chunks)
    path = Path(source)
    if not os.path.exists(source):  # and not `path.exists`, which fails for names that no file can have
        raise NotFound(
            f"{source!r} is neither a stored version nor a file or folder. `faithview kb list` lists the stored "
            "versions; give one of them, or the path of a file or a folder of documents."
        )
    older = (against or find_newest(store)) if path.is_dir() else None
    split_as = [] if older is None else knowledge.load_version(store.db, older)
    read, report = read_knowledge_base(path, split_as=split_as)
    return CheckedBase(name=path.resolve().name or source, chunks=read, report=report)


def read_knowledge_base(
    source: Path | bytes, *, name: str | None = None, split_as: Sequence[Chunk] = ()
) -> tuple[list[Chunk], "ReadReport"]:
    """Return the chunks of a file or a folder and the problems of its rows or files; store nothing.

    Args:
        source: the file's path or its bytes: csv, json, jsonl, parquet or xlsx, gzipped or not; or the path of a folder
            of Markdown, HTML and text files.
        name: the file's name in messages; by default the name in the path.
        split_as: the chunks of an earlier version (`load_version`): a folder is split into sections or paragraphs,
            whichever gives more of these, and unchanged chunks keep their ids. Without them it is split at its
            headings.

    Raises:
        InvalidInput: there is no such file, or no column holds the texts.
        UnreadableFile: the file is not a table, or no row of it, or no file of the folder, can be used.
    """
    from faithview.formats.files.report import ReadReport
    from faithview.formats.knowledge_base import read_chunks
    from faithview.services.dataset_files import open_file

    report = ReadReport()
    if isinstance(source, Path) and source.is_dir():
        chunks, nothing = (
            _read_folder(source, split_as, report),
            f"The folder {str(source)!r} has no text in .md, .html and .txt files",
        )
    else:
        table = open_file(source, name=name)
        chunks, nothing = list(read_chunks(table, report=report)), f"No row of {table.name} can be used"
    if not chunks:
        first = f" (the first: {report.problems[0]})" if report.problems else ""
        raise UnreadableFile(f"{nothing}{first}.")
    return chunks, report


def _read_folder(folder: Path, split_as: Sequence[Chunk], report: "ReadReport") -> list[Chunk]:
    from faithview.formats.document_folder import read_documents, split_documents

    chunks = split_documents(list(read_documents(folder, report=report)), split_as=split_as)
    if chunks and split_as and not {chunk.chunk_hash for chunk in chunks} & {chunk.chunk_hash for chunk in split_as}:
        report.note(
            "No section or paragraph of the folder is a stored chunk, so its documents are split at their headings."
        )
    return [replace(chunk, rank=rank) for rank, chunk in enumerate(chunks, start=1)]


def find_newest(store: Store) -> str | None:
    """Return the name of the newest version; None if none is stored."""
    return next((stored.version for stored in knowledge.list_knowledge_bases(store.db)[::-1]), None)


def load_version(store: Store, version: str) -> list[Chunk]:
    """Return the chunks of a stored version with their texts, in the order of its file.

    Raises:
        NotFound: it is not stored.
    """
    chunks = knowledge.load_version(store.db, version)
    if not chunks:
        raise NotFound(not_stored(version))
    return chunks


def not_stored(version: str) -> str:
    """Return the sentence about a version that is not stored."""
    return (
        f"Knowledge base {version!r} is not stored. `faithview kb list` lists the stored versions, and "
        "`faithview kb add` stores one."
    )


def save_knowledge_base(
    store: Store, version: str, chunks: Sequence[Chunk], *, source: str | None = None
) -> KnowledgeBase:
    """Store a version's chunks, all or none; they replace an older upload of the same version.

    Args:
        store: the store.
        version: the version's name, as runs give it (`Run.kb_version`).
        chunks: its chunks; ids need not be unique.
        source: the name of the file that they came from.

    Raises:
        InvalidInput: the version's name is not valid, or there is no chunk.
    """
    check_version(version)
    if not chunks:
        raise InvalidInput(f"Knowledge base {version!r} has no chunks; nothing was stored.")
    if source is not None and find_unstorable(source) is not None:
        raise InvalidInput(f"The file name {source!r} contains a character that cannot be stored; rename the file.")
    base = KnowledgeBase(version=version, source=source, created_at=datetime.now(UTC), chunks=len(chunks))
    knowledge.save_knowledge_base(store.db, base, chunks)
    return base


def check_version(version: str) -> None:
    """Raise InvalidInput if this is not a valid name of a version."""
    if not version.strip() or len(version) > _MAX_VERSION:
        raise InvalidInput(f"A knowledge base's version needs 1 to {_MAX_VERSION} characters, not {version!r}.")
    if find_unstorable(version) is not None:
        raise InvalidInput(f"The version {version!r} contains a character that cannot be stored; remove it.")


def find_knowledge_base(store: Store, version: str | None) -> KnowledgeBase | None:
    """Return a version, or None if it is not stored; each upload of a version has another `created_at`."""
    return next((base for base in knowledge.list_knowledge_bases(store.db) if base.version == version), None)


def delete_knowledge_base(store: Store, version: str) -> None:
    """Delete a version; runs keep its name in `kb_version`. Raises NotFound."""
    knowledge.delete_knowledge_base(store.db, version)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeStep:
    """An update of the knowledge base, with the last run before it and the first one after it."""

    event: Event
    baseline: Run
    candidate: Run


def list_steps(store: Store, *, series: str | None) -> list[KnowledgeStep]:
    """Return the updates of a series that have a run on both sides, the newest first."""
    runs = {run.run_id: run for run in list_runs(store, series=series)}
    return [
        KnowledgeStep(event=event, baseline=runs[event.before_run_id], candidate=runs[event.after_run_id])
        for event in reversed(list_events(store, series=series))
        if event.kind is EventKind.KNOWLEDGE_BASE and event.before_run_id in runs and event.after_run_id in runs
    ]


def find_runs_of_versions(store: Store, before: str, after: str) -> tuple[Run, Run] | None:
    """Return the newest pair of runs over two versions that are closest in time, or None.

    They are complete runs of one series by the same judge and method; the later one is over the newer version.
    """
    runs = [
        run
        for run in list_runs(store)
        if run.status is RunStatus.COMPLETE and run.repeat_of is None and has_trend(run.series)
    ]
    pairs = [
        (first, second)
        for second in runs
        if second.kb_version == after
        for first in runs
        if first.kb_version == before
        and first.series == second.series
        and first.as_of <= second.as_of
        and is_alike(second, first)
    ]
    return min(pairs, key=lambda pair: (pair[1].as_of - pair[0].as_of, -pair[1].as_of.timestamp()), default=None)
