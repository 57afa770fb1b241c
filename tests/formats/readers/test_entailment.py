"""RefChecker and RAGChecker: claims that were checked against several texts each."""

import json

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.formats.reading.values import verdict_over_texts
from faithview.formats.rows.cells import BadCell
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file

THREE = [
    ("supported", "The tower is 330 m tall"),
    ("contradicted", "The tower opened in 1887"),
    ("not_mentioned", "The tower has three lifts"),
]


@pytest.mark.parametrize(
    ("found", "verdict", "deciding"),
    [
        (["Neutral", "Entailment", "Contradiction"], Verdict.SUPPORTED, (1,)),
        (["Neutral", "Contradiction", "Contradiction"], Verdict.CONTRADICTED, (1, 2)),
        (["Neutral"], Verdict.NOT_MENTIONED, ()),
        ([], Verdict.NOT_MENTIONED, ()),
    ],
)
def test_one_text_that_entails_a_claim_supports_it(
    found: list[object], verdict: Verdict, deciding: tuple[int, ...]
) -> None:
    assert verdict_over_texts(found) == (verdict, deciding)


def test_an_unknown_word_is_no_verdict() -> None:
    with pytest.raises(BadCell, match="'Perhaps' is not a word for entailment"):
        verdict_over_texts(["Entailment", "Perhaps"])


def test_refchecker() -> None:
    read = read_file("refchecker.json")
    assert (read.detection.schema, read.claims[0]) == ("refchecker", THREE)
    assert texts(read.samples[0]) == ["The tower is 330 m tall.", "It opened in 1889."]
    assert [claim.supporting_chunk_ids for claim in read.results[0].claims] == [("1",), ("2",), ()]
    assert read.results[0].metrics == {"RefChecker faithfulness": 1 / 3}
    assert read.results[1].state is State.ABSTAINED
    strict = read_file("refchecker-strict.json")
    assert strict.claims[0] == [("supported", "The tower is 330 m tall."), ("contradicted", "It opened in 1887.")]
    assert strict.results[0].claims[0].spans != ()


def test_refcheckers_verdicts_must_be_as_many_as_its_claims() -> None:
    row = {**json.loads((FILES / "refchecker.json").read_text())[0], "ys": [["Entailment", "Neutral"]]}
    good = json.loads((FILES / "refchecker.json").read_text())[0]
    read = read_file(as_jsonl([good, row]))
    assert read.results[1].error == "The result cannot be read: there are 3 claims and 1 verdicts."


def test_ragchecker() -> None:
    read = read_file("ragchecker-0.1.9.json")
    assert (read.detection.schema, read.claims[0]) == ("ragchecker", THREE)
    result = read.results[0]
    # What RAGChecker itself counts from the same matrix.
    assert result.metrics["RAGChecker faithfulness"] == result.faithfulness == pytest.approx(1 / 3)
    assert [claim.supporting_chunk_ids for claim in result.claims] == [("000",), ("001",), ()]
    assert result.metrics["claim_recall"] == 1.0
    assert result.metrics["hallucination"] == pytest.approx(2 / 3)
    assert read.samples[0].reference == "It is 330 m tall and opened in 1889."
    assert {"retrieved2answer", "answer2response", "gt_answer_claims"} <= set(read.samples[0].extra)
    assert read.results[1].state is State.NO_CLAIMS


def test_answers_for_ragchecker_are_recognised_before_it_has_checked_them() -> None:
    row = {"query_id": "0", "query": "q", "gt_answer": "g", "response": "a"}
    row["retrieved_context"] = [{"doc_id": "7", "text": "c"}]  # type: ignore[assignment]  # JSON of any shape
    dataset = open_dataset(json.dumps({"results": [row]}).encode(), name="x")
    assert (dataset.detection.schema, dataset.detection.match.has_results) == ("ragchecker", False)
    (sample,), _ = dataset.read()
    assert [chunk.chunk_id for chunk in sample.chunks] == ["7"]


def test_claims_that_nobody_has_checked_are_no_abstention() -> None:
    good, other = json.loads((FILES / "refchecker.json").read_text())
    read = read_file(as_jsonl([good, {**good, "ys": []}, other]))
    assert read.results[1].error == "The result cannot be read: there are 3 claims and 0 verdicts."
    assert read.results[2].state is State.ABSTAINED


def test_a_column_that_is_named_holds_refcheckers_result() -> None:
    good = json.loads((FILES / "refchecker.json").read_text())[0]
    read = read_file(as_jsonl([{**good, "quality": 0.25}]), "score=quality")
    assert (read.results[0].faithfulness, read.results[0].claims) == (0.25, ())
