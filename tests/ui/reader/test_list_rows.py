"""A row shows what is wrong, its score or its state's word, the question, and whether somebody has labelled it."""

from dataclasses import replace

import pytest

from faithview.domain.answer import AnswerRow, FaultyClaim
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.ui.reader.payload import LABELLED, fault_words, list_row


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


_WORST = FaultyClaim(
    number=2,
    verdict=Verdict.CONTRADICTED,
    text="The lead can set it between 15 minutes and 24 hours.",
    words=(("15 minutes", "5 minutes"),),
    is_labelled=True,
)


def test_a_judged_row_shows_what_is_wrong_score_and_question() -> None:
    assert [list_row(_row(worst=_WORST, labelled=2))] == [
        {
            "key": "r1",
            "score": "0.33",
            "state": "judged",
            "fault": {"verdict": "contradicted", "words": "15 minutes ≠ 5 minutes", "quoted": True},
            "counts": "2 supported, 1 contradicted",
            "title": "How?",
            "labelled": LABELLED,
            "is_labelled": True,
        }
    ]


def test_only_a_label_on_the_claim_that_a_row_names_fills_its_dot() -> None:
    other = replace(_WORST, is_labelled=False)
    rows = [
        list_row(row)
        for row in (_row(worst=other, labelled=1), _row(worst=other, labelled=2), _row(labelled=1), _row())
    ]
    assert [(row["labelled"], row["is_labelled"]) for row in rows] == [
        ("1 other claim labelled", False),
        ("2 other claims labelled", False),
        ("1 claim labelled", False),
        (None, False),
    ]


def test_a_row_without_a_faulty_claim_of_the_judge_says_how_many_claims_are_supported() -> None:
    supported, missed, none = map(list_row, (_row(claims={Verdict.SUPPORTED: 2}), _row(), _row(claims={})))
    assert supported["fault"] == {"verdict": "supported", "words": "all 2 claims are supported", "quoted": False}
    assert missed["fault"] == {"verdict": "contradicted", "words": "1 of 3 claims is not supported", "quoted": False}
    assert none["fault"] is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "It takes a day."),
        ((("a day", ""),), "a day"),
        ((("zero", ""), ("each", "")), "It takes a day."),  # one word says too little
        ((("a day", ""), ("4.8", "")), "a day … 4.8"),
        ((("day", ""), ("12 months", "90 days")), "12 months ≠ 90 days"),
        ((("x" * 61, "cannot"),), "It takes a day."),
    ],
)
def test_the_words_at_fault_are_told_where_they_say_enough(words: tuple[tuple[str, str], ...], told: str) -> None:
    assert (
        fault_words(FaultyClaim(number=1, verdict=Verdict.NOT_MENTIONED, text="It takes a day.", words=words)) == told
    )


@pytest.mark.parametrize(
    ("state", "word"),
    [(State.ABSTAINED, "abstained"), (State.FAILED, "failed"), (State.EMPTY_CONTEXT, "empty context")],
)
def test_a_row_that_does_not_enter_the_mean_shows_its_state_and_no_score(state: State, word: str) -> None:
    row = list_row(_row(state=state, faithfulness=None, claims={}))
    assert (row["score"], row["state"]) == (None, word)


def test_without_a_question_the_answers_beginning_stands_in() -> None:
    assert list_row(_row(question=None))["title"] == "So."
