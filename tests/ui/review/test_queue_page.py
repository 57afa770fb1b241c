"""What reviewers do on the pages is stored, and nobody writes who may not."""

import re
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import Label, LabelKind, LabelRole, VerdictSource
from faithview.domain.project import Role
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.review import disagreements, labels, queue
from faithview.services.review import spot_checks as review_spot_checks
from faithview.services.review.notes import add_note, read_thread
from faithview.services.review.queue import assign_check
from faithview.services.review.spot_check_result import foreseen_half_width, get_check_result
from faithview.stats.spot_check import Unit
from faithview.store import spot_checks
from faithview.ui import identity, membership
from faithview.ui.membership import role_of
from faithview.wording import numbers as fmt
from tests.dashboard import ROOT
from tests.factories import add_judged_run, draw_check, label_check, say, two_claim_samples

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
    drawn = queue.get_claim(services, check, 1, reviewer="Ada").item.drawn
    assert (label.verdict, label.reviewer, label.spot_check_id) == (Verdict.CONTRADICTED, "Ada", check)
    assert (label.is_blind, label.judge_seen) == (True, False)
    assert label.inclusion_probability == drawn.inclusion_probability
    assert label.seconds is not None
    assert 0 <= label.seconds < 60
    assert any("Claim 2 of 12." in progress.text for progress in app.get("progress"))


def _progress(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return str(bar.text)


def _texts(app: AppTest) -> str:
    return " ".join(text.value for text in app.markdown)


def test_a_change_of_mind_after_the_reveal_is_shown_beside_the_blind_label(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run)))
    assert app.button(key="queue.1.1.reveal").disabled, "The judge could be revealed before the label."
    _press(_press(app, ".contradicted"), ".back")
    assert "Judge:" not in _texts(app)
    _press(app, ".reveal")
    assert "Judge:" in _texts(app)
    assert "after seeing the judge" not in _texts(app)
    _press(app, ".supported")
    shown = re.sub(r":\w+\[|:material/\w+: |\]", "", _texts(app))
    assert "You: blind: contradicted; after seeing the judge: supported" in shown
    first, second = _labels(services, run)
    assert (first.verdict, first.is_blind) == (Verdict.CONTRADICTED, True)
    assert (second.verdict, second.is_blind, second.judge_seen) == (Verdict.SUPPORTED, False, True)
    _press(_press(app, ".undo"), ".undo")
    assert [label.kind for label in _labels(services, run)][2:] == [LabelKind.RETRACTION]
    assert any("given this label blind" in w.value or "gave this label blind" in w.value for w in app.warning)


def test_saying_the_same_twice_stores_it_once(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run)))
    _press(_press(_press(app, ".not_a_claim"), ".back"), ".not_a_claim")
    (label,) = _labels(services, run)
    assert label.kind is LabelKind.NOT_A_CLAIM


def test_at_the_end_the_judge_is_shown_beside_the_reviewer_s_labels(services: Store, run: Run) -> None:
    check = _draw(services, run)
    app = _open("pages/review.py", check=str(check))
    for _ in range(12):
        assert "Judge:" not in _texts(app)
        _press(app, ".supported")
    results = queue.list_results(services, check, reviewer="Ada")
    agreed = sum(result.agrees for result in results)
    assert 0 < agreed < 12
    assert f"Reviewers and judge agree on {agreed} of 12 claims" in _texts(app)
    assert f"The judge made {12 - agreed} mistakes" in _texts(app)
    (table,) = app.dataframe
    assert len(table.value) == 12 - agreed
    assert set(table.value["people"]) == {"✓ supported"}
    assert "✓ supported" not in set(table.value["judge"])
    _press(app, ".back")
    assert "Judge:" in _texts(app)


