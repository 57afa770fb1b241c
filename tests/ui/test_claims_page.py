"""The page Claims offers the claims to check where its judges can have any, and says so where there are none."""

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from faithview import Sample, Verdict
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.services.container import Store
from faithview.store import labels
from faithview.ui import navigation
from tests.factories import make_claim, make_label, make_result, make_run, store_run
from tests.ui.conftest import OpenPage, words_of

_RESULT = make_result(
    make_claim("Links expire after 7 days.", Verdict.SUPPORTED, confidence=0.72),
    make_claim("Trays hold 50 members.", Verdict.NOT_MENTIONED, confidence=0.7),
)


def _store(services: Store, judge: str) -> None:
    run = make_run("r1", judge=JudgeSpec(name=judge), series="Inboxes", status=RunStatus.COMPLETE)
    store_run(services.db, [Sample(answer="So.", key="k")], [_RESULT], run=run)


def _tabs(app: AppTest) -> list[str]:
    return [option.content for group in app.get("button_group") for option in group.proto.options]


def _label_filter(app: AppTest) -> Multiselect[str]:
    """Open the filters of Answers, and return the one of label states."""
    app.session_state["inspect.filters"] = True
    app.run()
    (states,) = [widget for widget in app.multiselect if widget.label == "Labels"]
    return states


def test_claims_to_check_have_a_tab_until_people_settle_them(services: Store, open_page: OpenPage) -> None:
    _store(services, "embedded")
    assert _tabs(open_page(navigation.CLAIMS)) == ["Not fully supported 1", "To label 1", "Check this 1"]
    app = open_page(navigation.CLAIMS, labels="to_check")
    assert "Claims in 1 run of Inboxes" in words_of(app)
    assert "left to check" not in words_of(app)
    labels.add_labels(services.db, [("r1", 1, make_label(Verdict.SUPPORTED, 1))])
    assert _tabs(open_page(navigation.CLAIMS)) == ["Not fully supported 1", "To label 1"]
    app = open_page(navigation.CLAIMS, labels="to_check")
    assert _tabs(app)[-1] == "Check this 0"
    assert "No claim in these runs is left to check." in words_of(app)


def test_where_the_judge_has_none_nothing_offers_them(services: Store, open_page: OpenPage) -> None:
    _store(services, "lexical")
    assert _tabs(open_page(navigation.CLAIMS)) == ["Not fully supported 1", "To label 1"]
    app = open_page(navigation.CLAIMS, labels="to_check")
    assert "Only claims of `embedded` read *check this*." in words_of(app)
    states = _label_filter(open_page(navigation.ANSWERS, run="r1"))
    assert "check this" not in states.options
    app = open_page(navigation.ANSWERS, run="r1", label="to_check")
    states = _label_filter(app)
    assert states.value == ["to_check"]
    assert "No answer matches these filters." in words_of(app)


def test_answers_of_the_default_judge_and_of_a_cascade_can_be_filtered_by_claims_to_check(
    services: Store, open_page: OpenPage
) -> None:
    for judge in ("embedded", "cascade:openai:some-model"):
        assert JudgeSpec(name=judge).may_be_near_cut
    _store(services, "embedded")
    states = _label_filter(open_page(navigation.ANSWERS, run="r1"))
    assert "check this" in states.options
