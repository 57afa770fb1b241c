"""Knowledge bases: read from any file, stored by version."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import StatementError

from faithview import Chunk, Sample, Verdict
from faithview.domain.errors import FaithViewError, InvalidInput, NotFound
from faithview.services.container import Store
from faithview.services.knowledge.versions import (
    delete_knowledge_base,
    find_knowledge_base,
    read_knowledge_base,
    save_knowledge_base,
)
from faithview.services.results import delete_run
from faithview.store.knowledge import list_knowledge_bases
from faithview.store.schema.comparison import KnowledgeBaseChunkRow
from faithview.store.schema.runs import ChunkRow
from tests.factories import HOSTILE, make_result, store_run

OPENING = "The office opens at 9 am."
PARKING = "Parking is free. It closes at 8 pm."
ROWS: list[dict[str, Any]] = [
    {"id": "a", "text": OPENING, "metadata": {"page": 1}, "title": "é"},
    {"id": "b", "text": PARKING},
]


def _texts(services: Store) -> set[str]:
    with services.db.read() as connection:
        return set(connection.execute(select(ChunkRow.text)).scalars())


def _stored_chunks(services: Store) -> list[tuple[int, str, str, object]]:
    """Return position, text, id and metadata of the chunks of every version, in the order of the file."""
    link = KnowledgeBaseChunkRow
    query = (
        select(link.position, ChunkRow.text, link.external_id, link.meta)
        .join(ChunkRow, ChunkRow.id == link.chunk_id)
        .order_by(link.version, link.position)
    )
    with services.db.read() as connection:
        return [(position, text, name, meta) for position, text, name, meta in connection.execute(query)]


def _write_csv(path: Path) -> None:
    rows = [{**row, "metadata": json.dumps(row["metadata"]) if "metadata" in row else ""} for row in ROWS]
    pd.DataFrame(rows).to_csv(path, index=False)


FORMATS: dict[str, Callable[[Path], object]] = {
    "jsonl": lambda path: path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8"),
    "jsonl.gz": lambda path: path.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in ROWS).encode())),
    "json": lambda path: path.write_text(json.dumps(ROWS), encoding="utf-8"),
    "csv": _write_csv,
    "parquet": lambda path: pd.DataFrame(ROWS).to_parquet(path),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_of_any_format_gives_the_same_chunks(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"kb.{kind}"
    FORMATS[kind](path)
    chunks, report = read_knowledge_base(path)
    assert [(chunk.chunk_id, chunk.text) for chunk in chunks] == [("a", OPENING), ("b", PARKING)]
    assert chunks[0].metadata == {"page": 1, "title": "é"}
    assert chunks[1].metadata == {}
    assert (report.usable, report.problem_count) == (2, 0)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"page_content": "x", "metadata": {"source": "s"}}, ("1", "x", {"source": "s"})),
        ({"Chunk ID": 7, "Content": "x", "lang": "en"}, ("7", "x", {"lang": "en"})),
        ({"_id": "k", "chunk": "x", "meta": "not json"}, ("k", "x", {"metadata": "not json"})),
        ({"text": "x", "document": "whole"}, ("1", "x", {"document": "whole"})),
    ],
    ids=str,
)
def test_columns_go_by_the_names_that_tools_give_them(
    row: dict[str, object], expected: tuple[str, str, object], tmp_path: Path
) -> None:
    path = tmp_path / "kb.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ((chunk,), _) = read_knowledge_base(path)
    assert (chunk.chunk_id, chunk.text, chunk.metadata) == expected


def test_a_bad_row_is_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "kb.jsonl"
    path.write_text('{"text": "good"}\n{"text": ["a", "b"]}\n{nonsense\n{"text": "", "id": "e"}\n', encoding="utf-8")
    chunks, report = read_knowledge_base(path)
    assert [chunk.text for chunk in chunks] == ["good"]
    assert [problem.line for problem in report.problems] == [2, 3, 4]
    assert str(report.problems[2]) == "line 4: no text"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "kb.jsonl",
            b'{"words": "x"}\n',
            "Rename it to 'text'. The columns are words",
        ),
        ("kb.jsonl", b'{"text": ""}\n{"text": null}\n', "No row of kb.jsonl can be used"),
        ("kb.pdf", b"%PDF-1.7", "PDF"),
        ("kb.csv", b"", "empty"),
    ],
)
def test_a_file_without_chunks_is_refused(name: str, content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FaithViewError, match=expected):
        read_knowledge_base(path)
    with pytest.raises(InvalidInput, match="There is no file"):
        read_knowledge_base(tmp_path / "missing.csv")


def test_a_version_is_kept_whole_with_every_text_as_it_is(services: Store) -> None:
    chunks = [
        Chunk(text=f"C {HOSTILE}", chunk_id=f"id {HOSTILE}", metadata={"u": HOSTILE, "n": [1, None]}),
        Chunk(text=OPENING, chunk_id="a"),
        Chunk(text=OPENING, chunk_id="a"),
    ]
    base = save_knowledge_base(services, "v1", chunks, source="kb.jsonl")
    assert list_knowledge_bases(services.db) == [base]
    assert (base.chunks, base.source) == (3, "kb.jsonl")
    assert _stored_chunks(services) == [
        (position, chunk.text, chunk.chunk_id, chunk.metadata) for position, chunk in enumerate(chunks, start=1)
    ]


def test_a_new_upload_replaces_a_version_and_leaves_what_others_use(services: Store) -> None:
    store_run(services.db, [Sample.of("a", [OPENING])], [make_result(Verdict.SUPPORTED)])
    save_knowledge_base(services, "v1", [Chunk(text=OPENING), Chunk(text=PARKING), Chunk(text="old")])
    save_knowledge_base(services, "v2", [Chunk(text=PARKING)])
    save_knowledge_base(services, "v1", [Chunk(text="new")])
    assert [(base.version, base.chunks) for base in list_knowledge_bases(services.db)] == [("v2", 1), ("v1", 1)]
    assert _texts(services) == {OPENING, PARKING, "new"}
    delete_knowledge_base(services, "v1")
    assert _texts(services) == {OPENING, PARKING}
    delete_run(services, "r1")
    assert _texts(services) == {PARKING}
    delete_knowledge_base(services, "v2")
    assert _texts(services) == set()


def test_a_failed_upload_changes_nothing(services: Store) -> None:
    base = save_knowledge_base(services, "v1", [Chunk(text=OPENING)])
    # NaN cannot be stored as JSON, and this chunk is far behind the first batch.
    chunks = [*(Chunk(text=f"c{n}") for n in range(1200)), Chunk(text="x", metadata={"score": float("nan")})]
    with pytest.raises((StatementError, ValueError), match="not JSON compliant"):
        save_knowledge_base(services, "v1", chunks)
    assert list_knowledge_bases(services.db) == [base]
    assert [text for _, text, _, _ in _stored_chunks(services)] == [OPENING]
    with services.db.read() as connection:
        assert connection.execute(select(func.count()).select_from(ChunkRow)).scalar_one() == 1


def test_an_unknown_version_is_never_taken_for_an_empty_one(services: Store) -> None:
    assert find_knowledge_base(services, "v9") is None
    assert find_knowledge_base(services, None) is None
    asking: list[Callable[[], object]] = [
        lambda: delete_knowledge_base(services, "v9"),
        lambda: delete_knowledge_base(services, "v\x00"),
    ]
    for ask in asking:
        with pytest.raises(NotFound, match="There is no knowledge base"):
            ask()


@pytest.mark.parametrize("version", ["", " ", "v" * 201, "a\x00"])
def test_a_version_that_cannot_be_used_is_refused(services: Store, version: str) -> None:
    with pytest.raises(InvalidInput, match="version"):
        save_knowledge_base(services, version, [Chunk(text="x")])
    with pytest.raises(InvalidInput, match="has no chunk"):
        save_knowledge_base(services, "v1", [])
    assert list_knowledge_bases(services.db) == []