def test_who_is_done_before_others_reveals_the_judge_on_demand(services: Store, run: Run) -> None:
    check = _draw(services, run, people=2)
    app = _open("pages/review.py", check=str(check))
    for _ in range(12):
        _press(app, ".supported")
    assert "The judge's verdicts are hidden until you reveal them" in _texts(app)
    assert set(app.dataframe[0].value["judge"]) == {"hidden"}
    _press(app, ".reveal")
    assert "You and the judge agree on" in _texts(app)
    assert not [button for button in app.button if button.key and button.key.endswith(".reveal")]


def test_what_was_said_elsewhere_does_not_count_as_said_in_the_spot_check(services: Store, run: Run) -> None:
    first, second = (_draw(services, run, is_blind=False) for _ in range(2))
    _press(_open("pages/review.py", check=str(first)), ".supported")
    app = _press(_open("pages/review.py", check=str(second)), ".supported")
    assert [label.spot_check_id for label in _labels(services, run)] == [first, second]
    assert spot_checks.get_queue_progress(services.db, second).done == 1
    assert not [button for button in app.button if button.key == f"queue.label.{second}.1.supported"]


def test_the_note_goes_with_the_label_and_not_with_the_next(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run, is_blind=False)))
    (note,) = [field for field in app.text_input if field.label == "Note"]
    note.set_value("the chunk says 20").run()
    _press(_press(app, ".contradicted"), ".supported")
    assert [label.note for label in _labels(services, run)].count("the chunk says 20") == 1
    assert {label.note for label in _labels(services, run)} == {"the chunk says 20", None}


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


def test_every_button_names_its_key(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run)))
    words = {button.key.rpartition(".")[2]: button.label for button in app.button if button.key}
    keys = {name: label[-2] for name, label in words.items() if label.endswith(")")}
    assert keys == {
        "supported": "1",
        "partially_supported": "2",
        "not_mentioned": "3",
        "contradicted": "4",
        "not_a_claim": "5",
        "reveal": "R",
        "forward": "J",
        "back": "K",
        "skip": "S",
        "undo": "U",
    }
    assert not [button.key for button in app.button if button.proto.shortcut], "A key would not pass by the label keys."


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


def test_a_claim_is_labelled_where_it_is_read_and_the_label_can_be_taken_back(services: Store, run: Run) -> None:
    app = _open("pages/answers.py", run=run.run_id, row="r3", claim="2")
    _press(app, ".not_mentioned")
    (label,) = _labels(services, run)
    assert (label.verdict, label.claim_number, label.reviewer) == (Verdict.NOT_MENTIONED, 2, "Ada")
    assert any("reviewed by 1 reviewer" in text.value for text in app.markdown)
    (undo,) = [button for button in app.button if button.label == "Undo (U)"]
    undo.click().run()
    assert [label.kind for label in _labels(services, run)] == [LabelKind.VERDICT, LabelKind.RETRACTION]
    assert any("not labelled yet" in text.value for text in app.markdown)


def test_every_figure_says_whose_verdicts_it_shows(services: Store, run: Run) -> None:
    say(services, run.run_id, 1, 1, "not_mentioned", by="Ada")
    judged, reviewed = (
        " ".join(text.value for text in _open("pages/answers.py", run=run.run_id, view=view).markdown)
        for view in ("judge", "reviewed")
    )
    # The judge's verdicts are the default; other figures say what they show.
    assert "Showing reviewers' verdicts" in reviewed
    assert "Showing" not in judged
    assert judged != reviewed


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


def test_a_claim_seen_with_its_verdict_is_not_labelled_blind_by_its_first_label(services: Store, run: Run) -> None:
    check = _draw(services, run)
    drawn = spot_checks.list_items(services.db, check)[0]
    app = _open("pages/answers.py", name=None, run=run.run_id, row=drawn.key)
    app.switch_page("pages/review.py")
    app.query_params["check"] = str(check)
    app.run()
    _press(app, ".contradicted")
    app.text_input(key="first_label.name").set_value("Ada")
    _press_label(app, "Save the label")
    (label,) = _labels(services, run)
    assert (label.is_blind, label.judge_seen) == (False, True)


