"""The overview says whose score it shows, and shows no corrected score that a handful of labels leaves open."""

import pytest

from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.reports.run_report import report_run
from faithview.services.review import labels
from faithview.services.review.corrected_score import correct_run, correct_runs
from faithview.services.review.labels import LabelProvenance
from faithview.stats.corrected_score import CorrectedScore
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.store import spot_checks
from faithview.ui import navigation
from faithview.wording.corrected_score import NOT_CHECKED
from tests.factories import C, S, draw_check, make_rows, store_rows
from tests.ui.conftest import OpenPage, words_of

pytestmark = pytest.mark.process  # takes long

_CLAIMS = 300


def _run(services: Store) -> Run:
    """A run in which one claim of five is wrong and the judge sees every second one of those."""
    return store_rows(services, "r", make_rows((C if n % 10 == 0 else S,) for n in range(_CLAIMS)))


def _label(services: Store, check: int, number: int) -> None:
    """Label the first claims of the spot-check as they are."""
    for position in range(1, number + 1):
        place = spot_checks.get_item(services.db, check, position).place
        truth = C if place.row % 5 == 1 else S
        who = LabelProvenance(reviewer="ann", is_blind=True, spot_check_id=check)
        labels.label_claim(services, place.run_id, place.row, place.claim_number, truth, who)


def test_a_run_that_nobody_checked_says_so_until_people_have_labelled_a_spot_check(
    services: Store, open_page: OpenPage
) -> None:
    run = _run(services)
    assert NOT_CHECKED in words_of(open_page(navigation.OVERVIEW))
    assert NOT_CHECKED in report_run(services, run.run_id)
    check = draw_check(services, run.run_id, size=200, name="October")
    assert "October* has no labels yet" in words_of(open_page(navigation.OVERVIEW))
    _label(services, check, 8)
    text = words_of(open_page(navigation.OVERVIEW))
    assert "Judge only: 8 labels of *October* are too few" in text
    _label(services, check, spot_checks.get_queue_progress(services.db, check).items)
    text = words_of(open_page(navigation.OVERVIEW))
    assert "faithfulness corrected by reviewers, 0." in text
    assert "Checked by reviewers: " in text
    assert "Judge only" not in text
    assert NOT_CHECKED not in report_run(services, run.run_id)


def test_a_handful_of_labels_gives_no_corrected_number_anywhere(services: Store, open_page: OpenPage) -> None:
    run = _run(services)
    check = draw_check(services, run.run_id, size=8, name="October")
    _label(services, check, 8)
    correction = correct_run(services, run.run_id)
    assert correction is not None
    assert isinstance(correction.score, CorrectedScore)
    assert correction.score.corrected.half_width > HEADLINE_HALF_WIDTH
    assert correct_runs(services, [run.run_id]) == {run.run_id: None}
    number = f"{correction.score.corrected.score:.2f} ("
    for page in (navigation.OVERVIEW, navigation.TRENDS, navigation.ANSWERS):
        text = words_of(open_page(page, view="corrected", run=run.run_id))
        assert number not in text, page
    assert "Too few labels for a corrected score: 8 labels leave it between" in words_of(
        open_page(navigation.ANSWERS, view="corrected", run=run.run_id)
    ).replace("\\", "")
    assert "Corrected by a spot-check" not in report_run(services, run.run_id)
    assert "Too few labels for a corrected score" in report_run(services, run.run_id)
    check = draw_check(services, run.run_id, size=200, name="More")
    _label(services, check, spot_checks.get_queue_progress(services.db, check).items)
    score = correct_runs(services, [run.run_id])[run.run_id]
    assert score is not None
    assert score.corrected.half_width <= HEADLINE_HALF_WIDTH
    assert f"{score.corrected.score:.2f}" in words_of(open_page(navigation.OVERVIEW, view="corrected"))
