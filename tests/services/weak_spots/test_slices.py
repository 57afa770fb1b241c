"""Where a stored run goes wrong: found from its rows, cached by revision, opened by id, under people's verdicts too."""

from dataclasses import replace
from typing import Any

import pytest

from faithview import Result, Sample
from faithview.domain.answer import AnswerFilter, SliceKind, View
from faithview.domain.errors import NotFound
from faithview.services.container import Store
from faithview.services.reports.run_report import report_run
from faithview.services.weak_spots.slices import find_slices, group_answers, open_slice, rating_columns
from faithview.store.answers import list_answers
from faithview.store.slices import AnswerFact
from faithview.store.sources import Retrieved
from faithview.wording.slices import plain_slice
from tests.factories import C, S, make_claim, make_row, say, store_rows

_CHUNKS = {"a": "Refunds take 5 days.", "b": "Seats cost 9 euros."}


def _rows(*, bad: range) -> list[tuple[Sample, Result]]:
    rows = []
    for at in range(60):
        about = "refund" if at < 15 else "seat"
        verdict = C if at in bad else S
        sample, result = make_row(
            _CHUNKS,
            make_claim(f"Number {at} is right.", S, "a"),
            make_claim(f"It takes {at} days.", verdict, "a"),
            question=f"What of the {about} for customer {at}?",
            key=f"r{at}",
        )
        rows.append((replace(sample, segment=f"s{at % 4}", extra={"label": int(at not in bad)}), result))
    return rows


@pytest.fixture
def stored(services: Store) -> Store:
    store_rows(services, "run", _rows(bad=range(14)))
    return services


def test_the_word_that_the_bad_answers_share_is_found_and_not_their_label(stored: Store) -> None:
    found = find_slices(stored, "run")
    assert (found.answers, found.questions, found.left_out) == (60, 60, {})
    # Four segments and "refund"; "seat" is in three quarters of the questions, which is tested as well.
    assert found.tested == 6
    assert found.not_searched == ("label",)
    assert [(low.definition.kind, low.definition.value) for low in found.slices] == [(SliceKind.QUESTION, "refund")]
    low = found.slices[0]
    assert low.positions == tuple(range(1, 16))
    assert low.mean == low.figures.mean == pytest.approx(8 / 15)
    assert low.figures.elsewhere == 1
    assert low.figures.p_value < 0.01
    assert find_slices(stored, "run").slices[0] is low  # cached


def test_a_slice_opens_just_its_answers_found_or_not(stored: Store) -> None:
    definition = find_slices(stored, "run").slices[0].definition
    rows = open_slice(stored, "run", definition.slice_id)
    assert rows is not None
    page = list_answers(stored.db, "run", AnswerFilter(positions=rows.positions))
    assert {row.key for row in page.rows} == {f"r{at}" for at in range(15)}
    store_rows(stored, "clean", _rows(bad=range(0)), week=1)
    assert find_slices(stored, "clean").slices == ()
    rows = open_slice(stored, "clean", definition.slice_id)
    assert rows is not None
    assert (rows.positions, rows.mean) == (tuple(range(1, 16)), 1.0)
    assert open_slice(stored, "clean", "nothing") is None
    with pytest.raises(NotFound):
        find_slices(stored, "nobody")


def test_people_s_verdicts_count_in_the_reviewed_view_only(stored: Store) -> None:
    assert find_slices(stored, "run", view=View.REVIEWED).slices
    for row in range(1, 15):
        say(stored, "run", row, 2, "supported")
    assert find_slices(stored, "run", view=View.REVIEWED).slices == ()
    assert find_slices(stored, "run", view=View.CORRECTED).view is View.REVIEWED
    assert find_slices(stored, "run").slices


def test_the_report_names_slices_and_without_texts_no_word_of_them(stored: Store) -> None:
    text = report_run(stored, "run")
    assert "<strong>“refund” in the question</strong>: 0.53 against 1.00 elsewhere" in text
    assert "compared 6 slices of 60 answers" in text
    bare = report_run(stored, "run", with_texts=False)
    assert "refund" not in bare
    assert "<strong>A word of the questions</strong>: 0.53" in bare


def _answer(at: int, **changes: Any) -> AnswerFact:
    fields: dict[str, Any] = {
        "position": at + 1, "segment": None, "cluster": str(at), "faithfulness": 1.0, "question": None, "extra": {},
    }  # fmt: skip
    return AnswerFact(**{**fields, **changes})


def test_what_answers_have_in_common() -> None:
    answers = [
        _answer(
            at,
            segment="Billing" if at < 10 else "Other",
            question="How many refunds can I get for a refund, refunds?" if at < 10 else "Where are my settings kept?",
            extra={"plan": "Scale" if at < 10 else "Team", "tags": ["a"], "everywhere": 1},
        )
        for at in range(20)
    ]
    chunks = [Retrieved(at + 1, at, f"{at}", f"kb-{at}", {"title": f"T{at // 10}", "v": at // 10}) for at in range(25)]
    inside = {plain_slice(one): rows.tolist() for one, rows in group_answers(answers, chunks).items()}
    for words in (
        "Segment “Billing”",
        "“plan” is “Scale”",
        "“T0” was retrieved",
        "A chunk with “v” “0” was retrieved",
        "“refunds” in the question",
    ):
        assert inside[words] == list(range(10)), words
    assert not [words for words in inside if "tags" in words or "everywhere" in words or "T2" in words]


@pytest.mark.parametrize(
    ("column", "rates"),
    [("gold_label", True), ("judge score", True), ("faithfulness", True), ("lead_score", False), ("plan", False)],
)
def test_a_column_that_rates_the_answer_is_no_slice_and_is_named(column: str, rates: bool) -> None:
    answers = [_answer(at, extra={column: at % 2}) for at in range(20)]
    assert rating_columns(answers) == ((column,) if rates else ())
    assert bool(group_answers(answers, ())) is not rates