def test_a_disagreement_is_shown_and_settled_before_the_name_is_known(services: Store, run: Run) -> None:
    for name, verdict in (("Ada", "supported"), ("Ben", "contradicted")):
        say(services, run.run_id, 2, 1, verdict, by=name)
    app = _open("pages/review.py", name=None, part="Disagreements")
    assert any("1 of 1 claim to settle" in caption.value for caption in app.caption)
    _press(app, ".contradicted")
    app.text_input(key="first_label.name").set_value("Cleo")
    _press_label(app, "Save the label")
    place = ClaimRef(run_id=run.run_id, row=2, claim_number=1)
    claim = disagreements.get_labelled_claim(services, place)
    assert (claim.history[-1].reviewer, claim.history[-1].role) == ("Cleo", LabelRole.ADJUDICATOR)
    assert "Reviewing as Cleo" in [caption.value for caption in app.sidebar.caption]


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


def test_who_is_not_logged_in_is_asked_to_where_login_is_configured(services: Store, run: Run) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = _OIDC
    app.user = {"is_logged_in": False}
    app.session_state["reviewer.name"] = "Ada"  # a name that somebody claims does not count
    app.run().switch_page("pages/review.py")
    app.query_params["check"] = str(_draw(services, run))
    app.run()
    assert not app.exception
    assert not [button for button in app.button if button.key and ".label." in button.key]
    assert any(button.label == "Log in" for button in app.sidebar.button)


@pytest.mark.parametrize(
    ("email", "role"),
    [
        ("boss@example.com", Role.ADMIN),
        ("ADA@example.com", Role.REVIEWER),
        ("visitor@example.com", Role.VIEWER),
        ("a", Role.VIEWER),
    ],
)
def test_roles_are_given_by_address_and_everybody_else_looks(email: str, role: Role) -> None:
    roles = {"admin": ["boss@example.com"], "reviewer": ["ada@example.com"]}
    assert role_of(email, roles) is role


def test_a_role_that_is_no_list_gives_nobody_rights() -> None:
    assert role_of("a@example.com", {"admin": "a@example.com"}) is Role.VIEWER


def test_a_note_and_a_corrected_text_go_with_a_label_given_on_inspect(services: Store, run: Run) -> None:
    app = _open("pages/answers.py", run=run.run_id, row="r1", claim="1")
    for label, text in (("Note", "see kb-1"), ("Corrected text", "Inbox 1 holds 20 members.")):
        (field,) = [field for field in app.text_input if field.label == label]
        field.set_value(text).run()
    _press(app, ".contradicted")
    (label_,) = _labels(services, run)
    assert (label_.note, label_.corrected_text) == ("see kb-1", "Inbox 1 holds 20 members.")
    assert {field.value for field in app.text_input if field.label in ("Note", "Corrected text")} == {""}


def test_a_name_kept_by_the_browser_is_taken_only_if_it_can_be_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for kept, taken in (("Ann  Lee", "Ann Lee"), ("x" * 101, None), ("a\x00b", None), ("", None)):
        monkeypatch.setattr(membership, "remembered", lambda _name, kept=kept: kept)
        assert identity.current_reviewer() == taken


def test_the_queue_says_what_its_labels_will_give(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run, is_blind=False)))
    words = "Claim 1 of 12. Labelling all 12 claims gives the exact score."
    assert _progress(app) == words
    for _ in range(12):
        _press(app, ".supported")
    assert _progress(app) == "12 of 12 claims labelled."


