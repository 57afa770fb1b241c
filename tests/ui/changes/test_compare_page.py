"""The compare page opens from an address, warns of doubts, and follows people's decisions about pairs."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.comparison import PairRule
from faithview.domain.project import Role
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.series import move_run
from faithview.ui import identity, membership, navigation
from tests.factories import C, N, S, make_claim, make_row, say, store_rows
from tests.ui.conftest import OpenPage, words_of

OPEN = {"open": "The office opens at 9 am."}
LATER = {"open": "The office opens at 10 am."}
PARK = {"park": "Parking is free for all guests of the house."}
_RUNS = {"baseline": "old", "candidate": "new"}


def _store(services: Store, *, fingerprint: str = "lexical/1") -> None:
    old = [
        make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a"),
        make_row(PARK, make_claim("Parking is free.", S, "park"), question="Is parking free?", key="b"),
        make_row(PARK, make_claim("Guests park.", S, "park"), question="Who may park at the house, please?", key="c"),
    ]
    new = [
        make_row(LATER, make_claim("It opens at 9.", C, "open"), question="When does it open?", key="a"),
        make_row(PARK, make_claim("It is free.", S, "park"), question="Is parking free?", key="b"),
        make_row(PARK, make_claim("Guests park.", N), question="Who may park at the house?", key="z"),
    ]
    store_rows(services, "old", old)
    store_rows(services, "new", new, week=1, fingerprint=fingerprint)


def _drawn(app: AppTest, part: str) -> list[str]:
    """What the components are given that holds this."""
    data = [one.proto.mixed.json or one.proto.json for one in app.get("bidi_component")]
    return [one for one in data if part in one]


def test_the_page_says_what_it_needs_where_there_are_no_two_runs(open_page: OpenPage) -> None:
    assert "With two runs over the same questions" in words_of(open_page(navigation.CHANGES))


def test_the_address_opens_a_comparison_with_its_worst_answer(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    text = words_of(app)
    assert "Not statistically significant" in text
    assert "1 worse · 0 better · 1 unchanged" in text
    assert "1 only before, 1 only now" in text
    (view,) = _drawn(app, '"scroll_into_view_token"')
    assert json.loads(view)["payload"]["claims"][0]["effect"]["cause"] == "Evidence edited: broke"


def test_without_an_address_the_two_newest_runs_by_one_judge_are_compared(services: Store, open_page: OpenPage) -> None:
    _store(services)
    rows = [make_row(OPEN, make_claim("It opens at 9.", S, "open"), question="When does it open?", key="a")]
    store_rows(services, "other", rows, week=2, fingerprint="another judge")
    app = open_page(navigation.CHANGES)
    assert not app.warning
    assert [box.value for box in app.selectbox[:2]] == ["old", "new"]
    assert [title.value for title in app.title] == ["old vs\\. new"]
    assert "no change in this series is significant" in words_of(app)


def test_a_pair_across_two_series_opens_and_takes_the_switch_to_the_newer_run_s(
    services: Store, open_page: OpenPage
) -> None:
    _store(services)
    move_run(services, "new", "Other")
    app = open_page(navigation.CHANGES, **_RUNS)
    assert "1 worse" in words_of(app)
    assert app.sidebar.selectbox[0].value == "Other"


def test_runs_by_different_judges_are_compared_only_once_the_warning_is_accepted(
    services: Store, open_page: OpenPage
) -> None:
    _store(services, fingerprint="another judge")
    app = open_page(navigation.CHANGES, **_RUNS)
    assert "judged differently" in app.warning[0].value
    assert " worse ·" not in words_of(app)
    app.button(key="compare.acknowledge").click().run()
    assert not app.exception
    assert "judged differently" in app.warning[0].value
    assert "1 worse" in words_of(app)


@pytest.mark.parametrize(
    ("baseline", "said"), [("new", "cannot be compared with itself"), ("gone", "There is no run gone")]
)
def test_the_page_explains_why_runs_cannot_be_compared(
    services: Store, open_page: OpenPage, baseline: str, said: str
) -> None:
    _store(services)
    assert said in words_of(open_page(navigation.CHANGES, baseline=baseline, candidate="new"))


def test_the_reviewed_view_uses_peoples_verdicts(services: Store, open_page: OpenPage) -> None:
    _store(services)
    say(services, "new", 1, 1, "supported")
    text = words_of(open_page(navigation.CHANGES, view="reviewed", **_RUNS))
    assert "No answer's score changed" in text
    assert "Showing reviewers' verdicts" in text
    corrected = words_of(open_page(navigation.CHANGES, view="corrected", **_RUNS))
    assert "has no spot-check, so its score cannot be corrected" in corrected.replace("\\", "")
    assert "Showing reviewers' verdicts" in corrected  # what single answers show


def test_filters_of_the_address_apply_and_a_change_starts_the_list_again(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, changes="all", cause="evidence_edited.lost", **_RUNS)
    assert app.selectbox(key="compare.cause").value == "evidence_edited.lost"
    assert "1–1 of 1 answer" in words_of(app)
    app.selectbox(key="compare.cause").set_value(None).run()
    assert not app.exception
    assert "1–2 of 2 answers" in words_of(app)
    assert "cause" not in app.query_params


def test_a_choice_right_after_a_click_on_a_cause_keeps_the_cause(demo: Store, open_page: OpenPage) -> None:
    after, before, *_ = list_runs(demo)
    app = open_page(navigation.CHANGES, baseline=before.run_id, candidate=after.run_id, changes="all")
    segment = app.selectbox(key="compare.segment").options[0]
    app.query_params["cause"] = "evidence_edited.lost"  # what the click wrote; the page was not drawn again yet
    app.selectbox(key="compare.segment").set_value(segment).run()
    assert not app.exception
    assert (app.query_params["cause"], app.query_params["within"]) == ("evidence_edited.lost", segment)


def test_forged_addresses_fall_back(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, changes="x", cause="<b>", pair="1-99999999999", **_RUNS)
    assert "1–1 of 1 answer" in words_of(app)


def test_a_segment_that_these_runs_lack_is_no_filter(services: Store, open_page: OpenPage) -> None:
    _store(services)
    assert "1–1 of 1 answer" in words_of(open_page(navigation.CHANGES, within="nowhere", **_RUNS))


def test_causes_that_match_nothing_can_be_cleared(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, cause="evidence_edited.won", **_RUNS)
    assert "No changed answer matches" in words_of(app)
    app.button(key="compare.clear").click().run()
    assert "of 2 answers" in words_of(app)


def test_a_suggested_pair_is_confirmed_under_the_persons_name(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    assert app.button(key="compare.pair.3-3.yes").disabled
    app.session_state["reviewer.name"] = "ann"
    app.run()
    app.button(key="compare.pair.3-3.yes").click().run()
    assert not app.exception
    found = compare_runs(services, "old", "new")
    assert found.pairing.rules == {PairRule.KEY: 2, PairRule.CONFIRMED: 1}
    assert "2 worse" in words_of(app)


def test_a_pair_that_is_not_the_same_is_not_suggested_again(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    app.session_state["reviewer.name"] = "ann"
    app.run()
    app.button(key="compare.pair.3-3.no").click().run()
    assert "questions are similar" not in words_of(app)
    assert "1 answer only before" in words_of(app)


def test_people_who_cannot_label_pair_nothing(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    app.session_state["reviewer.name"] = "ann"
    app.run()
    # The role is taken away after the page was drawn: the click is refused where it is stored.
    monkeypatch.setattr(membership, "own_role", lambda: Role.VIEWER)
    app.button(key="compare.pair.3-3.yes").click().run()
    assert not app.exception
    assert identity.cannot_label() in words_of(app)
    assert PairRule.CONFIRMED not in compare_runs(services, "old", "new").pairing.rules


def test_swapping_compares_the_other_way_round(services: Store, open_page: OpenPage) -> None:
    _store(services)
    app = open_page(navigation.CHANGES, **_RUNS)
    app.button(key="compare.swap").click().run()
    assert app.query_params["baseline"] == "new"
    assert "0 worse · 1 better" in words_of(app)


def test_an_event_sets_the_runs_around_it(demo: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.CHANGES)
    events = app.selectbox(key="compare.event")
    assert len(events.options) >= 2
    oldest = len(events.options) - 1
    events.select_index(oldest).run()
    assert not app.exception
    assert "Faithfulness fell by" in words_of(app)
    assert "**Handovers**" in words_of(app)


def test_the_tables_hold_every_figure_behind_the_charts(demo: Store, open_page: OpenPage) -> None:
    from faithview.ui.changes.difference_charts import cause_rows, segment_rows

    runs = sorted(list_runs(demo), key=lambda run: run.as_of)
    found = compare_runs(demo, runs[0].run_id, runs[1].run_id)
    assert cause_rows(found)["total"].sum() == pytest.approx(found.difference.mean)
    assert segment_rows(found)["contribution"].sum() == pytest.approx(found.difference.mean)
    assert segment_rows(found)["segment"].iloc[0] == "Handovers"
