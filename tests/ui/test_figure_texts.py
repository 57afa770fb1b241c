"""What a figure means is one click away from it: the help beside it is about that figure."""

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.answer import View
from faithview.services.container import Store
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.reports.run_report import report_run
from faithview.ui import navigation
from faithview.wording.corrected_score import CORRECTED_HELP
from faithview.wording.figure_help import SCORE_HELP
from tests.factories import C, N, S, draw_check, label_check, make_rows, store_rows
from tests.ui.conftest import OpenPage


@pytest.fixture
def checked(services: Store) -> Store:
    """Two runs over the same questions; every claim of the second is labelled as the judge has it."""
    for week, run_id in enumerate(("old", "new")):
        rows = make_rows((C if n < 6 * week else N if n == 50 else S,) for n in range(60))
        store_rows(services, run_id, rows, week=week)
    check = draw_check(services, "new", size=60, name="October")
    label_check(services, check, lambda item: C if item.drawn.row <= 6 else S)
    return services


def _help(app: AppTest, words: str) -> str:
    """Return the help of the one text with these words."""
    assert not app.exception
    (found,) = {one.proto.help for one in app.markdown if words in str(one.value)}
    return str(found)


def test_the_corrected_figure_has_its_own_help(checked: Store, open_page: OpenPage) -> None:
    for view in View:
        words = "faithfulness corrected by reviewers" if view is View.CORRECTED else "Corrected by reviewers"
        assert _help(open_page(navigation.OVERVIEW, view=view), words) == CORRECTED_HELP
    assert _help(open_page(navigation.OVERVIEW, view=View.JUDGE), "faithfulness by the judge") == SCORE_HELP
    assert "n counts what was drawn and labelled" in CORRECTED_HELP
    assert "Claims that the judge missed" in CORRECTED_HELP


def test_the_overview_says_why_its_scores_differ_from_those_of_compare(checked: Store, open_page: OpenPage) -> None:
    help_text = _help(open_page(navigation.OVERVIEW, view=View.JUDGE), " since old")
    assert "*Changes* looks at the answers that both runs have" in help_text
    assert "Faithfulness is **" in help_text  # the whole finding, with p and n


def test_a_trend_s_figures_are_explained(checked: Store, open_page: OpenPage) -> None:
    assert "Would be noticed 80% of the time" in _help(open_page(navigation.TRENDS), "Faithfulness fell")


def test_the_counts_of_sources_are_explained(checked: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.WEAK_SPOTS, tab="sources", run="new")
    texts = [one.proto.help for one in app.markdown if "the verdicts of 24 claims" in one.proto.help]
    assert len(texts) == 1
    assert any("*Retrieved* chunks or documents are those" in caption.proto.help for caption in app.caption)


def test_a_finished_spot_check_explains_its_figures(checked: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.REVIEW, check="1")
    assert "plain counts" in _help(app, "Reviewers and judge agree on 59 of 60 claims.")
    assert _help(app, "corrected score **") == CORRECTED_HELP


def test_the_threshold_is_named_beside_every_count_of_faithful_answers(checked: Store, open_page: OpenPage) -> None:
    assert "53 of 60 answers faithful (threshold 0.80)" in "".join(
        str(one.value) for one in open_page(navigation.ANSWERS, run="new").markdown
    )
    captions = open_page(navigation.CHANGES, baseline="old", candidate="new").caption
    text = "".join(str(one.value) for one in captions)
    assert "6 no longer · 0 newly" in text
    assert "(threshold 0.80)" in text
    assert "judged answers are faithful (threshold 0.80)" in report_run(checked, "new")
    assert "newly (threshold 0.80; McNemar" in report_comparison(checked, "old", "new", view=View.JUDGE)


def test_a_report_gives_the_coverage(checked: Store) -> None:
    assert "Coverage 100% (60 of 60 answers)" in report_run(checked, "new")
