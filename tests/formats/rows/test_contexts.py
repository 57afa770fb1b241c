"""Every way in which the chunks of an answer can stand in cells."""

import json

import numpy as np
import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Chunk, Sample
from faithview.formats.files.report import ReadReport, RowProblem
from faithview.formats.read import detect, open_table
from faithview.formats.rows.contexts import AS_JSON, NOT_A_LIST, NUMPY_PRINT, ONE_CHUNK, ContextReader
from faithview.formats.rows.mapping import parse_mapping
from tests.formats.made_files import as_delimited, as_jsonl, read, read_one, read_samples, texts


def chunks_of(cell: object, *, ids: object = None, separator: str | None = None) -> tuple[Chunk, ...]:
    """Read one cell as a row's contexts; a warning fails the test."""
    return ContextReader(warn=pytest.fail, note=lambda text: None, separator=separator).read([cell], ids=ids)


@pytest.mark.parametrize(
    "cell",
    [
        ["a", "b"],
        ("a", "b"),
        np.array(["a", "b"], dtype=object),
        '["a", "b"]',
        "['a', 'b']",
        "('a', 'b')",
        ' ["a",\n "b"] ',
        "['a' 'b']",
        "['a'\n 'b']",
        [{"text": "a"}, {"text": "b"}],
        [{"content": "a"}, {"content": "b"}],
        [{"page_content": "a", "metadata": {}}, {"page_content": "b", "metadata": {}}],
        [{"passage": "a"}, {"context": "b"}],
        "[{'text': 'a'}, {'text': 'b'}]",
        ["a", None, "b", "", float("nan")],
        [["a"], ["b"]],
        {"documents": [["a", "b"]]},
        [{"node": {"text": "a"}}, {"document": {"content": "b"}}],
    ],
    ids=str,
)
def test_two_chunks_are_found_in(cell: object) -> None:
    assert [chunk.text for chunk in chunks_of(cell)] == ["a", "b"]


@pytest.mark.parametrize("cell", [None, "", "  ", [], "[]", "nan", "None", float("nan"), np.array([])], ids=repr)
def test_no_chunk_is_found_in(cell: object) -> None:
    assert chunks_of(cell) == ()


@pytest.mark.parametrize(
    "text",
    [
        "one\n\ntwo",
        "one | two",
        "[1] Paris is the capital of France.",
        "{name} is a placeholder",
        '"Quoted", he said.',
        "(a, b)",
        "42",
        '{"RestaurantsTakeOut": false}',
        '"Fees" "Refunds" "Opening hours"',
        '""Refunds"" are paid ""within 14 days"".',
        "'90s music' 'live'",
    ],
)
def test_a_plain_text_is_one_chunk_verbatim(text: str) -> None:
    assert [chunk.text for chunk in chunks_of(text)] == [text]


def test_a_separated_text_is_split_only_where_asked_for() -> None:
    rows = [{"question": "q", "answer": "a", "context": "one | two"}]
    (sample,), report = read(as_jsonl(rows))
    assert texts(sample) == ["one | two"]
    assert report.notes == [ONE_CHUNK]

    for name, cell, chunks in (
        ("|", "one | two", ["one", "two"]),
        ("blank", "one\n\ntwo\n\n\n\nthree", ["one", "two", "three"]),
        ("dashes", "one\n---\ntwo", ["one", "two"]),
    ):
        table = open_table(as_jsonl([{"answer": "a", "context": cell}]), name="x")
        overrides = parse_mapping([f"context_separator={name}"], columns=table.columns)
        (split,) = read_samples(table, detect(table).mapping.override(overrides))
        assert texts(split) == chunks


def test_the_text_of_a_numpy_array_is_not_run_together_and_the_reading_is_noted() -> None:
    (sample,), report = read(as_jsonl([{"answer": "a", "contexts": "['it''s' \"it's\"]"}, {"answer": "b"}][:1]))
    assert texts(sample) == ["it", "s", "it's"]
    assert report.notes == [NUMPY_PRINT]


@pytest.mark.parametrize("cell", ["['first', 'secon", r"['C:\x' 'y']"])
def test_a_broken_list_is_kept_as_one_chunk_and_reported(cell: str) -> None:
    (sample,), report = read(as_jsonl([{"answer": "a", "contexts": cell}]))
    assert texts(sample) == [cell]
    assert report.warnings == {NOT_A_LIST: 1}


def test_an_object_without_a_text_becomes_its_json_and_is_reported() -> None:
    (sample,), report = read(as_jsonl([{"answer": "a", "contexts": [{"hours": "9-5", "wifi": None}]}]))
    assert texts(sample) == ['{"hours": "9-5", "wifi": null}']
    assert report.warnings == {AS_JSON: 1}


def test_ids_scores_ranks_and_metadata_of_chunks_are_kept() -> None:
    sample = read_one(
        {
            "answer": "a",
            "contexts": [
                {"text": "x", "chunk_id": "kb-7", "score": 0.9, "rank": 2, "metadata": {"page": 3}, "lang": "en"},
                {"text": "y", "id": 12, "similarity": 1, "rank": 1},
            ],
        }
    )
    assert sample.chunks == (
        Chunk(text="x", chunk_id="kb-7", rank=2, score=0.9, metadata={"page": 3, "lang": "en"}),
        Chunk(text="y", chunk_id="12", rank=1, score=1.0),
    )


def test_a_distance_of_which_less_is_better_is_no_score() -> None:
    sample = read_one({"answer": "a", "contexts": [{"text": "x", "distance": 0.1, "metadata": {"page": 3}}]})
    assert sample.chunks == (Chunk(text="x", chunk_id="1", rank=1, metadata={"page": 3, "distance": 0.1}),)


