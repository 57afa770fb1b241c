"""Ragas' results in every file that pandas writes, and its traces."""

import json

import pytest

from faithview.domain.result import State
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet", "-columns.json"])
def test_results_come_with_their_scores(ending: str) -> None:
    read = read_file(f"ragas-0.4{ending}")
    assert (read.detection.reader.name, read.judge) == ("ragas", "Ragas")
    assert [(result.state, result.faithfulness) for result in read.results] == [
        (State.JUDGED, 1.0),
        (State.JUDGED, 0.5),
        (State.FAILED, None),
    ]
    assert texts(read.samples[0]) == ["The tower is 330 m tall.", "It opened in 1889."]
    assert read.samples[1].reference == "330 m, 1889"
    assert read.results[2].error == "Ragas gave this answer no score."
    assert read.samples[0].extra["reference_contexts"] in (["330 m"], "['330 m']")


def test_columns_may_be_in_any_order() -> None:
    rows = [json.loads(line) for line in (FILES / "ragas-0.4.jsonl").read_text(encoding="utf-8").splitlines()]
    shuffled = "".join(json.dumps(dict(reversed(row.items()))) + "\n" for row in rows).encode()
    assert read_file(shuffled).results[1].faithfulness == 0.5


def test_traces_come_with_their_statements_and_reasons() -> None:
    read = read_file("ragas-0.4-traces.json")
    assert read.detection.reader.name == "ragas"
    assert read.claims == [
        [("supported", "The tower is 330 m tall.")],
        [("supported", "The tower is 330 m tall."), ("not_mentioned", "The tower opened in 1887.")],
        [],
    ]
    assert read.results[1].claims[1].explanation == "The context says 1889."
    assert read.results[2].error == "Ragas' trace of this answer ends before its statements were judged."
    assert read.samples[1].question == "Tell me about it."
    assert texts(read.samples[1]) == ["The tower is 330 m tall.\nIt opened in 1889."]
    assert "faithfulness" in read.samples[1].extra["trace"]  # type: ignore[operator]  # JSON of any shape


def test_the_score_of_the_metric_with_hhem_is_faithfulness() -> None:
    row = {"user_input": "q", "response": "a", "retrieved_contexts": ["c"], "faithfulness_with_hhem": 0.25}
    assert read_file(as_jsonl([row])).results[0].faithfulness == 0.25


def test_a_score_is_not_counted_from_a_part_of_the_statements() -> None:
    rows = [json.loads(line) for line in (FILES / "ragas-0.4.jsonl").read_text(encoding="utf-8").splitlines()]
    said = [{"statement": f"S{n}.", "reason": "", "verdict": verdict} for n, verdict in enumerate([1, "?", None])]
    prompts = {"n_l_i_statement_prompt": {"input": {}, "output": {"statements": said}}}
    read = read_file(as_jsonl([{**rows[1], "traces": {"faithfulness": prompts}}]))
    (result,) = read.results
    assert (result.faithfulness, result.claims, result.metrics.get("Ragas faithfulness")) == (0.5, (), None)
    assert "claim 2: the verdict '?' is not known" in result.warnings[0]
