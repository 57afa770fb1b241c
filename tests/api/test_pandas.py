"""`to_pandas()`: the same columns and types for full and for empty results."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from faithview import ComparedRuns, Evaluation, Sample, Store, check, evaluate, open_store
from faithview.api import frames
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


def assert_columns(frame: pd.DataFrame, columns: tuple[frames.Column, ...]) -> None:
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {c.name: c.dtype for c in columns}


def test_a_result_has_one_row_a_claim() -> None:
    frame = check(answer=f"{RIGHT} {WRONG}", context=CHUNKS, question="What?", judge="lexical").to_pandas()
    assert_columns(frame, frames.CLAIM_COLUMNS)
    assert frame["verdict"].tolist() == ["supported", "contradicted"]
    assert frame["claim_number"].tolist() == [1, 2]
    assert frame["supporting_chunk_ids"].tolist() == [["1"], ["2"]]
    assert frame["answer_spans"].tolist() == [[(0, 27)], [(28, 66)]]
    assert frame["row"].isna().all()


def test_an_answer_without_claims_has_none_and_the_same_types() -> None:
    frame = check(answer=RIGHT, context=[]).to_pandas()
    assert len(frame) == 0
    assert_columns(frame, frames.CLAIM_COLUMNS)


def test_a_run_has_one_row_an_answer_or_a_claim(store: Store) -> None:
    evaluation = run(store, "one", RIGHT, f"{RIGHT} {WRONG}", "I do not know.")
    answers = evaluation.to_pandas()
    assert_columns(answers.drop(columns="extra.model"), frames.ANSWER_COLUMNS)
    assert answers["extra.model"].tolist() == ["m-1"] * 3
    assert answers["faithfulness"].tolist()[:2] == [1.0, 0.5]
    assert answers["faithfulness"].isna().tolist() == [False, False, True]
    assert answers["is_faithful"].tolist()[:2] == [True, False]
    assert answers["contradicted"].tolist() == [0, 1, 0]
    claims = evaluation.to_pandas(by="claim")
    assert_columns(claims, frames.CLAIM_COLUMNS)
    assert claims["key"].tolist() == ["q1", "q2", "q2"]
    assert claims["claim_id"].notna().all()
    again = store.run("one")
    pd.testing.assert_frame_equal(again.to_pandas(), answers)
    pd.testing.assert_frame_equal(again.to_pandas(by="claim"), claims)


def test_runs_and_what_they_have_no_score_for(store: Store) -> None:
    assert_columns(store.runs().to_pandas(), frames.RUN_COLUMNS)
    run(store, "one", RIGHT, WRONG, "I do not know.", "")
    run(store, "two", RIGHT)
    frame = store.runs().to_pandas()
    assert_columns(frame, frames.RUN_COLUMNS)
    one = frame.set_index("name").loc["one"]
    assert (one["judged"], one["rows"], one["left_out"], one["faithfulness"]) == (2, 4, 2, 0.5)
    assert one["unscored"] == 0  # an abstention and an answer without chunks need no score
    assert (one["if_unscored_0"], one["if_unscored_1"]) == (0.5, 0.5)
    assert [summary.run.name for summary in store.runs(limit=1)] == ["two"]
    assert repr(store.runs()[1:]) == "RunList(['one'])"


def test_two_runs_compared_by_answer_segment_and_cause(store: Store) -> None:
    run(store, "before", RIGHT, RIGHT, RIGHT)
    run(store, "after", RIGHT, WRONG, RIGHT)
    comparison = store.compare("before", "after")
    assert comparison.difference.mean == pytest.approx(-1 / 3)
    assert comparison.is_regression is False
    changes = comparison.to_pandas()
    assert_columns(changes, frames.CHANGE_COLUMNS)
    assert changes[["key", "baseline", "candidate", "difference"]].values.tolist() == [["q2", 1.0, 0.0, -1.0]]
    (causes,) = changes["causes"]
    assert causes[0]["cause"] == "answer_rewritten"
    by_cause = comparison.to_pandas(by="cause")
    assert_columns(by_cause, frames.CAUSE_COLUMNS)
    assert by_cause["total"].sum() == pytest.approx(comparison.difference.mean)
    assert_columns(comparison.to_pandas(by="segment"), frames.SEGMENT_COLUMNS)
    run(store, "same", RIGHT, RIGHT, RIGHT)
    same = store.compare("before", "same")
    assert isinstance(same, ComparedRuns)
    assert len(same.to_pandas()) == 0
    assert_columns(same.to_pandas(), frames.CHANGE_COLUMNS)
    assert_columns(same.to_pandas(by="cause"), frames.CAUSE_COLUMNS)


def test_what_is_not_there_is_said(store: Store) -> None:
    evaluation = evaluate([Sample.of(RIGHT, CHUNKS)], judge="lexical")
    with pytest.raises(InvalidInput, match="one row for each answer or claim, not for each 'word'"):
        evaluation.to_pandas(by="word")  # type: ignore[arg-type]  # what is tested
    with pytest.raises(NotFound, match="There is no run 'nope'"):
        store.run("nope")
