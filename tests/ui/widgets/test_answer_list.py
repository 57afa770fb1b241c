"""A row shows its score or its state's word, its claims by verdict, and the question."""

from faithview.domain.answer import AnswerRow
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.ui.widgets.answer_list import build_rows


def _row(**given: object) -> AnswerRow:
    values: dict[str, object] = {
        "key": "r1",
        "position": 0,
        "question": "How?",
        "answer": "So.",
        "segment": "Inboxes",
        "state": State.JUDGED,
        "faithfulness": 1 / 3,
        "is_faithful": False,
        "claims": {Verdict.CONTRADICTED: 1, Verdict.SUPPORTED: 2, Verdict.NOT_MENTIONED: 0},
    }
    return AnswerRow(**(values | given))  # type: ignore[arg-type]  # the callers' own fields


def test_a_judged_row_shows_score_bar_question_and_segment() -> None:
    assert build_rows([_row()]) == [
        {
            "key": "r1",
            "score": "0.33",
            "state": "judged",
            "bar": [("supported", 2), ("contradicted", 1)],
            "bar_words": "2 supported, 1 contradicted",
            "title": "How?",
            "segment": "Inboxes",
        }
    ]


def test_a_row_that_does_not_enter_the_mean_shows_its_state_and_no_score() -> None:
    rows = build_rows(
        [
            _row(state=State.ABSTAINED, faithfulness=None, claims={}),
            _row(state=State.FAILED, faithfulness=None, claims={}),
            _row(state=State.EMPTY_CONTEXT, faithfulness=None, claims={}),
        ]
    )
    assert [(row["score"], row["state"]) for row in rows] == [
        (None, "abstained"),
        (None, "failed"),
        (None, "empty context"),
    ]


def test_without_a_question_the_answers_beginning_stands_in() -> None:
    assert build_rows([_row(question=None)])[0]["title"] == "So."


def test_rows_keep_the_order_given() -> None:
    assert [row["key"] for row in build_rows([_row(key="b"), _row(key="a")])] == ["b", "a"]
