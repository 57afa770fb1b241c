"""The word *corrected* is over corrected figures only, on every page; elsewhere a place says what it shows instead."""

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.answer import View
from faithview.services.container import Store
from faithview.services.results import get_summary
from faithview.services.review.corrected_score import correct_run, correct_score
from faithview.stats.corrected_score import CorrectedScore
from faithview.ui import navigation
from faithview.ui.overview.notices import judge_notices
from faithview.wording import numbers as fmt
from faithview.wording.slices import NO_CORRECTED_SLICE
from tests.factories import C, S, draw_check, label_check, make_rows, say, store_rows
from tests.ui.conftest import OpenPage

_CLAIMS, _DRAWN = 90, 80
_MISTAKEN = 5  # every fifth claim is wrong, and the judge sees every second one of those


def _store(services: Store, run_id: str, *, week: int) -> None:
    rows = make_rows((C if n % (2 * _MISTAKEN) == 0 else S,) for n in range(_CLAIMS))
    store_rows(services, run_id, rows, week=week, series="shop")


def _check(services: Store, run_id: str) -> None:
    """Label a spot-check of the run as its claims are."""
    check = draw_check(services, run_id, size=_DRAWN, name=run_id)
    label_check(services, check, lambda item: C if (item.drawn.row - 1) % _MISTAKEN == 0 else S)


@pytest.fixture
def checked(services: Store) -> Store:
    """Three runs of a series; people checked the judge on the first and on the last."""
    for week, run_id in enumerate(("first", "second", "third")):
        _store(services, run_id, week=week)
    _check(services, "first")
    _check(services, "third")
    return services


def _texts(app: AppTest) -> list[str]:
    return [str(one.value) for one in (*app.markdown, *app.caption, *app.info, *app.header)]


def _chip(app: AppTest) -> str:
    """Return the first figure of the page, which is that of its first line."""
    return next(text for text in _texts(app) if text.startswith("**0.") or text.startswith("**1."))


def _head(app: AppTest) -> str:
    """Return the number of the overview, its change, and what it is."""
    texts = [text.replace("\\", "") for text in _texts(app)]
    at = next(at for at, text in enumerate(texts) if re.fullmatch(r"[01]\.\d\d", text))
    return " | ".join(texts[at : at + 3])


def test_every_page_shows_the_corrected_score_in_the_corrected_view(checked: Store, open_page: OpenPage) -> None:
    corrected = correct_score(checked, "third")
    score = f"**{fmt.score(corrected)}** corrected"
    assert _head(open_page(navigation.OVERVIEW, view="corrected", series="shop")) == (
        f"{fmt.share(corrected.mean)} | :gray-badge[no significant change since first, the last corrected run] | "
        f":small[:gray[faithfulness corrected by reviewers, {fmt.interval(corrected)} on 80 labels]]"
    )
    assert _chip(open_page(navigation.TRENDS, view="corrected", series="shop")) == score
    assert _chip(open_page(navigation.ANSWERS, view="corrected", run="third")) == score


def test_a_page_without_a_corrected_score_names_the_reviewed_one(services: Store, open_page: OpenPage) -> None:
    for week, run_id in enumerate(("old", "new")):
        _store(services, run_id, week=week)
    say(services, "new", 2, 1, "contradicted")
    reviewed = f"**{fmt.score(get_summary(services, 'new', view=View.REVIEWED).score)}** reviewed"
    trends = open_page(navigation.TRENDS, view="corrected", series="shop")
    assert _chip(trends) == reviewed
    assert any(text.startswith("By the judge: ") for text in _texts(trends))
    assert _chip(open_page(navigation.ANSWERS, view="corrected", run="new")) == reviewed
    # The reviewed line has a gap, so the finding is the judge's, but the score is not.
    trends = open_page(navigation.TRENDS, view="reviewed", series="shop")
    assert _chip(trends) == reviewed
    assert any(text.startswith("By the judge: ") for text in _texts(trends))
    # Weak spots have no such view: reviewers' verdicts count there, and the page says so.
    assert any(
        "reviewers' verdicts" in text for text in _texts(open_page(navigation.WEAK_SPOTS, view="corrected", run="new"))
    )


def test_the_corrected_number_leads_and_a_judge_that_is_corrected_needs_attention(
    checked: Store, open_page: OpenPage
) -> None:
    app = open_page(navigation.OVERVIEW, series="shop")
    corrected = correct_score(checked, "third")
    assert _head(app) == (
        f"{fmt.share(corrected.mean)} | :gray-badge[no significant change since first, the last corrected run] | "
        f":small[:gray[faithfulness corrected by reviewers, {fmt.interval(corrected)} on 80 labels]]"
    )
    text = "\n".join(_texts(app))
    assert "*third*: the judge's score is 0.09 higher than the corrected score: 0.90 against 0.81" in text


