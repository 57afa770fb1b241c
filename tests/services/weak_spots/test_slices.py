"""Where a stored run goes wrong: found from its rows, cached by revision, opened by id, under people's verdicts too."""

from dataclasses import replace

import pytest

from faithview import Result, Sample
from faithview.domain.answer import AnswerFilter, SliceKind, View
from faithview.domain.errors import NotFound
from faithview.services.container import Store
from faithview.services.reports.run_report import report_run
from faithview.services.weak_spots.slices import find_slices, open_slice
from faithview.store.answers import list_answers
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
        rows.append((replace(sample, segment=f"s{at % 4}"), result))
    return rows


@pytest.fixture
def stored(services: Store) -> Store:
    store_rows(services, "run", _rows(bad=range(14)))
    return services


def test_the_word_that_the_bad_answers_share_is_found(stored: Store) -> None:
    found = find_slices(stored, "run")
    assert (found.answers, found.questions, found.left_out) == (60, 60, {})
    assert [(low.definition.kind, low.definition.value) for low in found.slices] == [(SliceKind.QUESTION, "refund")]
    low = found.slices[0]
    assert low.positions == tuple(range(1, 16))
    assert low.mean == pytest.approx(8 / 15)
    assert low.elsewhere == 1
    assert low.p_value < 0.01
    assert find_slices(stored, "run").slices[0] is low  # cached


def test_the_label_of_a_labelled_file_is_not_found_as_a_weak_spot(services: Store) -> None:
    rows = [(replace(s, extra={"label": int(at >= 14)}), r) for at, (s, r) in enumerate(_rows(bad=range(14)))]
    store_rows(services, "run", rows)
    found = find_slices(services, "run")
    assert found.not_searched == ("label",)
    every = [d for low in found.slices for d in (low.definition, *low.same, *(part.definition for part in low.parts))]
    assert every
    assert not [definition for definition in every if definition.field == "label"]


def test_a_slice_opens_just_its_answers(stored: Store) -> None:
    definition = find_slices(stored, "run").slices[0].definition
    rows = open_slice(stored, "run", definition.slice_id)
    assert rows is not None
    page = list_answers(stored.db, "run", AnswerFilter(positions=rows.positions))
    assert page.total == 15
    assert {row.key for row in page.rows} == {f"r{at}" for at in range(15)}
    assert list_answers(stored.db, "run", AnswerFilter(positions=())).total == 0
    # More than a database takes as parameters of one statement.
    assert list_answers(stored.db, "run", AnswerFilter(positions=tuple(range(1, 70_000)), search="refund")).total == 15


def test_an_id_opens_a_slice_that_was_not_found_too_if_the_run_has_it(stored: Store) -> None:
    store_rows(stored, "clean", _rows(bad=range(0)), week=1)
    definition = find_slices(stored, "run").slices[0].definition
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
    assert "<strong>“refund” in the question</strong>: 0.53 against 1.00 elsewhere" in report_run(stored, "run")
    bare = report_run(stored, "run", with_texts=False)
    assert "refund" not in bare
    assert "<strong>A word of the texts</strong>: 0.53" in bare
