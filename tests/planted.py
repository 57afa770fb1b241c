"""Contradictions planted into the help-desk documents: reads `data/knowledge_check/` and says which were found.

See `data/knowledge_check/README.md` for how they were written and for the format.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from faithview.domain.contradiction import Contradiction, StatedPassage
from faithview.domain.sample import Chunk
from tests.helpdesk import read_chunks

DATA = Path(__file__).parent / "data" / "knowledge_check"
# Folders of `DATA`, with what each is for.
SETS = {"": "rules set on them", "second": "rules set on them", "end": "three corrections after"}
_MARK = re.compile(r"⟦(.*?)⟧", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A passage that says something else than one of the chunks `against`, in the words `[start, end)` of its text."""

    name: str
    kind: str
    against: tuple[str, ...]
    chunk: Chunk
    start: int
    end: int

    def is_found(self, contradiction: Contradiction) -> bool:
        """Return whether a contradiction is this one: between its words' statement and a chunk that it contradicts."""
        sides = (contradiction.one, contradiction.other), (contradiction.other, contradiction.one)
        return any(self._is_in(mine) and theirs.chunk_id in self.against for mine, theirs in sides)

    def _is_in(self, side: StatedPassage) -> bool:
        is_overlapping = side.statement.start < self.end and self.start < side.statement.end
        return side.chunk_id == self.chunk.chunk_id and is_overlapping


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedBase:
    """An organisation's documents with passages that contradict some of them, and others that only look so."""

    domain: str
    planted: tuple[Planted, ...]
    chunks: tuple[Chunk, ...]


@dataclass(slots=True)
class Found:
    """What was found of the planted contradictions, what was missed, and what else was said to be one."""

    found: list[Planted] = field(default_factory=list)
    missed: list[Planted] = field(default_factory=list)
    others: list[Contradiction] = field(default_factory=list)

    def add(self, base: PlantedBase, contradictions: Iterable[Contradiction]) -> None:
        """Add what was found in a base."""
        contradictions = list(contradictions)
        meant: set[str] = set()
        for planted in base.planted:
            keys = {one.key for one in contradictions if planted.is_found(one)}
            (self.found if keys else self.missed).append(planted)
            meant |= keys
        self.others += [one for one in contradictions if one.key not in meant]


def helpdesk_chunks(domain: str) -> list[Chunk]:
    """Return an organisation's chunks."""
    return [Chunk(text=text, chunk_id=chunk_id) for _, chunk_id, text in read_chunks(domain)]


def read_planted(folder: str, domains: Iterable[str] | None = None) -> list[PlantedBase]:
    """Return the bases of a folder of `DATA`, all or those of some organisations."""
    names = [path.stem for path in sorted((DATA / folder).glob("*.toml")) if path.stem != "bundled"]
    return [_read(DATA / folder / f"{name}.toml") for name in (names if domains is None else domains)]


def _read(path: Path) -> PlantedBase:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    planted = []
    for one in data["planted"]:
        mark = _MARK.search(one["text"])
        if mark is None:
            raise ValueError(f"{path.name}: {one['id']!r} has no ⟦words⟧.")
        chunk = Chunk(text=_MARK.sub(r"\1", one["text"]), chunk_id=one["id"])
        planted.append(
            Planted(
                name=one["id"],
                kind=one["kind"],
                against=tuple(one["against"]),
                chunk=chunk,
                start=mark.start(),
                end=mark.end() - 2,
            )
        )
    decoys = [Chunk(text=one["text"], chunk_id=one["id"]) for one in data["decoy"]]
    chunks = (*helpdesk_chunks(path.stem), *(one.chunk for one in planted), *decoys)
    return PlantedBase(domain=path.stem, planted=tuple(planted), chunks=chunks)