def test_the_number_is_that_of_the_view_that_the_switch_shows(checked: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW, series="shop")
    (switch,) = [one for one in app.segmented_control if (one.key or "").startswith("view.switch")]
    assert switch.value == "corrected"
    assert "view" not in app.query_params
    switch.set_value("judge").run()
    judged = get_summary(checked, "third").score
    assert _head(app) == (
        f"{fmt.share(judged.mean)} | :gray-badge[no significant change since second] | "
        f":small[:gray[faithfulness by the judge, {fmt.interval(judged)} on 90 answers]]"
    )
    assert app.query_params["view"] == "judge"
    text = "\n".join(_texts(app))
    assert f"Corrected by reviewers {fmt.score(correct_score(checked, 'third'))}" in text
    # Other pages are not asked for a view that nobody has chosen.
    app = open_page(navigation.OVERVIEW, series="shop")
    app.switch_page(navigation.TRENDS).run()
    assert "view" not in app.query_params


def test_the_judge_needs_attention_only_beyond_half_of_the_interval(checked: Store) -> None:
    correction = correct_run(checked, "third")
    assert correction is not None
    assert isinstance(correction.score, CorrectedScore)
    run, half = get_summary(checked, "third").run, correction.score.corrected.half_width

    def said(judge: float) -> list[str]:
        score = replace(correction.score, judge=judge)
        return [notice.text for notice in judge_notices(run, replace(correction, score=score))]

    middle = correction.score.corrected.score
    assert said(middle + 0.99 * half) == said(middle - 0.99 * half) == []
    assert "higher than the corrected score" in said(middle + 1.01 * half)[0]
    assert "lower than the corrected score" in said(middle - 1.01 * half)[0]
    assert judge_notices(run, None) == []


def test_a_run_that_alone_has_labels_is_not_better_than_the_one_before(services: Store, open_page: OpenPage) -> None:
    for week, run_id in enumerate(("old", "new")):
        _store(services, run_id, week=week)
    for row in range(1, _CLAIMS + 1, 2 * _MISTAKEN):
        say(services, "new", row, 1, "supported")
    app = open_page(navigation.OVERVIEW, view="reviewed", series="shop")
    badge = next(one for one in app.markdown if "cannot be compared with old" in str(one.value))
    assert "because labels alone may make a difference: 9 claims of" in badge.proto.help
    assert "up by" not in badge.proto.help


def test_weak_spots_of_the_corrected_view_are_reviewed(checked: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW, view="corrected", series="shop")
    assert any(one.proto.help.startswith(NO_CORRECTED_SLICE) for one in app.markdown)


def test_compare_leads_with_the_corrected_scores_and_names_the_pairs_reviewed(
    checked: Store, open_page: OpenPage
) -> None:
    texts = _texts(open_page(navigation.CHANGES, view="corrected", baseline="first", candidate="third"))
    corrected = next(at for at, text in enumerate(texts) if "corrected by spot-checks, the whole runs'" in text)
    reviewed = next(at for at, text in enumerate(texts) if text.startswith("Reviewed: "))
    assert corrected < reviewed
    assert "Showing scores corrected" not in "\n".join(texts)
    texts = _texts(open_page(navigation.CHANGES, view="corrected", baseline="first", candidate="second"))
    assert any(text.startswith("**The corrected scores cannot be compared.** The candidate has no") for text in texts)
    assert any(text.startswith("Reviewed: **No finding:** the reviewed scores are") for text in texts)
    plain = "\n".join(texts).replace("\\", "")
    assert "0 claims of the candidate have labels, 80 of the baseline" in plain


def test_the_last_change_says_by_whom(services: Store, open_page: OpenPage) -> None:
    _store(services, "old", week=0)
    store_rows(services, "new", make_rows([(C,)] * _CLAIMS), week=1, series="shop")
    for run_id in ("old", "new"):
        say(services, run_id, 2, 1, "supported")
    assert "What changed last, by the judge" in _texts(open_page(navigation.OVERVIEW, view="corrected", series="shop"))
    # Both runs have a label on the same claim, so reviewers' verdicts can carry the finding.
    assert "What changed last" in _texts(open_page(navigation.OVERVIEW, view="reviewed", series="shop"))
    say(services, "new", 3, 1, "supported")
    assert "What changed last, by the judge" in _texts(open_page(navigation.OVERVIEW, view="reviewed", series="shop"))
    notes = _texts(open_page(navigation.TRENDS, view="reviewed", series="shop"))
    assert any("The runs are not labelled in the same way, and labels alone can make a step." in note for note in notes)
