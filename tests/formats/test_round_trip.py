"""The same rows give the same samples, whatever file they come in."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import Label, LabelKind, LabelRole, second_thoughts, standing_labels
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Chunk, Sample
from faithview.formats.exporters import exporter_named
from faithview.formats.read import detect, open_table
from faithview.formats.reading.reader import Annotation
from faithview.services.exports import export_document
from tests.formats.made_files import WRITERS, as_json, as_jsonl, read, read_samples, texts, zipped
from tests.formats.readers.reading import read_file

HOSTILE = "<script>alert(1)</script> costs $5_000_ & 'x' \"y\"\nשלום עולם 👩‍👩‍👧 é e\u0301 \u2028 [1] {a}"
ROWS: list[dict[str, Any]] = [
    {
        "id": "q1",
        "question": HOSTILE,
        "answer": HOSTILE,
        "contexts": ["First chunk.", HOSTILE],
        "segment": "billing",
        "reference": "A reference",
        "timestamp": "2025-03-31T14:05:00+02:00",
        "model": "m-1",
    },
    {
        "id": "q2",
        "question": "How tall?",
        "answer": "330 m",
        "contexts": [],
        "segment": None,
        "reference": None,
        "timestamp": "2025-04-01T00:00:00Z",
        "model": "m-2",
    },
]


@pytest.mark.parametrize("is_zipped", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("file_format", WRITERS)
def test_every_format_gives_the_same_samples(file_format: str, is_zipped: bool) -> None:
    content = WRITERS[file_format](ROWS)
    samples, report = read(zipped(content) if is_zipped else content)
    assert samples == [
        Sample(
            key="q1",
            question=HOSTILE,
            answer=HOSTILE,
            chunks=(Chunk(text="First chunk."), Chunk(text=HOSTILE)),
            segment="billing",
            reference="A reference",
            timestamp=datetime(2025, 3, 31, 12, 5, tzinfo=UTC),
            extra={"model": "m-1"},
        ),
        Sample(
            key="q2",
            question="How tall?",
            answer="330 m",
            timestamp=datetime(2025, 4, 1, tzinfo=UTC),
            extra={"model": "m-2"},
        ),
    ]
    assert (report.rows, report.usable, report.problem_count, report.warnings) == (2, 2, 0, {})


@pytest.mark.parametrize("is_zipped", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("file_format", WRITERS)
def test_the_format_is_told_by_content_and_not_by_name(file_format: str, is_zipped: bool) -> None:
    content = WRITERS[file_format](ROWS)
    table = open_table(zipped(content) if is_zipped else content, name="answers.txt")
    assert table.format == file_format + (".gz" if is_zipped else "")
    assert set(table.columns) == set(ROWS[0])


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_bytes(as_jsonl(ROWS))
    table = open_table(path, name="answers.json")
    assert table.format == "jsonl"
    first, again = (list(read_samples(table, detect(table).mapping)) for _ in range(2))
    assert first == again
    assert len(first) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + as_jsonl(ROWS),
        as_jsonl(ROWS).decode().encode("utf-16"),
        as_jsonl(ROWS).replace(b"\n", b"\r\n"),
        as_jsonl(ROWS).replace(b"\n", b"\n\n"),
        as_jsonl(ROWS).rstrip(),
        b"\n  " + as_json(ROWS) + b"\n\n",
        json.dumps(ROWS).encode(),
        json.dumps({"data": ROWS}).encode(),
        json.dumps({"version": 1, "rows": ROWS, "columns": ["id"]}, indent=2).encode(),
        json.dumps({"meta": {"tool": "x"}, "results": ROWS}).encode(),
        json.dumps({"testRunData": {"testCases": ROWS}}).encode(),
        json.dumps({name: [row[name] for row in ROWS] for name in ROWS[0]}).encode(),
        json.dumps({name: {str(i): row[name] for i, row in enumerate(ROWS)} for name in ROWS[0]}).encode(),
        json.dumps({"columns": list(ROWS[0]), "index": [0, 1], "data": [list(row.values()) for row in ROWS]}).encode(),
    ],
    ids=[
        "BOM", "utf-16", "CRLF", "blank lines",
        "no last newline", "space around a list", "list on one line", "data", "rows", "results", "nested wrapper",
        "columns of lists", "columns of objects", "split",
    ],
)  # fmt: skip
def test_every_way_to_write_the_same_json_is_read_alike(content: bytes) -> None:
    assert read(content)[0] == read(as_jsonl(ROWS))[0]


def test_a_lone_object_is_one_row_and_not_a_wrapper() -> None:
    row = {"question": "q", "answer": "a", "contexts": [{"text": "c", "id": "kb-1"}]}
    for content in (json.dumps(row).encode(), json.dumps(row, indent=2).encode()):
        (sample,), _ = read(content)
        assert isinstance(sample, Sample)
        assert (sample.answer, [chunk.chunk_id for chunk in sample.chunks]) == ("a", ["kb-1"])


def test_an_item_larger_than_the_window_of_the_list_reader_is_read_whole() -> None:
    rows = [{"question": "q", "answer": "x" * 1_000_000, "contexts": [str(n)]} for n in range(3)]
    samples, _ = read(as_json(rows))
    assert [(len(sample.answer), texts(sample)) for sample in samples if isinstance(sample, Sample)] == [
        (1_000_000, [str(n)]) for n in range(3)
    ]


_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=40).filter(
    lambda text: not text.isspace()
)
_chunks = st.lists(st.builds(Chunk, text=_text), max_size=3).map(tuple)
_samples = st.lists(
    st.builds(
        Sample,
        answer=_text,
        chunks=_chunks,
        question=st.none() | _text,
        key=_text,
        segment=st.none() | _text,
        reference=st.none() | _text,
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda sample: sample.key,
)
_COLUMNS = ("key", "question", "answer", "contexts", "segment", "reference")


def _rows_of(samples: list[Sample]) -> list[dict[str, object]]:
    return [
        {
            "key": sample.key,
            "question": sample.question,
            "answer": sample.answer,
            "contexts": [chunk.text for chunk in sample.chunks],
            "segment": sample.segment,
            "reference": sample.reference,
        }
        for sample in samples
    ]


@given(_samples, st.sampled_from([",", ";", "\t"]))
def test_samples_written_as_csv_are_read_back_unchanged(samples: list[Sample], delimiter: str) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(_COLUMNS)
    for row in _rows_of(samples):
        writer.writerow([json.dumps(cell) if isinstance(cell, list) else cell for cell in row.values()])
    assert read(stream.getvalue().encode())[0] == samples


@given(_samples)
def test_samples_written_as_json_lines_are_read_back_unchanged(samples: list[Sample]) -> None:
    assert read(as_jsonl(_rows_of(samples)))[0] == samples
    assert read(as_json(_rows_of(samples)))[0] == samples


@given(_samples)
def test_samples_written_as_parquet_are_read_back_unchanged(samples: list[Sample]) -> None:
    fields = [(name, pyarrow.list_(pyarrow.string()) if name == "contexts" else pyarrow.string()) for name in _COLUMNS]
    stream = io.BytesIO()
    rows = pyarrow.Table.from_pylist(_rows_of(samples), schema=pyarrow.schema(fields))
    pyarrow.parquet.write_table(rows, stream)
    assert read(stream.getvalue())[0] == samples


_moments = st.integers(0, 10**9).map(lambda seconds: datetime.fromtimestamp(seconds, tz=UTC))
_labels = st.builds(
    Label,
    label_id=st.integers(1, 9),
    kind=st.just(LabelKind.VERDICT),
    reviewer=st.sampled_from(["ann", "bob"]),
    at=_moments,
    claim_number=st.just(1),
    verdict=st.sampled_from(Verdict),
    role=st.sampled_from(LabelRole),
    note=st.none() | _text,
    seconds=st.none() | st.floats(0, 1e6),
    is_blind=st.booleans(),
    spot_check_id=st.none() | st.integers(1, 3),
)
_claims = st.builds(
    Claim,
    text=_text,
    verdict=st.sampled_from(Verdict),
    confidence=st.none() | st.floats(0, 1),
    support_score=st.none() | st.floats(0, 1),
)
_counts = st.integers(0, 2**31 - 1)  # what the store can hold
_judged = st.builds(
    Result,
    state=st.just(State.JUDGED),
    judge=st.just("tool 1"),
    claims=_claims.map(lambda claim: (claim,)),
    answer_score=st.none() | st.floats(0, 1),
    usage=st.builds(
        Usage,
        llm_calls=_counts,
        cached_calls=_counts,
        prompt_tokens=_counts,
        cached_prompt_tokens=_counts,
        completion_tokens=_counts,
        cost_usd=st.none() | st.floats(0, 1e9),
    ),
    seconds=st.floats(0, 1e9),
)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@given(result=_judged, given_labels=st.lists(_labels, max_size=3, unique_by=lambda label: label.label_id))
def test_what_judging_cost_and_how_labels_were_given_come_back(
    tmp_path_factory: pytest.TempPathFactory, ending: str, result: Result, given_labels: list[Label]
) -> None:
    sample = Sample(answer="It is so.", key="a", chunks=(Chunk(text="It is so.", chunk_id="c"),))
    detail = AnswerDetail(run_id="r", position=1, sample=sample, result=result, claim_ids=("r-1-1",))
    path = tmp_path_factory.mktemp("export") / f"run.{ending}"
    exporter_named(ending).write([export_document(detail, given_labels)], path)
    read_back = read_file(path.read_bytes(), name=path.name)
    assert read_back.results[0] == result
    shown = (*standing_labels(given_labels), *second_thoughts(given_labels))
    kept = sorted(shown, key=lambda label: label.label_id)
    assert list(read_back.judged[0].annotations) == [
        Annotation(
            verdict=label.verdict,
            reviewer=label.reviewer,
            claim_number=1,
            note=label.note or "",
            at=label.at,
            role=label.role,
            is_blind=label.is_blind,
            seconds=label.seconds,
        )
        for label in kept
    ]
