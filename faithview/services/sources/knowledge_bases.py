"""Knowledge bases by version: what could have been retrieved, so that "removed" is told from "not retrieved"."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain import identity
from faithview.domain.errors import InvalidInput, NotFound, UnreadableFile
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.domain.sample import Chunk, find_unstorable
from faithview.formats.files.report import ReadReport
from faithview.formats.knowledge_base import read_chunks
from faithview.services.container import Services
from faithview.services.datasets import open_file
from faithview.store.sources import knowledge_bases

_MAX_VERSION = 200
# Texts of so many characters are looked for by these, where there are more than so many of them.
_HEAD = 32
_MANY = 40


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
    needles = _Needles(wanted)
    for chunk in knowledge_bases.iterate_chunks(services.db, version) if wanted else ():
        for needle in needles.take_from(identity.fold(chunk.text)):
            found.update(wanted[needle])
    return found


def contains_text(services: Services, version: str, text: str) -> bool:
    """Return whether the version holds the text, as a chunk or as a part of one; raises NotFound."""
    return bool(find_texts(services, version, [text]))


def _check_known(services: Services, version: str) -> None:
    if find_knowledge_base(services, version) is None:
        raise NotFound(f"There is no knowledge base {version!r}; `faithview kb list` lists them.")


class _Needles:
    """Texts that are looked for in many others, each until it is found.

    Many long ones are looked up by their first characters at every place of a text, which costs the same however many
    they are; a thousand texts in ten thousand chunks would take half a minute one by one.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        by_length = sorted(texts, key=len)
        long = [text for text in by_length if len(text) >= _HEAD]
        self._by_head: dict[str, list[str]] = {}
        if len(long) > _MANY:
            for text in long:
                self._by_head.setdefault(text[:_HEAD], []).append(text)
            by_length = by_length[: -len(long)]
        self._single = by_length

    def take_from(self, hay: str) -> list[str]:
        """Return the texts that are in this one, and look for them no more."""
        short = self._single[: bisect_right(self._single, len(hay), key=len)]
        found = [text for text in short if text in hay]
        for text in found:
            self._single.remove(text)
        for at in range(len(hay) - _HEAD + 1) if self._by_head else ():
            here = self._by_head.get(hay[at : at + _HEAD])
            for text in [text for text in here or () if hay.startswith(text, at)]:
                found.append(text)
                self._forget(text)
        return found

    def _forget(self, text: str) -> None:
        rest = self._by_head[text[:_HEAD]]
        rest.remove(text)
        if not rest:
            del self._by_head[text[:_HEAD]]
