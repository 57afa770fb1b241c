"""open-rag-eval's input and results."""

import csv
import io

import pytest

from faithview.domain.result import State
from faithview.formats.read import detect, open_any
from tests.formats.made_files import as_delimited, read, texts
from tests.formats.readers.reading import FILES, read_file

INPUT, RESULTS = "open-rag-eval-input.csv", ["open-rag-eval-0.2.4.csv", "open-rag-eval-0.2.4.json"]


@pytest.mark.parametrize("name", RESULTS)
def test_parts_with_citations_are_claims_and_its_score_is_kept(name: str) -> None:
    found = read_file(name)
    assert (found.detection.schema, found.judge) == ("open-rag-eval", "open-rag-eval")
    assert [sample.key for sample in found.samples] == ["q1", "q2", "q2-2", "q3"]
    assert found.claims[:2] == [
        [("supported", "The tower is 330 m tall"), ("supported", "It has three levels")],
        [("not_mentioned", "It opened in 1887")],
    ]
    first = found.results[0]
    assert first.claims[1].supporting_chunk_ids == ("[2]",)
    assert all(claim.spans for claim in first.claims)
    assert first.metrics["open-rag-eval faithfulness"] == 0.98
    assert (first.metrics["mean_umbrela_score"], first.metrics["citation_f1_score"]) == (1.0, 0.75)
    assert texts(found.samples[0]) == ["The tower is 330 m tall.", "It has three levels."]
    assert found.samples[0].answer == "The tower is 330 m tall [1]. It has three levels [2]"


@pytest.mark.parametrize("name", RESULTS)
def test_parts_without_citations_leave_the_score_alone(name: str) -> None:
    found = read_file(name)
    assert (found.claims[2], found.results[2].faithfulness) == ([], 0.91)
    assert "1 of 2 parts" in found.results[2].warnings[0]
    assert found.results[3].state is State.FAILED


def test_no_attempt_to_answer_is_an_abstention_in_any_order_of_columns() -> None:
    lines = list(csv.DictReader(io.StringIO((FILES / RESULTS[0]).read_text(encoding="utf-8"), newline="")))
    lines[1]["run_1_generation_score_no_answer_score"] = '{"query_answered": "no"}'
    found = read_file(as_delimited([dict(reversed(line.items())) for line in lines]))
    at = [sample.key for sample in found.samples].index("q2")
    assert found.results[at].state is State.ABSTAINED


def test_the_input_has_a_passage_a_row() -> None:
    content = (FILES / INPUT).read_bytes()
    assert detect(open_any(content, name="x")).title == "open-rag-eval input"
    found, report = read(content)
    assert [texts(item) for item in found[:-1]] == [
        ["The tower is 330 m tall.", "It has three levels."],
        ["It opened in 1889."],
        ["It opened in 1889."],
        ["The firm of an engineer built it."],
    ]
    assert str(report.problems[0]) == "row 7: the system gave no answer (NO_ANSWER)"
