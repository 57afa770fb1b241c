"""A list of answers says what is wrong with each: its worst claim, and the words at fault on both sides."""

import pytest

from faithview import Chunk, Sample, Verdict
from faithview.domain.answer import AnswerFilter, AnswerRow, FaultyClaim, Order, View
from faithview.domain.claim import Mismatch, Severity
from faithview.store import answers, labels
from faithview.store.answers import with_unit
from faithview.store.database import Database
from tests.factories import make_claim, make_label, make_result, make_run, store_run

_ANSWER = "The lead can set 15 minutes. It is free. It is yearly."
_CHUNK = "The lead sets 5 minutes."


def _stored(db: Database) -> None:
    wrong = make_claim(
        "The lead can set 15 minutes.",
        Verdict.CONTRADICTED,
        answer=_ANSWER,
        severity=Severity.HIGH,
        mismatches=(Mismatch(17, 27, "c1", 14, 23), Mismatch(4, 8)),
    )
    invented = make_claim("It is free.", Verdict.NOT_MENTIONED, severity=Severity.LOW)
    samples = [
        Sample(answer=_ANSWER, key="bad", chunks=(Chunk(text=_CHUNK, chunk_id="c1"),)),
        Sample(answer="Fine.", key="good", chunks=(Chunk(text=_CHUNK, chunk_id="c1"),)),
    ]
    results = [make_result(invented, wrong), make_result(Verdict.SUPPORTED)]
    store_run(db, samples, results, run=make_run("r1"))


def _rows(db: Database, view: View = View.JUDGE) -> dict[str, AnswerRow]:
    page = answers.list_answers(db, "r1", AnswerFilter(), view=view, order=Order.FILE)
    return {row.key: row for row in page.rows}


def test_a_row_names_the_claim_with_the_most_expected_harm_and_its_words(db: Database) -> None:
    _stored(db)
    rows = _rows(db)
    assert rows["bad"].worst == FaultyClaim(
        number=2,
        verdict=Verdict.CONTRADICTED,
        text="The lead can set 15 minutes.",
        words=(("15 minutes", "5 minutes"), ("lead", "")),
    )
    assert rows["good"].worst is None
    assert rows["bad"].labelled == 0


def test_in_the_reviewed_view_peoples_verdicts_say_which_claim_is_the_worst(db: Database) -> None:
    _stored(db)
    labels.add_label(db, make_label(Verdict.SUPPORTED, 2, by="ann"), run_id="r1", position=1)
    reviewed, judged = _rows(db, View.REVIEWED)["bad"], _rows(db)["bad"]
    assert (reviewed.worst and reviewed.worst.number, judged.worst and judged.worst.number) == (1, 2)
    assert (judged.labelled, judged.worst and judged.worst.is_labelled) == (1, True)
    assert (reviewed.labelled, reviewed.worst and reviewed.worst.is_labelled) == (1, False)
    labels.add_label(db, make_label(None, 1, by="ann"), run_id="r1", position=1)  # not a claim
    assert _rows(db, View.REVIEWED)["bad"].worst is None


@pytest.mark.parametrize(
    ("text", "end", "words"),
    [
        ("15 minutes.", 2, "15 minutes"),
        ("15.", 2, "15"),
        ("15 (days)", 2, "15 days"),
        ("15-day", 2, "15"),
        ("15 20", 2, "15"),
        ("14.9 % a year", 6, "14.9 %"),
        ("no days", 2, "no"),
        ("", 0, ""),
    ],
)
def test_a_bare_number_is_told_with_its_unit(text: str, end: int, words: str) -> None:
    assert with_unit(text, 0, end) == words
