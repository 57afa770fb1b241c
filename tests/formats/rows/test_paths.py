"""Values that lie inside a cell, named by a path."""

import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.sample import Sample
from faithview.formats.read import detect, open_table
from faithview.formats.rows.cells import value_at
from faithview.formats.rows.mapping import parse_mapping
from tests.formats.made_files import as_delimited, as_jsonl, read_samples, texts

CELLS = {
    "outputs": {"documents": [{"text": "x"}, {"text": "y"}], "llm.model": "m"},
    "text": '{"a": [{"b": "in JSON"}]}',
    "printed": "{'a': ['in Python']}",
    "a.b": "own name",
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("outputs.documents.1.text", "y"),
        ("outputs.documents.*.text", ["x", "y"]),
        ("outputs.llm.model", "m"),
        ("text.a.0.b", "in JSON"),
        ("printed.a.0", "in Python"),
        ("a.b", "own name"),
        ("outputs.documents.7.text", None),
        ("outputs.documents.text", ["x", "y"]),
        ("outputs.documents.title", None),
        ("outputs.documents.*.title", None),
        ("nothing.here", None),
    ],
)
def test_a_path_leads_into_cells(path: str, value: object) -> None:
    assert value_at(CELLS, path) == value


@pytest.mark.parametrize("write", [as_jsonl, as_delimited])
def test_a_field_can_be_mapped_to_a_path_and_the_whole_column_is_kept(write: object) -> None:
    run = {"inputs": {"q": "How tall?"}, "outputs": {"steps": [{"say": "330 m"}], "docs": [{"text": "It is 330 m."}]}}
    table = open_table(write([run]), name="runs")  # type: ignore[operator]  # both take rows
    overrides = parse_mapping(
        ["question=inputs.q", "answer=outputs.steps.0.say", "contexts=outputs.docs"], columns=table.columns
    )
    (sample,) = read_samples(table, detect(table).mapping.override(overrides))
    assert isinstance(sample, Sample)
    assert (sample.question, sample.answer, texts(sample)) == ("How tall?", "330 m", ["It is 330 m."])
    assert set(sample.extra) == {"inputs", "outputs"}


def test_a_path_must_begin_with_a_column() -> None:
    with pytest.raises(InvalidInput, match=r"There is no column 'output\.text' for answer"):
        parse_mapping(["answer=output.text"], columns=["outputs"])
