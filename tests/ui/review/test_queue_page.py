"""What reviewers do on the pages is stored, and nobody writes who may not."""

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
from faithview.services.review.spot_checks import half_width_for
from faithview.store import spot_checks
from faithview.wording import numbers as fmt
from tests.dashboard import ROOT
from tests.factories import add_judged_run, draw_check, say, two_claim_samples

_OIDC = {"redirect_uri": "http://localhost/callback", "cookie_secret": "s", "client_id": "i", "client_secret": "s"}


@pytest.fixture
def run(services: Store) -> Run:
    run = add_judged_run(services, two_claim_samples(6), "first")
    return run


def _open(page: str, *, name: str | None = "Ada", **parameters: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if name is not None:
        app.session_state["reviewer.name"] = name
    app.switch_page(page)  # before the first run, because Overview would show a claim with its verdict
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def _draw(services: Store, run: Run, *, is_blind: bool = True, people: int = 1) -> int:
    return draw_check(
        services, run.run_id, size=12, name="check", is_blind=is_blind, reviewers_per_item=people, by="Ada"
    )


def _press(app: AppTest, ending: str) -> AppTest:
    (button,) = [b for b in app.button if b.key is not None and b.key.endswith(ending)]
    button.click().run()
    assert not app.exception
    return app


def _labels(services: Store, run: Run) -> list[Label]:
    return [label for row in range(1, 7) for label in labels.claim_history(services, run.run_id, row)]


def test_a_blind_label_is_stored_with_all_that_the_estimate_needs(services: Store, run: Run) -> None:
    check = _draw(services, run)
    app = _press(_open("pages/review.py", check=str(check)), ".contradicted")
    (label,) = _labels(services, run)
    drawn = queue.get_claim(services, check, 1, reviewer="Ada").item
    assert (label.verdict, label.reviewer, label.spot_check_id) == (Verdict.CONTRADICTED, "Ada", check)
    assert label.is_blind
    assert label.inclusion_probability == drawn.inclusion_probability
    assert label.seconds is not None
    assert 0 <= label.seconds < 60
    assert any("Claim 2 of 12." in progress.text for progress in app.get("progress"))


def _progress(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return str(bar.text)


def _texts(app: AppTest) -> str:
    return " ".join(text.value for text in app.markdown)


def test_the_judge_is_shown_after_the_label_and_a_change_of_mind_beside_it(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run)))
    assert "Judge:" not in _texts(app)
    _press(app, ".contradicted")
    assert "Judge:" not in _texts(app), "The next claim has no label yet."
    _press(app, ".back")
    assert "Judge:" in _texts(app)
    assert "after seeing the judge" not in _texts(app)
    _press(app, ".supported")
    shown = re.sub(r":\w+\[|:material/\w+: |\]", "", _texts(app))
    assert "You: blind: contradicted; after seeing the judge: supported" in shown
    first, second = _labels(services, run)
    assert (first.verdict, first.is_blind) == (Verdict.CONTRADICTED, True)
    assert (second.verdict, second.is_blind) == (Verdict.SUPPORTED, False)
    _press(app, ".undo")
    assert [label.kind for label in _labels(services, run)][2:] == [LabelKind.RETRACTION]


def test_undo_takes_the_label_back_and_shows_its_claim_again(services: Store, run: Run) -> None:
    check = _draw(services, run, is_blind=False)
    app = _press(_press(_open("pages/review.py", check=str(check)), ".supported"), ".undo")
    kinds = [label.kind for label in _labels(services, run)]
    assert kinds == [LabelKind.VERDICT, LabelKind.RETRACTION]
    assert any(button.key == f"queue.label.{check}.1.supported" for button in app.button)


def test_a_skipped_claim_comes_back_when_nothing_else_is_left(services: Store, run: Run) -> None:
    check = _draw(services, run, is_blind=False)
    app = _press(_open("pages/review.py", check=str(check)), ".skip")
    for _ in range(11):
        _press(app, ".supported")
    assert any("1 claim left: the one that you skipped." in text.value for text in app.markdown)
    _press(_press(app, "queue.take_up"), ".supported")
    assert spot_checks.get_queue_progress(services.db, check).done == 12
    assert "Reviewers and judge agree on" in _texts(app)


