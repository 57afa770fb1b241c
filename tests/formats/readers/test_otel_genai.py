"""Span files of OpenTelemetry: answers with their chunks, and spans that cannot be read."""

import json

import pytest

from faithview.domain.errors import InvalidInput
from faithview.formats.files.report import RowProblem
from faithview.formats.read import detect, open_table
from tests.formats.made_files import read_samples, texts
from tests.formats.readers.reading import FILES, read_file

NAME = "otel-genai.jsonl"


def test_answers_are_found_in_spans_that_came_in_several_exports() -> None:
    detection = detect(open_table(FILES / NAME, name=NAME))
    assert detection.reader.name == "otel"
    samples = [item for item in read_samples(detection.table, detection.mapping) if not isinstance(item, RowProblem)]
    assert [(s.question, s.answer, texts(s)) for s in samples] == [
        ("How tall is the tower?", "It is 330 m tall.", ["The tower is 330 m tall."]),
        ("When did it open?", "It opened in 1887.", ["It opened in 1889."]),
    ]
    assert (samples[0].extra["service"], samples[0].extra["model"]) == ("our-app", "our-own-model")
    assert samples[0].timestamp is not None


def test_one_export_in_one_file_is_read_too_and_has_no_results() -> None:
    lines = [json.loads(line) for line in (FILES / NAME).read_text(encoding="utf-8").splitlines()]
    whole = {"resourceSpans": [group for line in lines for group in line["resourceSpans"]]}
    table = detect(open_table(json.dumps(whole, indent=1).encode(), name="x")).table
    assert len(list(table.rows())) == 2
    with pytest.raises(InvalidInput, match="judge the answers with `faithview evaluate`"):
        read_file(NAME)


def test_a_line_that_is_no_export_is_named_and_the_rest_is_read() -> None:
    content = (FILES / NAME).read_bytes() + b'{"resourceSpans": 7}\n'
    table = detect(open_table(content, name="x")).table
    rows = list(table.rows())
    (problem,) = [row for row in rows if isinstance(row, RowProblem)]
    assert (problem.line, problem.unit) == (5, "line")
    assert len(rows) == 3
