"""A folder split as an earlier version was: unchanged sections and paragraphs keep their ids and texts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from faithview.domain.content_hashes import fold
from faithview.domain.sample import Chunk
from faithview.services.knowledge.versions import read_knowledge_base

PLANS = """# Plans

## Prices

Starter costs €9 per seat and month and covers up to five seats and two inboxes of your own.

Team costs €19 per seat and month and covers up to fifty seats and ten inboxes of your own.

## Yearly billing

If you pay by the year, **two months** are free, so that a seat of Team costs €190 and not €228.
"""
SEATS = """# Seats

Every person with the role Owner, Admin, Lead or Agent uses a seat, while Viewers do not use one.

When you remove a seat, the change takes effect at the end of the billing period without a refund.

A workspace must keep at least one seat, and yearly subscriptions can only reduce them at renewal.
"""
FILES = {"billing/plans.md": PLANS, "billing/seats.md": SEATS}

Splitter = Callable[[str], list[str]]


def _paragraphs(text: str) -> list[str]:
    return [part for part in text.strip().split("\n\n") if not part.startswith("#")]


def _sections(text: str) -> list[str]:
    parts = text.strip().split("\n\n")
    starts = [at for at, part in enumerate(parts) if part.startswith("#")]
    ends = [*starts[1:], len(parts)]
    return ["\n\n".join(parts[a:b]) for a, b in zip(starts, ends, strict=True) if b - a > 1]


def _plain_words(text: str) -> list[str]:
    return [part.replace("**", "") for part in _paragraphs(text)]


SPLITTERS: dict[str, Splitter] = {"paragraphs": _paragraphs, "sections": _sections, "plain": _plain_words}


def _stored(splitter: Splitter, files: dict[str, str]) -> list[Chunk]:
    return [
        Chunk(text=text, chunk_id=f"{name}-{number}", metadata={"source": name})
        for name, content in files.items()
        for number, text in enumerate(splitter(content), start=1)
    ]


def _split(folder: Path, files: dict[str, str], stored: list[Chunk]) -> list[Chunk]:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return read_knowledge_base(folder, split_as=stored)[0]


def _by_id(chunks: list[Chunk]) -> dict[str, str]:
    found = {chunk.chunk_id: chunk.text for chunk in chunks}
    assert len(found) == len(chunks)
    return found


def _differences(stored: list[Chunk], chunks: list[Chunk]) -> tuple[set[str], set[str], set[str]]:
    """Return the ids of the chunks that were removed, edited and added."""
    before, after = _by_id(stored), _by_id(chunks)
    edited = {name for name in before.keys() & after.keys() if fold(before[name]) != fold(after[name])}
    return before.keys() - after.keys(), edited, after.keys() - before.keys()


@pytest.mark.parametrize("kind", SPLITTERS)
def test_an_unchanged_folder_gives_the_stored_chunks(kind: str, tmp_path: Path) -> None:
    stored = _stored(SPLITTERS[kind], FILES)
    chunks = _split(tmp_path, FILES, stored)
    assert [(c.chunk_id, fold(c.text)) for c in chunks] == [(c.chunk_id, fold(c.text)) for c in stored]


@pytest.mark.parametrize("kind", SPLITTERS)
def test_an_edited_sentence_changes_its_own_chunks_only(kind: str, tmp_path: Path) -> None:
    stored = _stored(SPLITTERS[kind], FILES)
    files = {**FILES, "billing/plans.md": PLANS.replace("Team costs €19", "Team now costs €24")}
    removed, edited, added = _differences(stored, _split(tmp_path, files, stored))
    assert removed == {chunk.chunk_id for chunk in stored if "€19" in chunk.text}
    assert (edited, len(added)) == (set(), len(removed))


@pytest.mark.parametrize("kind", ["paragraphs", "plain"])
def test_a_removed_paragraph_is_the_only_one_missing(kind: str, tmp_path: Path) -> None:
    stored = _stored(SPLITTERS[kind], FILES)
    files = {**FILES, "billing/seats.md": SEATS.replace(SEATS.split("\n\n")[2] + "\n\n", "")}
    removed, edited, added = _differences(stored, _split(tmp_path, files, stored))
    assert (removed, edited, added) == ({"billing/seats.md-2"}, set(), set())


def test_an_added_paragraph_becomes_a_chunk_of_its_document(tmp_path: Path) -> None:
    stored = _stored(_paragraphs, FILES)
    new = "Guests of a workspace may read conversations in two shared inboxes at most."
    chunks = _split(tmp_path, {**FILES, "billing/seats.md": f"{SEATS}\n{new}\n"}, stored)
    (added,) = [chunk for chunk in chunks if chunk.text == new]
    assert added.metadata["document"] == "billing/seats.md"
    assert _differences(stored, chunks) == (set(), set(), {added.chunk_id})


@pytest.mark.parametrize("kind", SPLITTERS)
def test_a_renamed_file_changes_nothing(kind: str, tmp_path: Path) -> None:
    stored = _stored(SPLITTERS[kind], FILES)
    chunks = _split(tmp_path, {"billing/plans.md": PLANS, "people/seats-and-roles.md": SEATS}, stored)
    assert _differences(stored, chunks) == (set(), set(), set())


def test_a_footer_of_every_page_stays_in_each_of_them(tmp_path: Path) -> None:
    footer = "Still stuck? Write to the support team, and it answers within a day."
    files = {f"{name}.md": f"# {name}\n\nAbout {name} in a few words of its own.\n\n{footer}\n" for name in "abc"}
    stored = _stored(_paragraphs, files)
    chunks = _split(tmp_path, files, stored)
    assert [(c.chunk_id, c.text) for c in chunks] == [(c.chunk_id, c.text) for c in stored]


def test_a_folder_without_a_stored_chunk_is_split_at_its_headings(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\none\n\n# B\n\ntwo\n", encoding="utf-8")
    stored = [Chunk(text="Nothing in the folder says this, not even in other words.", chunk_id="x")]
    chunks, report = read_knowledge_base(tmp_path, split_as=stored)
    assert [chunk.chunk_id for chunk in chunks] == ["a.md#a", "a.md#b"]
    assert len(report.notes) == 1
