"""Would you conclude the same: on the compare page of two runs, on the trends page of all."""

from faithview.services.container import Store
from faithview.ui import navigation
from tests.factories import C, P, S, make_claim, make_row, store_rows
from tests.ui.conftest import OpenPage, words_of


def _store(services: Store, *, answers: int = 1) -> None:
    chunks = {"k": "Nine."}
    keys = [f"a{n}" for n in range(answers)]
    old = [make_row(chunks, make_claim("At 9.", S, "k"), make_claim("No.", C, "k"), key=key) for key in keys]
    new = [make_row(chunks, make_claim("At 9.", P, "k"), make_claim("No.", P, "k"), key=key) for key in keys]
    store_rows(services, "week <1>", old)
    store_rows(services, "week <2>", new, week=1)


def test_compare_says_under_which_definitions_the_candidate_is_worse(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, baseline="week <1>", candidate="week <2>")
    # One answer: no more than chance, so that another order under another definition is no news.
    assert "Not under every definition" not in words_of(app)
    app.session_state["compare.sensitivity"] = True
    app.run()
    # 0.5 against 0, 0.5 and 1.
    assert (
        "**Not under every definition:** *week \\<2\\>* is worse than *week \\<1\\>* under 12 of 36 definitions of the "
        "score; it is better where a partially supported claim counts 1; it is equal where a partially supported claim "
        "counts 0.5." in words_of(app)
    )


def test_trends_say_whether_the_ranking_of_the_runs_holds(services: Store, open_page: OpenPage) -> None:
    _store(services, answers=20)
    app = open_page(navigation.TRENDS)
    assert "are too close to rank: their order depends on how the score is defined." in words_of(app)


def test_runs_of_a_few_answers_are_not_ranked(services: Store, open_page: OpenPage) -> None:
    _store(services, answers=19)
    app = open_page(navigation.TRENDS)
    assert any(one.value.startswith("Too few answers to rank, fewer than 20: week") for one in app.caption)
    assert not [text for text in ("**Yes.**", "too close to rank") if text in words_of(app)]


def test_one_result_of_all_definitions_is_not_called_different(services: Store, open_page: OpenPage) -> None:
    rows = [make_row({"k": "Nine."}, make_claim("At 9.", S, "k"), key=f"a{n}") for n in range(20)]
    store_rows(services, "one", rows)
    store_rows(services, "two", rows, week=1)
    app = open_page(navigation.TRENDS)
    assert "**No difference.** The 2 runs score the same under all 36 definitions of the score." in words_of(app)
    assert "All 36 definitions of the score (the same result)" in [one.label for one in app.expander]


def test_one_run_alone_has_no_ranking(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "one", [make_row({"k": "Nine."}, make_claim("At 9.", S, "k"), key="a")])
    assert "Would you conclude the same?" not in [one.value for one in open_page(navigation.TRENDS).header]
