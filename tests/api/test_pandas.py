"""`to_pandas()`: the items of the JSON documents, one a row."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from faithview import ComparedRuns, Evaluation, Sample, Store, check, evaluate, open_store
from faithview.domain.errors import InvalidInput, NotFound

CHUNKS = ["Parking is free for guests.", "The office opens at 9 am on weekdays."]
RIGHT, WRONG = "Parking is free for guests.", "The office opens at 11 am on weekdays."


@pytest.fixture
def store(store_file: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{store_file}") as opened:
        yield opened


def run(store: Store, name: str, *answers: str) -> Evaluation:
    rows = [
        {
            "id": f"q{n}",
            "question": f"Question {n}?",
            "answer": answer or RIGHT,
            "contexts": CHUNKS if answer else [],
            "model": "m-1",
        }
        for n, answer in enumerate(answers, start=1)
    ]
    return evaluate(rows, store=store, name=name, judge="lexical")


def test_a_result_has_one_row_a_claim() -> None:
    result = check(answer=f"{RIGHT} {WRONG}", context=CHUNKS, question="What?", judge="lexical")
    frame = result.to_pandas()
    assert frame["verdict"].tolist() == ["supported", "contradicted"]
    assert frame["claim_number"].tolist() == [1, 2]
    assert frame["supporting_chunk_ids"].tolist() == [["1"], ["2"]]
    assert frame["answer_spans"].tolist() == [[[0, 27]], [[28, 66]]]
    assert frame["row"].isna().all()
    assert {*result.to_dict()["claims"][0]} < {*frame.columns}


def test_an_answer_without_claims_has_no_row() -> None:
    assert len(check(answer=RIGHT, context=[]).to_pandas()) == 0


def test_a_run_has_one_row_an_answer_or_a_claim(store: Store) -> None:
    evaluation = run(store, "one", RIGHT, f"{RIGHT} {WRONG}", "I do not know.")
    answers = evaluation.to_pandas()
    assert answers["extra.model"].tolist() == ["m-1"] * 3
    assert answers["faithfulness"].tolist()[:2] == [1.0, 0.5]
    assert answers["faithfulness"].isna().tolist() == [False, False, True]
    assert answers["is_faithful"].tolist()[:2] == [True, False]
    assert answers["claims.contradicted"].tolist() == [0, 1, 0]
    claims = evaluation.to_pandas(by="claim")
    assert claims["key"].tolist() == ["q1", "q2", "q2"]
    assert claims["claim_id"].notna().all()
    again = store.run("one")
    pd.testing.assert_frame_equal(again.to_pandas(), answers)
    pd.testing.assert_frame_equal(again.to_pandas(by="claim"), claims)


def test_runs_and_what_they_have_no_score_for(store: Store) -> None:
    assert len(store.runs().to_pandas()) == 0
    run(store, "one", RIGHT, WRONG, "I do not know.", "")
    run(store, "two", RIGHT)
    frame = store.runs().to_pandas()
    one = frame.set_index("name").loc["one"]
    assert (one["states.judged"], one["rows"], one["faithfulness"]) == (2, 4, 0.5)
    low, high = one["faithfulness_ci"]
    assert low < 0.5 < high
    # An abstention and an answer without chunks need no score.
    assert list(one["faithfulness_bounds"]) == [0.5, 0.5]
    assert [summary.run.name for summary in store.runs(limit=1)] == ["two"]
    assert repr(store.runs()) == "RunList(['two', 'one'])"


def test_two_runs_compared_by_answer_segment_and_cause(store: Store) -> None:
    run(store, "before", RIGHT, RIGHT, RIGHT)
    run(store, "after", RIGHT, WRONG, RIGHT)
    comparison = store.compare("before", "after")
    assert comparison.difference.mean == pytest.approx(-1 / 3)
    assert comparison.is_regression is False
    changes = comparison.to_pandas()
    assert changes[["key", "baseline", "candidate", "cause"]].values.tolist() == [["q2", 1.0, 0.0, "answer_rewritten"]]
    by_cause = comparison.to_pandas(by="cause")
    assert by_cause["delta"].sum() == pytest.approx(comparison.difference.mean)
    segments = comparison.to_pandas(by="segment")
    assert segments[["rows", "baseline"]].values.tolist() == [[3, 1.0]]
    run(store, "same", RIGHT, RIGHT, RIGHT)
    same = store.compare("before", "same")
    assert isinstance(same, ComparedRuns)
    assert len(same.to_pandas()) == 0


def test_what_is_not_there_is_said(store: Store) -> None:
    evaluation = evaluate([Sample.of(RIGHT, CHUNKS)], judge="lexical")
    with pytest.raises(InvalidInput, match="one row for each answer or claim, not for each 'word'"):
        evaluation.to_pandas(by="word")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(NotFound, match="There is no run 'nope'"):
        store.run("nope")
