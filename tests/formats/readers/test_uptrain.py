"""UpTrain's checks: the facts in its explanation of factual accuracy, and its other scores."""

from faithview.domain.result import State
from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import read_file


def test_facts_are_claims_in_json_and_in_older_prose() -> None:
    read = read_file("uptrain.json")
    assert read.claims == [
        [
            ("supported", "The tower is 330 m tall."),
            ("not_mentioned", "The tower opened in 1887."),
            ("partially_supported", "The tower has three lifts."),
        ],
        [("supported", "The tower is 330 m tall."), ("not_mentioned", "It opened in 1887.")],
        [],
    ]
    assert read.results[0].claims[1].explanation == "The context says 1889."
    assert "The context says 1889." in read.results[1].claims[1].explanation
    assert read.results[0].metrics == {"context_relevance": 1.0, "UpTrain faithfulness": 0.5}
    assert (read.results[2].state, read.results[2].error) == (State.FAILED, "UpTrain could not score this answer.")
    assert texts(read.samples[2]) == ["The tower is 330 m tall."]


def test_an_explanation_that_cannot_be_read_leaves_the_score() -> None:
    row = {"question": "q", "context": "c", "response": "a", "score_factual_accuracy": 0.5}
    read = read_file(as_jsonl([{**row, "explanation_factual_accuracy": "Half of it."}]))
    assert (read.results[0].faithfulness, read.claims) == (0.5, [[]])
    assert read.results[0].warnings == (
        "UpTrain's facts cannot be read in its explanation, so only the score was used.",
    )


def test_a_fact_of_older_prose_never_gets_the_judgement_of_the_next_one() -> None:
    row = {"question": "q", "context": "c", "response": "It is blue. It is deep.", "score_factual_accuracy": 0.5}
    for unreadable in ("Judgement: maybe\n", ""):
        why = f"1. It is blue.\nBecause.\n{unreadable}2. It is deep.\nAs said.\nJudgement: yes.\n"
        (result,) = read_file(as_jsonl([{**row, "explanation_factual_accuracy": why}])).results
        assert (result.faithfulness, result.claims) == (0.5, ())
        assert result.warnings[0].startswith("The claims were left out because not all of them can be read (claim 1:")


def test_reasons_of_older_prose_may_be_numbered_and_many() -> None:
    row = {"question": "q", "context": "c", "response": "It is blue.", "score_factual_accuracy": 1}
    why = "1. It is blue.\n1. One reason.\n\nJudgement: no\n"
    assert read_file(as_jsonl([{**row, "explanation_factual_accuracy": why}])).claims == [
        [("not_mentioned", "It is blue.")]
    ]
    # Every start of a fact was once compared with all that follows it.
    many = "1. It is blue.\n" * 20_000
    assert read_file(as_jsonl([{**row, "explanation_factual_accuracy": many}])).claims == [[]]


def test_without_factual_accuracy_it_is_asked_which_score_is_meant() -> None:
    row = {"question": "q", "context": "c", "response": "a", "score_valid_response": 1.0}
    (question,) = open_dataset(as_jsonl([row]), name="x").detection.questions
    assert question.options == ("--map score=score_valid_response",)


def test_any_column_can_be_named_and_its_scale() -> None:
    row = {"question": "q", "context": "c", "response": "a", "score_valid_response": 1.0, "toxicity": 0.25, "stars": 2}
    said = [{"text": "a", "verdict": "supported"}]
    source = as_jsonl([{**row, "said": said}])
    for maps, faithfulness in (
        (["hallucination=toxicity"], 0.75),
        (["score=stars", "score_range=1-5"], 0.25),
        (["claims=said"], 1.0),
    ):
        assert read_file(source, *maps).results[0].faithfulness == faithfulness
