"""Knowledge bases by version: what could have been retrieved, so that "removed" is told from "not retrieved"."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain import identity
from faithview.domain.errors import InvalidInput, NotFound, UnreadableFile
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.domain.sample import Chunk, find_unstorable
from faithview.formats.knowledge_base import read_chunks
from faithview.formats.report import ReadReport
from faithview.services.container import Services
from faithview.services.datasets import open_file
from faithview.store import knowledge_bases

_MAX_VERSION = 200


def read_knowledge_base(source: Path | bytes, *, name: str | None = None) -> tuple[list[Chunk], ReadReport]:
    """Return the chunks of a file and what the pass over it found; nothing is stored.

    Args:
        source: the file's path or its bytes: csv, json, jsonl, parquet or xlsx, gzipped or not.
        name: what messages call it; a path's own name where none is given.

    Raises:
        InvalidInput: there is no such file, or no column holds the texts.
        UnreadableFile: it cannot be read as a table, or no row of it can be used.
    """
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
    """Store a version's chunks in place of what was stored under that name before; all of it or nothing.

    Args:
        services: the store.
        version: what runs call it (`Run.kb_version`).
        chunks: its chunks; ids need not be unique.
        source: the file they came from.

    Raises:
        InvalidInput: the version cannot be used, or there is no chunk.
    """
    check_version(version)
    if not chunks:
        raise InvalidInput(f"Knowledge base {version!r} has no chunk; nothing was stored.")
    if source is not None and find_unstorable(source) is not None:
        raise InvalidInput(f"The file's name {source!r} holds a character that cannot be stored; rename it.")
    base = KnowledgeBase(version=version, source=source, created_at=datetime.now(UTC), chunks=len(chunks))
    knowledge_bases.save_knowledge_base(services.db, base, chunks)
    return base


def check_version(version: str) -> None:
    """Raise InvalidInput if this cannot be a knowledge base's version."""
    if not version.strip() or len(version) > _MAX_VERSION:
        raise InvalidInput(f"A knowledge base's version needs 1 to {_MAX_VERSION} characters, not {version!r}.")
    if find_unstorable(version) is not None:
        raise InvalidInput(f"The version {version!r} holds a character that cannot be stored; write it without.")


def list_knowledge_bases(services: Services) -> list[KnowledgeBase]:
    """Return the versions in the order in which they were uploaded."""
    return knowledge_bases.list_knowledge_bases(services.db)


def find_knowledge_base(services: Services, version: str | None) -> KnowledgeBase | None:
    """Return what is stored of a version, None if nothing is; `created_at` tells one upload of it from the next."""
    return next((base for base in list_knowledge_bases(services) if base.version == version), None)


def delete_knowledge_base(services: Services, version: str) -> None:
    """Delete a version; runs keep its name. Raises NotFound."""
    knowledge_bases.delete_knowledge_base(services.db, version)


def iterate_chunks(services: Services, version: str) -> Iterator[Chunk]:
    """Yield the version's chunks in the order of the file; raises NotFound."""
    _check_known(services, version)
    return knowledge_bases.iterate_chunks(services.db, version)


def find_chunks(services: Services, version: str, chunk_hashes: Iterable[str]) -> set[str]:
    """Return those of the chunk hashes that a chunk of the version has, word for word; raises NotFound."""
    _check_known(services, version)
    return knowledge_bases.find_chunks(services.db, version, chunk_hashes)


def find_texts(services: Services, version: str, texts: Iterable[str]) -> set[str]:
    """Return those of the texts that the version holds, as a chunk or as a part of one.

    What is retrieved may be cut from a longer document. White space and Unicode composition do not count; an empty
    text is held by nothing. The version is gone through once for all texts.

    Raises:
        NotFound: no such version is stored.
    """
    hashes = {text: identity.chunk_hash(text) for text in texts if text.strip()}
    whole = find_chunks(services, version, hashes.values())
    found = {text for text, found_hash in hashes.items() if found_hash in whole}
    wanted: dict[str, list[str]] = {}
    for text in hashes.keys() - found:
        wanted.setdefault(identity.fold(text), []).append(text)
    needles = sorted(wanted, key=len)
    for chunk in knowledge_bases.iterate_chunks(services.db, version) if needles else ():
        hay = identity.fold(chunk.text)
        for needle in needles[: bisect_right(needles, len(hay), key=len)]:
            if needle in hay:
                found.update(wanted.pop(needle))
        if len(wanted) < len(needles):
            needles = sorted(wanted, key=len)
    return found


def contains_text(services: Services, version: str, text: str) -> bool:
    """Return whether the version holds the text, as a chunk or as a part of one; raises NotFound."""
    return bool(find_texts(services, version, [text]))


def _check_known(services: Services, version: str) -> None:
    if find_knowledge_base(services, version) is None:
        raise NotFound(f"There is no knowledge base {version!r}; `faithview kb list` lists them.")
