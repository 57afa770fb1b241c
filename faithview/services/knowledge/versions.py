"""Knowledge bases by version: they distinguish evidence that was removed from evidence that was not retrieved."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from faithview.domain.errors import InvalidInput, UnreadableFile
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.domain.sample import Chunk, find_unstorable
from faithview.services.container import Services
from faithview.store.knowledge import versions

# What reads files is imported when one is read: most commands of `faithview kb` read none.
if TYPE_CHECKING:
    from faithview.formats.files.report import ReadReport

__all__ = [
    "check_version",
    "delete_knowledge_base",
    "find_knowledge_base",
    "list_knowledge_bases",
    "read_knowledge_base",
    "save_knowledge_base",
]

_MAX_VERSION = 200


def read_knowledge_base(source: Path | bytes, *, name: str | None = None) -> tuple[list[Chunk], "ReadReport"]:
    """Return the chunks of a file with the problems of its rows; stores nothing.

    Args:
        source: the file's path or its bytes: csv, json, jsonl, parquet or xlsx, gzipped or not.
        name: the file's name in messages; by default the name in the path.

    Raises:
        InvalidInput: there is no such file, or no column holds the texts.
        UnreadableFile: the file is no table, or no row of it can be used.
    """
    from faithview.formats.files.report import ReadReport
    from faithview.formats.knowledge_base import read_chunks
    from faithview.services.datasets import open_file

    table = open_file(source, name=name)
    report = ReadReport()
    chunks = list(read_chunks(table, report=report))
    if not chunks:
        first = f" (the first: {report.problems[0]})" if report.problems else ""
        raise UnreadableFile(f"No row of {table.name} can be used{first}.")
    return chunks, report


def save_knowledge_base(
    services: Services, version: str, chunks: Sequence[Chunk], *, source: str | None = None
) -> KnowledgeBase:
    """Store a version's chunks in place of an older upload of the same version; all of them or none.

    Args:
        services: the store.
        version: the version's name, as runs give it (`Run.kb_version`).
        chunks: its chunks; ids need not be unique.
        source: the name of the file that they came from.

    Raises:
        InvalidInput: the version's name cannot be used, or there is no chunk.
    """
    check_version(version)
    if not chunks:
        raise InvalidInput(f"Knowledge base {version!r} has no chunks; nothing was stored.")
    if source is not None and find_unstorable(source) is not None:
        raise InvalidInput(f"The file name {source!r} contains a character that cannot be stored; rename the file.")
    base = KnowledgeBase(version=version, source=source, created_at=datetime.now(UTC), chunks=len(chunks))
    versions.save_knowledge_base(services.db, base, chunks)
    return base


def check_version(version: str) -> None:
    """Raise InvalidInput if this cannot be the name of a version."""
    if not version.strip() or len(version) > _MAX_VERSION:
        raise InvalidInput(f"A knowledge base's version needs 1 to {_MAX_VERSION} characters, not {version!r}.")
    if find_unstorable(version) is not None:
        raise InvalidInput(f"The version {version!r} contains a character that cannot be stored; remove it.")


def list_knowledge_bases(services: Services) -> list[KnowledgeBase]:
    """Return the versions in the order in which they were uploaded."""
    return versions.list_knowledge_bases(services.db)


def find_knowledge_base(services: Services, version: str | None) -> KnowledgeBase | None:
    """Return a version, or None if it is not stored; `created_at` differs between two uploads of one version."""
    return next((base for base in list_knowledge_bases(services) if base.version == version), None)


def delete_knowledge_base(services: Services, version: str) -> None:
    """Delete a version; runs keep its name in `kb_version`. Raises NotFound."""
    versions.delete_knowledge_base(services.db, version)
