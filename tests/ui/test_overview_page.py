"""The page Overview: the newest score and whose it is, the most harmful claims, the open work and the runs."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.alert import AlertKind
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.services import alerts
from faithview.services.container import Store
from faithview.services.results import archive_run, delete_run, list_runs
from faithview.services.review.corrected_score import correct_score
from faithview.ui import identity, navigation
from faithview.wording import numbers as fmt
from faithview.wording.corrected_score import NOT_CHECKED
from tests.factories import (
    C,
    N,
    S,
    draw_check,
    label_check,
    make_result,
    make_rows,
    make_run,
    say,
    store_rows,
    store_run,
)
from tests.ui.conftest import OpenPage, words_of

_CLAIMS, _DRAWN = 90, 80
_MISTAKEN = 5  # every fifth claim is wrong, and the judge sees every second one of those


@pytest.fixture
def ann(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has given a name and may write."""
    monkeypatch.setattr(identity, "current_reviewer", lambda: "ann")


def _store(services: Store, run_id: str, *, week: int) -> None:
    rows = make_rows((C if n % (2 * _MISTAKEN) == 0 else S,) for n in range(_CLAIMS))
    store_rows(services, run_id, rows, week=week, series="shop")


def _number(app: AppTest) -> str:
    """Return the large number, and what it is."""
    texts = [str(one.value).replace("\\", "") for one in app.markdown]
    at = next(at for at, text in enumerate(texts) if re.fullmatch(r"[01]\.\d\d", text))
    return " | ".join(texts[at : at + 2])


def _wrong(app: AppTest) -> list[str]:
    return list(app.dataframe[0].value["claim"]) if "claim" in app.dataframe[0].value else []


def _links(app: AppTest) -> list[str]:
    return [one.proto.label for one in app.get("page_link")]


@pytest.mark.process  # takes long
def test_the_corrected_score_leads_with_the_judge_s_beside_it(services: Store, open_page: OpenPage) -> None:
    _store(services, "first", week=0)
    _store(services, "second", week=1)
    assert _number(open_page(navigation.OVERVIEW)).startswith("0.90 | :small[:gray[faithfulness by the judge, 0.")
    assert NOT_CHECKED in words_of(open_page(navigation.OVERVIEW))
    check = draw_check(services, "second", size=_DRAWN, name="second")
    label_check(services, check, lambda item: C if (item.place.row - 1) % _MISTAKEN == 0 else S)
    corrected = correct_score(services, "second")
    app = open_page(navigation.OVERVIEW)
    assert _number(app) == (
        f"{fmt.share(corrected.mean)} | :small[:gray[faithfulness corrected by reviewers, "
        f"{fmt.interval(corrected)}, n 80]]"
    )
    assert "judge 0.90 (" in words_of(app).replace("\\", "")
    assert app.dataframe[1].value["corrected"].tolist()[0] == fmt.score(corrected)


def test_a_handful_of_labels_corrects_nothing(services: Store, open_page: OpenPage) -> None:
    _store(services, "first", week=0)
    label_check(services, draw_check(services, "first", size=8, name="October"), lambda _: S)
    app = open_page(navigation.OVERVIEW)
    assert "faithfulness by the judge" in _number(app)
    assert "Judge only: 8 labels of *October* do not correct the score yet" in words_of(app)


def test_labels_on_the_newest_run_alone_are_no_change(services: Store, open_page: OpenPage) -> None:
    _store(services, "first", week=0)
    _store(services, "second", week=1)
    for row in range(1, 61):
        say(services, "second", row, 1, "not_mentioned")
    text = words_of(open_page(navigation.OVERVIEW))
    assert "no significant change since first" in text
    assert "○\u00a060" in text  # reviewers' verdicts count for claims


def test_the_most_harmful_claims_are_listed_as_reviewers_have_them(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "r", make_rows([(S, N), (S, C), (C,), (S,)]))
    listed = _wrong(open_page(navigation.OVERVIEW))
    assert sorted(listed[:2]) == ["claim 2.2", "claim 3.1"]
    assert listed[2:] == ["claim 1.2"]
    say(services, "r", 3, 1, "supported")
    assert "claim 3.1" not in _wrong(open_page(navigation.OVERVIEW))


def test_a_run_whose_claims_are_supported_lists_none(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "r", make_rows([(S,), (S,)]))
    assert "The most harmful claims" not in words_of(open_page(navigation.OVERVIEW))


def test_the_demo_says_what_changed_last_and_why(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW)
    text = words_of(app)
    assert "**−0.08 on 19 October** after *Help centre 2026\\-10\\: articles on handovers added*" in text
    assert "88% of the loss is in **Handovers**" in text
    assert "**+0.08 on 2 November**" in text
    assert _links(app).count("Why") == 2


def test_a_fall_is_told_once_and_an_alert_can_be_marked_as_seen(demo: Store, open_page: OpenPage, ann: None) -> None:
    newest = list_runs(demo)
    for run in newest[:2]:
        delete_run(demo, run.run_id)
    text = words_of(open_page(navigation.OVERVIEW))
    assert text.count(":material/trending_down:") == 1
    assert "with the update of the knowledge base of 14 October and has not recovered." in text
    alerts.add_rule(demo, AlertKind.FELL, 0.1, segment="Handovers")
    alerts.evaluate_alerts(demo, newest[3])
    app = open_page(navigation.OVERVIEW)
    text = words_of(app)
    assert ":material/trending_down:" not in text
    assert "Alert: Faithfulness of Help centre" in text
    (alert,) = alerts.list_open_alerts(demo)
    app.button(key=f"overview.seen.{alert.alert_id}").click().run()
    assert not app.exception
    assert alerts.list_open_alerts(demo) == []


def test_an_unfinished_run_waits_and_a_coverage_stands_by_the_score(failed_run: str, open_page: OpenPage) -> None:
    app = open_page(navigation.OVERVIEW)
    assert "2 of 3 answers judged" in words_of(app)
    assert "Resume" in _links(app)
    assert "coverage 33%" in words_of(app).replace("\\", "")


def test_a_claim_on_which_reviewers_disagree_waits_to_be_settled(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "r", make_rows([(S,), (C,)]))
    assert "No open alerts" in words_of(open_page(navigation.OVERVIEW))
    say(services, "r", 1, 1, "supported", by="Ada")
    say(services, "r", 1, 1, "contradicted", by="Ben")
    app = open_page(navigation.OVERVIEW)
    assert "1 claim on which reviewers disagree" in words_of(app)
    assert "Settle" in _links(app)


def test_a_run_without_a_score_is_not_the_newest_score(services: Store, open_page: OpenPage) -> None:
    store_rows(services, "good", make_rows([(S,), (C,)]))
    run = make_run("bad", created_at=list_runs(services)[0].created_at)
    store_run(services.db, [Sample(answer="x", key="k")], [make_result(state=State.FAILED, error="down")], run=run)
    assert _number(open_page(navigation.OVERVIEW)).startswith("0.50")


def test_archived_runs_are_listed_apart(services: Store, open_page: OpenPage) -> None:
    _store(services, "first", week=0)
    _store(services, "second", week=1)
    archive_run(services, "first")
    app = open_page(navigation.OVERVIEW)
    assert [list(table.value["run"]) for table in app.dataframe[1:]] == [["second"], ["first"]]