def test_a_disagreement_is_settled(services: Store, run: Run) -> None:
    for name, verdict in (("Ada", "supported"), ("Ben", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name, note=f"says {name}")
    place = ClaimRef(run_id=run.run_id, row=2, claim_number=1)
    assert disagreements.list_disagreements(services) == [place]
    app = _open("pages/review.py", name="Cleo")
    app.segmented_control(key="part").set_value("Disagreements").run()
    shown = " ".join(text.value for text in app.markdown)
    assert "says Ada" in shown
    assert "says Ben" in shown
    _press(app, ".contradicted")
    claim = disagreements.get_labelled_claim(services, place)
    assert (claim.effective.verdict, claim.effective.source) == (Verdict.CONTRADICTED, VerdictSource.ADJUDICATED)
    assert (claim.history[-1].reviewer, claim.history[-1].role) == ("Cleo", LabelRole.ADJUDICATOR)
    assert disagreements.list_disagreements(services, run.run_id) == []


def test_who_disagrees_cannot_settle_and_a_settled_claim_is_not_settled_again(services: Store, run: Run) -> None:
    for name, verdict in (("Ada", "supported"), ("Ben", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name)
    app = _open("pages/review.py", name="Ada")
    app.segmented_control(key="part").set_value("Disagreements").run()
    assert not [button.key for button in app.button if button.proto.shortcut], "A key would not pass by the label keys."
    buttons = [button for button in app.button if button.key and button.key.endswith(".supported")]
    assert [button.disabled for button in buttons] == [True]
    app = _open("pages/review.py", name="Cleo")
    app.segmented_control(key="part").set_value("Disagreements").run()
    disagreements.adjudicate(services, run.run_id, 2, 1, "supported", reviewer="Eve")
    _press(app, ".contradicted")
    place = ClaimRef(run_id=run.run_id, row=2, claim_number=1)
    assert disagreements.get_labelled_claim(services, place).history[-1].reviewer == "Eve"
    assert any("already settled" in warning.value for warning in app.warning)


def test_the_first_claim_is_there_before_the_name_and_its_label_asks_for_it(services: Store, run: Run) -> None:
    app = _open("pages/review.py", name=None, check=str(_draw(services, run)))
    assert _progress(app).startswith("Claim 1 of 12.")
    assert not [field for field in app.text_input if field.key == "first_label.name"]
    _press(app, ".not_mentioned")
    _press(app, ".contradicted")
    assert _labels(services, run) == []
    assert "contradicted" in next(text.value for text in app.markdown if "labelled by" in text.value)
    app.text_input(key="first_label.name").set_value("   ")
    _press_label(app, "Save the label")
    assert _labels(services, run) == []
    app.text_input(key="first_label.name").set_value("  Ada   Lovelace ")
    _press_label(app, "Save the label")
    (label,) = _labels(services, run)
    assert (label.reviewer, label.verdict, label.is_blind) == ("Ada Lovelace", Verdict.CONTRADICTED, True)
    assert label.seconds is None
    assert _progress(app).startswith("Claim 2 of 12.")
    assert not app.text_input(key="queue.note." + _mark(app)).value
    _press(app, ".supported")
    assert [label.reviewer for label in _labels(services, run)] == ["Ada Lovelace"] * 2


def _press_label(app: AppTest, words: str) -> AppTest:
    (button,) = [button for button in app.button if button.label == words]
    button.click().run()
    assert not app.exception
    return app


def _mark(app: AppTest) -> str:
    (key,) = [field.key for field in app.text_input if field.label == "Note"]
    return str(key).removeprefix("queue.note.")


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
    _press(app, ".supported")
    assert [label.reviewer for label in _labels(services, run)] == ["ada@example.com"]
    (again,) = [button for button in app.button if button.key and button.key.endswith(".contradicted")]
    _log_in(app, "visitor@example.com")
    again.click().run()
    assert not app.exception
    assert len(_labels(services, run)) == 1
    assert any("does not let you label" in info.value for info in app.info)


def _sizes(app: AppTest) -> Any:
    (sizes,) = [one for one in app.segmented_control if one.label == "How sure?"]
    return sizes


@pytest.fixture
def long_run(services: Store) -> Run:
    return add_judged_run(services, two_claim_samples(150), "Docs w46")


def test_a_spot_check_takes_two_clicks(services: Store, long_run: Run) -> None:
    app = _open("pages/review.py")
    sizes = _sizes(app)
    widths = {n: half_width_for(services, [long_run.run_id], n) for n in (20, 50)}
    precise = review_spot_checks.labels_for(services, [long_run.run_id], 0.05)
    assert sizes.options == [
        f"20 labels (usually within {fmt.plus_minus(widths[20] or 0)})",
        f"50 ({fmt.plus_minus(widths[50] or 0)})",
        f"{precise} (±0.05)",
    ]
    sizes.set_value(20)
    _press_label(app, "Start")
    check = spot_checks.list_spot_checks(services.db)[0]
    assert (check.design["size"], check.design["design"], check.is_blind) == (20, "random", True)
    assert re.fullmatch(r"Spot-check of Docs w46, \d\d? [A-Z][a-z]{2}", check.name)
    assert _progress(app).startswith("Claim 1 of 20. Labelling all 20 claims gives the score to about ")
    assert fmt.plus_minus(widths[20] or 0) in _progress(app)
