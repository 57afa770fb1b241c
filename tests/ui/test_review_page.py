"""What reviewers do on Review is stored, and nobody writes who may not; the reader is a button for each label."""

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.review import disagreements, labels, queue
from faithview.services.review import spot_checks as review_spot_checks
from faithview.store import spot_checks
from tests.dashboard import ROOT
from tests.factories import add_judged_run, draw_check, label_check, say, two_claim_samples
from tests.ui.conftest import words_of

pytestmark = pytest.mark.usefixtures("reader_of_buttons")

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}


@pytest.fixture
def run(services: Store) -> Run:
    return add_judged_run(services, two_claim_samples(6), "first")


def _open(*, name: str | None = "Ada", **parameters: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if name is not None:
        app.session_state["reviewer.name"] = name
    app.switch_page("pages/review.py")  # before the first run, because Overview would show a claim with its verdict
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def _draw(services: Store, run: Run, *, is_blind: bool = True, people: int = 1) -> int:
    return draw_check(
        services, run.run_id, size=12, name="check", is_blind=is_blind, reviewers_per_item=people, by="Ada"
    )


def _press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def _labels(services: Store, run: Run) -> list[Label]:
    return [label for row in range(1, 7) for label in labels.claim_history(services, run.run_id, row)]


def _progress(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return str(bar.text)


def test_a_blind_label_is_stored_with_all_that_the_estimate_needs(services: Store, run: Run) -> None:
    check = _draw(services, run)
    app = _open(check=str(check))
    assert re.fullmatch(
        r"Claim 1 · 0 of 12 claims labelled · Labelling all 12 gives the score \S+( about \S+)? · Blind: .+",
        _progress(app),
    )
    app.text_input(key=f"queue.note.{queue.get_claim(services, check, 1, reviewer='Ada').item.item_id}").set_value(
        "Why"
    )
    _press(app, "reader.contradicted")
    (label,) = _labels(services, run)
    drawn = queue.get_claim(services, check, 1, reviewer="Ada").item
    assert (label.verdict, label.reviewer, label.spot_check_id) == (Verdict.CONTRADICTED, "Ada", check)
    assert (label.is_blind, label.note) == (True, "Why")
    assert label.inclusion_probability == drawn.inclusion_probability
    assert _progress(app).startswith("Claim 2 · 1 of 12 claims labelled")
    assert app.query_params["item"] in ("2", ["2"])


def test_nothing_of_the_judge_is_drawn_before_the_label_and_the_claim_is_labelled_once(
    services: Store, run: Run
) -> None:
    check = _draw(services, run)
    app = _open(check=str(check))
    judged = disagreements.get_labelled_claim(services, queue.get_claim(services, check, 1, reviewer="x").item.place)
    secrets = [judged.judged.explanation, str(judged.judged.confidence), f"'verdict': '{judged.judged.verdict}'"]
    assert judged.judged.explanation
    for name in ("Ada", None):
        shown = words_of(_open(name=name, check=str(check)))
        assert judged.judged.text in shown
        assert not [secret for secret in secrets if secret in shown]
    _press(_press(app, "reader.contradicted"), "queue.previous")
    assert judged.judged.explanation in words_of(app)
    assert "You: :orange[:material/close: contradicted]" in words_of(app)
    assert app.button(key="reader.supported").disabled


def test_a_press_on_a_claim_that_is_not_on_screen_is_refused(services: Store, run: Run) -> None:
    app = _press(_open(check=str(_draw(services, run))), "reader.late")
    assert "was not on screen yet" in words_of(app)
    assert _labels(services, run) == []


def test_undo_takes_the_label_back_and_shows_its_claim_again(services: Store, run: Run) -> None:
    app = _open(check=str(_draw(services, run)))
    _press(_press(app, "reader.supported"), "queue.undo")
    assert [label.kind for label in _labels(services, run)] == [LabelKind.VERDICT, LabelKind.RETRACTION]
    assert _progress(app).startswith("Claim 1 ·")
    _press(app, "reader.supported")
    assert _labels(services, run)[-1].is_blind


def test_a_skipped_claim_comes_back_when_nothing_else_is_left(services: Store, run: Run) -> None:
    check = _draw(services, run, is_blind=False)
    app = _press(_open(check=str(check)), "queue.skip")
    for _ in range(11):
        _press(app, "reader.supported")
    assert _progress(app).startswith("Claim 1 · 11 of 12")
    _press(app, "reader.supported")
    assert spot_checks.get_queue_progress(services.db, check).done == 12
    assert "Reviewers and judge agree on" in words_of(app)
    assert not any("not labelled" in text.value for text in app.caption)
    _press(app, "queue.previous")
    assert _progress(app).startswith("Claim 12 ·")
    assert spot_checks.get_queue_progress(services.db, check).done == 12


def test_who_has_labelled_all_is_told_what_waits_for_others(services: Store, run: Run) -> None:
    app = _open(check=str(_draw(services, run, people=2)))
    for _ in range(12):
        _press(app, "reader.supported")
    assert "12 claims wait for another reviewer" in words_of(app)
    assert "agree on" not in words_of(app)


def test_a_disagreement_is_settled_by_somebody_else(services: Store, run: Run) -> None:
    for name, verdict in (("Ada", "supported"), ("Ben", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name, note=f"says {name}")
    assert _open(name="Ada", tab="disagreements").button(key="reader.supported").disabled
    app = _open(name="Cleo", tab="disagreements")
    assert all(words in words_of(app) for words in ("says Ada", "says Ben", "1 of 1 claim to settle"))
    _press(app, "reader.late")
    assert disagreements.list_disagreements(services)
    _press(app, "reader.contradicted")
    place = ClaimRef(run_id=run.run_id, row=2, claim_number=1)
    claim = disagreements.get_labelled_claim(services, place)
    assert (claim.effective.verdict, claim.effective.source) == (Verdict.CONTRADICTED, VerdictSource.ADJUDICATED)
    assert (claim.history[-1].reviewer, claim.history[-1].role) == ("Cleo", LabelRole.ADJUDICATOR)
    assert "There are no disagreements to settle." in words_of(app)


def test_a_settled_claim_is_not_settled_again(services: Store, run: Run) -> None:
    for name, verdict in (("Ada", "supported"), ("Ben", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name)
    app = _open(name="Cleo", tab="disagreements")
    disagreements.adjudicate(services, run.run_id, 2, 1, "supported", reviewer="Eve")
    _press(app, "reader.contradicted")
    place = ClaimRef(run_id=run.run_id, row=2, claim_number=1)
    assert disagreements.get_labelled_claim(services, place).history[-1].reviewer == "Eve"
    assert "already settled" in words_of(app)


def test_a_reader_without_a_name_sees_the_first_claim_and_is_asked_for_it(services: Store, run: Run) -> None:
    app = _open(name=None, check=str(_draw(services, run)))
    assert _progress(app).startswith("Claim 1 ·")
    assert app.button(key="reader.supported").disabled
    app.text_input(key="reviewer.field").set_value("  Ada   Lovelace ")
    (save,) = [button for button in app.button if button.label == "Save name" and "sidebar" not in str(button.form_id)]
    save.click().run()
    _press(app, "reader.supported")
    assert [label.reviewer for label in _labels(services, run)] == ["Ada Lovelace"]


def _log_in(app: AppTest, email: str) -> None:
    app.secrets["auth"] = _OIDC
    app.secrets["faithview"] = {"roles": {"admin": ["boss@example.com"], "reviewer": ["ada@example.com"]}}
    app.user = {"email": email, "is_logged_in": True}


def test_a_viewer_cannot_label_even_with_buttons_from_before(services: Store, run: Run) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    _log_in(app, "ada@example.com")
    app.run().switch_page("pages/review.py")
    app.query_params["check"] = str(_draw(services, run))
    app.run()
    _press(app, "reader.supported")
    assert [label.reviewer for label in _labels(services, run)] == ["ada@example.com"]
    _log_in(app, "visitor@example.com")
    _press(app, "reader.contradicted")
    assert len(_labels(services, run)) == 1
    assert any("does not let you label" in info.value for info in app.info)


@pytest.fixture
def long_run(services: Store) -> Run:
    return add_judged_run(services, two_claim_samples(150), "Docs w46")


def _start(app: AppTest) -> None:
    (start,) = [button for button in app.button if button.label == "Start"]
    start.click().run()
    assert not app.exception


def test_a_spot_check_takes_two_clicks(services: Store, long_run: Run) -> None:
    app = _open()
    sizes: Any = next(one for one in app.segmented_control if one.label == "How sure?")
    precise = review_spot_checks.labels_for(services, [long_run.run_id], 0.05)
    assert [re.sub(r" \(±0\.\d\d\)$", "", words) for words in sizes.options] == [
        "20 labels",
        "50 labels",
        f"{precise} labels",
    ]
    sizes.set_value(20)
    _start(app)
    check = spot_checks.list_spot_checks(services.db)[0]
    assert (check.design["size"], check.design["design"], check.is_blind) == (20, "random", True)
    assert re.fullmatch(r"Spot-check of Docs w46, \d\d? [A-Z][a-z]{2}", check.name)
    assert _progress(app).startswith("Claim 1 · 0 of 20 claims labelled")


def test_a_spot_check_is_assigned_as_it_is_drawn(services: Store, long_run: Run) -> None:
    app = _open()
    app.multiselect(key="new_check.reviewers").set_value(["Ada"])
    app.selectbox(key="new_check.design").set_value(review_spot_checks.Design.BALANCED)
    app.number_input(key="new_check.people").set_value(2)
    _start(app)
    (found,) = queue.list_queues(services, "Ada")
    assert (found.assigned, found.check.reviewers_per_item) == (("Ada",), 2)
    assert found.check.design["design"] == "balanced"


def test_finished_spot_checks_are_listed_and_show_the_judges_mistakes(services: Store, long_run: Run) -> None:
    check = draw_check(services, long_run.run_id, size=40, name="Done")
    label_check(services, check, lambda item: "contradicted" if item.position == 1 else "supported")
    (table,) = _open().dataframe
    assert table.value["name"].tolist() == ["Done"]
    assert table.value["labels"].tolist() == [40]
    assert re.fullmatch(r"0\.\d\d → 0\.\d\d \(0\.\d\d–\d\.\d\d\)", table.value["score"][0])
    app = _open(check=str(check))
    agreed = re.search(r"Reviewers and judge agree on (\d+) of 40 claims\.", words_of(app))
    assert agreed is not None
    (mistakes,) = app.dataframe
    assert len(mistakes.value) == 40 - int(agreed[1])