def test_the_results_of_finished_spot_checks_are_one_table(services: Store, run: Run) -> None:
    check = _draw(services, run, is_blind=False)
    few = draw_check(services, run.run_id, size=2, name="two of them", seed=5, by="Ada")
    app = _open("pages/review.py", check=str(check))
    for _ in range(12):
        _press(app, ".supported")
    app = _open("pages/review.py", check=str(few))
    for _ in range(2):
        _press(app, ".contradicted")
    app = _open("pages/review.py")
    (table,) = app.dataframe
    newest, oldest = table.value.to_dict("records")
    agreed = get_check_result(services, check).agreed
    assert (oldest["name"], oldest["labels"], oldest["agree"]) == ("check", 12, f"{agreed} of 12")
    assert re.fullmatch(r"0\.\d\d → 1\.00 \(1\.00[–-]1\.00\)", oldest["score"])
    assert (newest["name"], newest["labels"]) == ("two of them", 2)
    assert "Reviewers and judge agree on" not in _texts(app)


def test_the_title_says_nothing_of_blindness_which_ends_with_the_last_label(services: Store, run: Run) -> None:
    app = _open("pages/review.py", check=str(_draw(services, run)))
    blind = "Blind: the judge is shown at the end."
    assert _progress(app).endswith(blind)
    assert "judge is shown" not in _texts(app)
    for _ in range(12):
        _press(app, ".supported")
    assert "lind" not in _progress(app) + _texts(app)
    assert "Reviewers and judge agree on" in _texts(app)


def test_a_queue_of_ones_own_comes_first_and_says_what_waits_for_others(services: Store, run: Run) -> None:
    own = draw_check(services, run.run_id, size=12, name="own", seed=2, reviewers_per_item=2, by="Bea")
    _draw(services, run)
    assign_check(services, own, ["Ada"], assigned_by="Bea")
    app = _open("pages/review.py")
    assert [heading.value for heading in app.header] == ["Your queue", "Open to all reviewers", "New spot-check"]
    assert "12 claims wait in your queue." in _texts(app)
    app = _open("pages/review.py", check=str(own))
    for _ in range(12):
        _press(app, ".supported")
    assert "You are done." in _texts(app)
    assert "12 claims wait for a second reviewer" in _texts(app)
    app = _open("pages/review.py")
    assert "**You are done.** 12 claims wait for a second reviewer." in _texts(app)


def test_more_labels_are_drawn_and_opened_from_the_result(services: Store, run: Run) -> None:
    check = draw_check(services, run.run_id, size=4, name="small", seed=2, is_blind=False, by="Bea")
    app = _open("pages/review.py", check=str(check))
    for verdict in ("supported", "contradicted", "supported", "supported"):
        _press(app, f".{verdict}")
    (more,) = [button for button in app.button if button.key == f"result.{check}.more"]
    assert re.match(r"Label \d+ more for ±0\.10", more.label)
    more.click().run()
    assert not app.exception
    newest = spot_checks.list_spot_checks(services.db)[0]
    assert newest.spot_check_id != check
    assert newest.created_by == "Ada"


def test_a_note_is_added_to_a_claim_in_the_queue(services: Store, run: Run) -> None:
    check = _draw(services, run)
    place = queue.place_of(spot_checks.list_items(services.db, check)[0])
    add_note(services, place, "the judge is wrong here", author="Bea")
    app = _open("pages/review.py", check=str(check))
    assert "the judge is wrong here" not in " ".join(text.value for text in app.text)
    assert any("1 note by others" in caption.value for caption in app.caption)
    (field,) = [field for field in app.text_area if field.label == "Note"]
    field.set_value("which plan?").run()
    _press(app, ".add_note")
    notes = read_thread(services, place, reader="Ada").notes
    assert [(note.author, note.text) for note in notes] == [("Bea", "the judge is wrong here"), ("Ada", "which plan?")]


def _sizes(app: AppTest) -> Any:
    (sizes,) = [one for one in app.segmented_control if one.label == "How sure?"]
    return sizes


@pytest.fixture
def long_run(services: Store) -> Run:
    return add_judged_run(services, two_claim_samples(150), "Docs w46")


