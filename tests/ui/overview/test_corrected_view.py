"""The word *corrected* is over corrected figures only, on every page; elsewhere a place says what it shows instead."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from faithview.services.container import Store
from faithview.services.review.corrected_score import correct_score
from faithview.ui import navigation
from faithview.wording import numbers as fmt
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
    label_check(services, check, lambda item: C if (item.place.row - 1) % _MISTAKEN == 0 else S)


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
    assert "*third*: the judge's score is 0.10 higher than the corrected score: 0.90 against 0.80" in text


def test_compare_gives_the_corrected_difference_of_two_runs_that_have_one(checked: Store, open_page: OpenPage) -> None:
    texts = _texts(open_page(navigation.CHANGES, baseline="first", candidate="third"))
    assert any("corrected by spot-checks, the whole runs'" in text for text in texts)
    texts = _texts(open_page(navigation.CHANGES, baseline="first", candidate="second"))
    assert not any("corrected by spot-checks" in text for text in texts)


def test_labels_on_the_newest_run_alone_are_no_change(services: Store, open_page: OpenPage) -> None:
    for week, run_id in enumerate(("first", "second")):
        _store(services, run_id, week=week)
    for row in range(1, 61):
        say(services, "second", row, 1, "not_mentioned")
    assert "0.30 | :gray-badge[no significant change" in _head(open_page(navigation.OVERVIEW, view="reviewed"))
