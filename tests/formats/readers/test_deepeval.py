"""DeepEval's run files: scores, claims out of its logs, reasons, errors; and its data sets."""

import json

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.formats.read import detect, open_table
from tests.formats.made_files import as_json, read_samples, texts
from tests.formats.readers.reading import FILES, read_file

RUNS = ["deepeval-4.3-test_run.json", "deepeval-4.3-latest_test_run.json"]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_comes_with_its_claims_reasons_and_errors(name: str) -> None:
    read = read_file(name)
    assert (read.detection.reader.title, read.judge) == ("DeepEval", "DeepEval (our-own-model)")
    assert [sample.key for sample in read.samples] == ["height", "opening", "boom"]
    assert texts(read.samples[0]) == ["The tower is 330 m tall.", "It opened in 1889."]
    assert read.claims == [
        [("supported", "The tower is 330 m tall.")],
        [],  # a claim has quotation marks, which DeepEval prints as they are, so the list is no JSON
        [],  # the log of the case that failed is that of the one before
    ]
    height, opening, boom = read.results
    assert (opening.faithfulness, opening.metrics) == (pytest.approx(2 / 3), {"Answer Relevancy": 1.0})
    assert "only its score was used" in opening.warnings[0]
    assert height.suggestions == ("DeepEval (our-own-model): The score is what it is because of the year.",)
    assert (boom.state, boom.error) == (State.FAILED, "RuntimeError: the model is down")


def test_nothing_of_a_case_is_lost() -> None:
    extra = read_file(RUNS[0]).samples[0].extra
    assert (extra["metadata"], extra["tags"], extra["comments"], extra["context"]) == (
        {"team": "north"},
        ["facts"],
        "easy",
        ["330 m"],
    )
    assert extra["metricsData"][0]["name"] == "Faithfulness"  # type: ignore[index,call-overload]  # JSON of any shape


def _run(metric: dict[str, object]) -> bytes:
    case = {"name": "a", "input": "q", "actualOutput": "A.", "retrievalContext": ["c"], "metricsData": [metric]}
    return json.dumps({"testCases": [case], "metricsScores": []}).encode()


def test_claims_come_with_their_verdicts_and_reasons() -> None:
    rulings = [{"verdict": "yes"}, {"reason": "The context says 1889.", "verdict": "no"}, {"verdict": "idk"}]
    texts = ["It is tall.", "It opened in 1887.", "It is loved."]
    logs = f"Claims:\n{json.dumps(texts, indent=4)} \n \nVerdicts:\n{json.dumps(rulings, indent=4)}"
    (result,) = read_file(_run({"name": "Faithfulness", "score": 2 / 3, "verboseLogs": logs})).results
    assert [(claim.text, claim.verdict, claim.explanation) for claim in result.claims] == [
        ("It is tall.", Verdict.SUPPORTED, ""),
        ("It opened in 1887.", Verdict.CONTRADICTED, "The context says 1889."),
        ("It is loved.", Verdict.NOT_MENTIONED, ""),
    ]
    # DeepEval counts what is not told as truthful: its own score is kept beside the one counted from its claims.
    assert (result.faithfulness, result.metrics) == (pytest.approx(1 / 3), {"DeepEval faithfulness": 2 / 3})


@pytest.mark.parametrize(
    "verdicts", ['[\n    {\n        "verdict": "yes"\n    }\n]', '[\n    {"verdict": "no", "reason": "It is "red".\n]']
)
def test_a_log_whose_claims_and_verdicts_do_not_fit_leaves_the_score_alone(verdicts: str) -> None:
    logs = f'Claims:\n[\n    "A.",\n    "B."\n] \n \nVerdicts:\n{verdicts}'
    (result,) = read_file(_run({"name": "Faithfulness", "score": 0.5, "verboseLogs": logs})).results
    assert (result.faithfulness, result.claims) == (0.5, ())
    assert "only its score was used" in result.warnings[0]


def test_hallucination_is_a_score_in_which_more_is_worse() -> None:
    (result,) = read_file(_run({"name": "Hallucination", "score": 0.25})).results
    assert result.faithfulness == 0.75


def test_a_metric_of_ones_own_is_taken_if_it_is_the_only_one() -> None:
    (result,) = read_file(_run({"name": "Groundedness [GEval]", "score": 0.5})).results
    assert result.faithfulness == 0.5


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_chunks_that_deepeval_joined_are_chunks_again(ending: str) -> None:
    detection = detect(open_table(FILES / f"deepeval-4.3-goldens.{ending}", name="x"))
    assert detection.reader.name == "deepeval"
    first, second = read_samples(detection.table, detection.mapping)
    assert texts(first) == ["The tower is 330 m tall.", "It opened in 1889."]
    assert texts(second) == ["It opened in 1889."]


def test_a_bar_in_a_list_of_chunks_splits_nothing() -> None:
    row = {"input": "q", "actual_output": "a", "retrieval_context": ["a | b"], "source_file": None,
           "tools_called": None, "expected_tools": None}  # fmt: skip
    detection = detect(open_table(as_json([row]), name="x"))
    (sample,) = read_samples(detection.table, detection.mapping)
    assert texts(sample) == ["a | b"]


def test_any_column_can_be_named_and_its_scale() -> None:
    row = {"input": "q", "actual_output": "A.", "retrieval_context": ["c"], "hallucination": 0.25, "stars": 2}
    source = as_json([{**row, "said": [{"text": "A.", "verdict": "supported"}]}])
    (question,) = detect(open_table(source, name="x")).questions
    assert question.options == ("--map hallucination=hallucination", "--map score=hallucination")
    for maps, faithfulness in (
        (["hallucination=hallucination"], 0.75),
        (["score=stars", "score_range=1-5"], 0.25),
        (["claims=said"], 1.0),
    ):
        assert read_file(source, *maps).results[0].faithfulness == faithfulness