def test_a_spot_check_takes_two_clicks(services: Store, long_run: Run) -> None:
    app = _open("pages/review.py")
    sizes = _sizes(app)
    widths = {n: foreseen_half_width(services, [long_run.run_id], n, unit=Unit.CLAIM) for n in (20, 50)}
    precise = review_spot_checks.labels_for(services, [long_run.run_id], 0.05).labels
    assert sizes.options == [
        f"20 labels (usually within {fmt.plus_minus(widths[20] or 0)})",
        f"50 ({fmt.plus_minus(widths[50] or 0)})",
        f"{precise} (±0.05)",
    ]
    sizes.set_value(20)
    _press_label(app, "Start")
    check = spot_checks.list_spot_checks(services.db)[0]
    assert (check.design["size"], check.design["unit"], check.is_blind) == (20, "claim", True)
    assert re.fullmatch(r"Spot-check of w46, \d\d? [A-Z][a-z]{2}", check.name)
    assert _progress(app).startswith("Claim 1 of 20. Labelling all 20 claims gives the score to about ")
    assert fmt.plus_minus(widths[20] or 0) in _progress(app)


def test_of_a_small_run_every_claim_is_proposed(services: Store, run: Run) -> None:
    app = _open("pages/review.py")
    assert _sizes(app).options == ["12 labels (exact)"]
    assert any(caption.value.startswith("Single claims of first. Blind:") for caption in app.caption)


def test_another_number_of_labels_is_proposed_with_its_width(services: Store, long_run: Run) -> None:
    app = _open("pages/review.py")
    app.number_input(key="new_check.labels").set_value(30).run()
    width = foreseen_half_width(services, [long_run.run_id], 30, unit=Unit.CLAIM)
    assert _sizes(app).value == 30
    assert f"30 ({fmt.plus_minus(width or 0)})" in _sizes(app).options
    app.text_input(key="new_check.name").set_value("Mine")
    app.toggle(key="new_check.blind").set_value(False)
    _press_label(app, "Start")
    check = spot_checks.list_spot_checks(services.db)[0]
    assert (check.name, check.design["size"], check.is_blind) == ("Mine", 30, False)


def test_whoever_starts_a_spot_check_is_asked_for_a_name_beside_the_button(services: Store, run: Run) -> None:
    app = _press_label(_open("pages/review.py", name=None), "Start")
    assert spot_checks.list_spot_checks(services.db) == []
    assert any("Enter your name" in error.value for error in app.error)
    app.text_input(key="new_check.reviewer").set_value("Ada")
    _press_label(app, "Start")
    (check,) = spot_checks.list_spot_checks(services.db)
    assert check.created_by == "Ada"
    _press(app, ".supported")
    assert [label.reviewer for label in _labels(services, run)] == ["Ada"]


def test_a_spot_check_that_left_claims_that_changed_says_how_many(services: Store, run: Run) -> None:
    plain = _draw(services, run)
    some = spot_checks.get_spot_check(services.db, plain)
    frame: dict[str, Any] = {**some.design}
    frame["runs"] = {run.run_id: {**frame["runs"][run.run_id], "first": {"claims": 45, "drawn": 18}}}
    drawn = [spot_checks.get_item(services.db, plain, position).drawn for position in range(1, 13)]
    left = spot_checks.create_spot_check(services.db, replace(some, design=frame), drawn)
    words = "18 of the 45 claims that changed come first."
    for check, says in ((left, True), (plain, False)):
        app = _open("pages/review.py", check=str(check))
        assert any(caption.value.startswith(words) for caption in app.caption) is says


def test_results_say_which_claims_agreement_leaves_out(services: Store, run: Run) -> None:
    check = _draw(services, run)
    label_check(services, check, lambda _: "supported", by="Ada")
    assert not any("leaves out claims" in caption.value for caption in _open("pages/review.py").caption)
    label_check(services, check, lambda _: "contradicted", by="Bea", most=1)
    found = [caption.value for caption in _open("pages/review.py").caption if "*Agree* leaves out" in caption.value]
    assert len(found) == 1
    assert "claims on which reviewers disagree: 1 of *" in found[0]