def test_ranks_that_are_not_all_there_are_counted_anew() -> None:
    sample = read_one({"answer": "a", "contexts": [{"text": "x", "rank": 5}, {"text": "y"}, {"text": "z", "rank": 0}]})
    assert [chunk.rank for chunk in sample.chunks] == [1, 2, 3]


def test_the_source_of_a_langchain_document_is_its_id_and_stays_in_the_metadata() -> None:
    document = {"page_content": "x", "metadata": {"source": "faq.md", "seq": 1}}
    sample = read_one({"answer": "a", "contexts": [document, document]})
    assert [chunk.chunk_id for chunk in sample.chunks] == ["faq.md", "faq.md#2"]
    assert sample.chunks[1].metadata == {"source": "faq.md", "seq": 1}


def test_the_id_of_a_single_chunk_may_have_a_comma() -> None:
    assert [chunk.chunk_id for chunk in chunks_of(["x"], ids=" help, page 2 ")] == ["help, page 2"]


@pytest.mark.parametrize("ids", [["d1", "d2"], '["d1", "d2"]', "d1, d2", "['d1', 'd2']"], ids=str)
def test_a_column_of_ids_names_the_chunks(ids: object) -> None:
    sample = read_one({"answer": "a", "retrieved_contexts": ["x", "y"], "retrieved_context_ids": ids})
    assert [chunk.chunk_id for chunk in sample.chunks] == ["d1", "d2"]


def test_ids_keep_to_their_chunk_where_another_is_missing() -> None:
    assert [(c.text, c.chunk_id) for c in chunks_of(["x", None, "z"], ids=["1", "2", "3"])] == [("x", "1"), ("z", "3")]


def test_a_wrong_number_of_ids_refuses_the_row() -> None:
    (problem,), _ = read(as_jsonl([{"answer": "a", "contexts": ["x"], "context_ids": ["1", "2"]}]))
    assert str(problem) == "row 1: there are 2 context ids for 1 contexts"


def test_numbered_columns_are_chunks_in_the_order_of_their_numbers() -> None:
    row = {"answer": "a", **{f"context_{n}": f"chunk {n}" for n in (10, 2, 1)}, "chunk": None}
    table = open_table(as_delimited([row]), name="x.csv")
    assert detect(table).mapping.contexts == ("context_1", "context_2", "context_10")
    del row["chunk"]
    (sample,), _ = read(as_delimited([row]))
    assert texts(sample) == ["chunk 1", "chunk 2", "chunk 10"]


def test_an_empty_one_of_several_context_columns_is_no_chunk() -> None:
    (sample,), _ = read(as_delimited([{"answer": "a", "context 1": "x", "context 2": "", "context 3": "z"}]))
    assert texts(sample) == ["x", "z"]


def test_a_repeated_column_name_is_a_further_chunk() -> None:
    (sample,), _ = read(b"answer,context,context\na,x,y\n")
    assert texts(sample) == ["x", "y"]


def test_several_columns_can_be_named_as_contexts() -> None:
    table = open_table(as_delimited([{"answer": "a", "left": "x", "right": "y"}]), name="x.csv")
    overrides = parse_mapping(["contexts=right, left"], columns=table.columns)
    (sample,) = read_samples(table, detect(table).mapping.override(overrides))
    assert texts(sample) == ["y", "x"]


def test_a_row_without_chunks_is_kept() -> None:
    items, report = read(
        as_jsonl([{"answer": "a", "contexts": []}, {"answer": "b", "contexts": None}, {"answer": "c"}])
    )
    assert [texts(item) for item in items] == [[], [], []]
    assert (report.usable, report.problem_count) == (3, 0)


def test_a_file_without_any_contexts_is_refused_naming_its_columns() -> None:
    table = open_table(b"question,answer,notes\nq,a,n\n", name="x.csv")
    with pytest.raises(InvalidInput) as error:
        read_samples(table, detect(table).mapping)
    assert str(error.value) == (
        "Which column holds the retrieved chunks? The columns of x.csv are question, answer, notes."
    )


def test_a_list_of_python_too_long_to_parse_safely_is_one_chunk_and_reported() -> None:
    cell = "['" + "x" * 2_000_001 + "', 'y']"
    report = ReadReport()
    table = open_table(as_jsonl([{"answer": "a", "contexts": cell}]), name="x")
    (sample,) = read_samples(table, detect(table).mapping, report=report)
    assert texts(sample) == [cell]
    assert report.warnings == {NOT_A_LIST: 1}


@pytest.mark.parametrize("cell", ["[" * 100_000, "{" * 50_000, "(" * 50_000 + ")" * 50_000], ids=["[", "{", "()"])
def test_deep_nesting_does_not_crash_the_reader(cell: str) -> None:
    (sample,), _ = read(as_jsonl([{"answer": "a", "contexts": cell}]))
    assert texts(sample) == [cell]


def test_a_chunk_that_cannot_be_stored_refuses_its_row_only() -> None:
    rows = [
        {"answer": "a", "contexts": ["fine", "half \ud800"]},
        {"answer": "b", "contexts": [{"text": "x", "metadata": {"k": "n\x00l"}}]},
        {"answer": "c", "contexts": ["x"]},
    ]
    items, report = read("".join(json.dumps(row) + "\n" for row in rows).encode())
    assert [type(item) for item in items] == [RowProblem, RowProblem, Sample]
    assert "an incomplete character" in report.problems[0].reason
    assert "NUL" in report.problems[1].reason
