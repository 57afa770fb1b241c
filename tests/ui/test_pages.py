"""Every page stands over an empty store, over the demo and over a run that went wrong; what it writes is stored."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from faithview.domain.answer import Progress
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.run import RunStatus
from faithview.domain.sample import Sample
from faithview.services.container import Store
from faithview.services.results import get_progress, iterate_answers, list_runs
from faithview.services.runs.worker import Workers
from faithview.store import runs
from faithview.ui import navigation
from faithview.ui.upload import progress
from tests.factories import add_run, make_claim, make_result, store_rows
from tests.ui.conftest import OpenPage, words_of

_GUARD = f"{navigation.TRY}?tab=correct"
_PAGES = (
    navigation.OVERVIEW,
    navigation.CHANGES,
    f"{navigation.CHANGES}?tab=before",
    navigation.TRY,
    _GUARD,
    navigation.UPLOAD,
    navigation.ANSWERS,
    navigation.CLAIMS,
    navigation.TRENDS,
    navigation.SETTINGS,
    f"{navigation.SETTINGS}?tab=audit",
)


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_stands_over_an_empty_store(open_page: OpenPage, page: str) -> None:
    text = words_of(open_page(page))
    says = {
        navigation.UPLOAD: "One row per answer",
        navigation.TRY: "The verdict appears here",
        navigation.SETTINGS: "0 runs.",
    }
    assert says.get(page, "") in text


@pytest.mark.parametrize("page", [navigation.OVERVIEW, navigation.ANSWERS, navigation.CLAIMS])
def test_pages_about_runs_lead_to_the_pages_that_make_one(open_page: OpenPage, page: str) -> None:
    app = open_page(page)
    assert "There are no runs yet." in words_of(app)
    key, title = ("empty.upload", "Upload") if page == navigation.OVERVIEW else ("empty.check", "Try one answer")
    app.button(key=key).click().run()
    assert not app.exception
    assert app.title[0].value == title


def test_links_from_another_store_are_said_to_lead_nowhere(open_page: OpenPage) -> None:
    assert "There are no runs yet." in words_of(open_page(navigation.ANSWERS, run="abcdefgh", row="1", claim="2"))
    app = open_page(navigation.UPLOAD, run="abcdefgh")
    assert "There is no run abcdefgh in this store" in words_of(app)
    assert app.get("file_uploader")


def test_every_page_stands_over_the_demo(demo: Store, open_page: OpenPage) -> None:
    for page in _PAGES:
        assert open_page(page).title or page in (navigation.ANSWERS, navigation.CHANGES)
    assert "faithfulness by the judge, 0." in words_of(open_page(navigation.OVERVIEW))
    assert "claims" in words_of(open_page(navigation.ANSWERS))


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_stands_over_a_run_with_failed_and_waiting_answers(
    failed_run: str, open_page: OpenPage, page: str
) -> None:
    text = words_of(open_page(page, run=failed_run))
    if page == navigation.ANSWERS:
        assert "1 pending · 1 failed" in text or "1 failed · 1 pending" in text
    if page == navigation.OVERVIEW:
        assert "2 of 3 answers judged" in text


def test_a_failed_answer_is_shown_with_its_error_and_no_score(failed_run: str, open_page: OpenPage) -> None:
    app = open_page(navigation.ANSWERS, run=failed_run, row="r2")
    drawn = "".join(one.proto.mixed.json or one.proto.json for one in app.get("bidi_component"))
    assert "no</b> JSON" in drawn
    assert '"about": "r2"' in drawn.replace('":"', '": "')


def test_a_run_says_which_of_its_claims_nobody_can_check(services: Store, open_page: OpenPage) -> None:
    unquoted = "The verdict on {} needs a quote and has none that is in a chunk."
    cut = "A part of the *answer* was not judged."
    warnings = [(unquoted.format("2 claims"), cut), (unquoted.format("3 claims"), "Repaired: a was b.")]
    claim = make_claim("Inboxes are blue.", Verdict.SUPPORTED)
    rows = [
        (
            Sample.of("Inboxes are blue.", ["Blue."], key=f"r{n}"),
            make_result(claim, warnings=texts),
        )
        for n, texts in enumerate(warnings)
    ]
    store_rows(services, "weak", rows)
    captions = [str(caption.value) for caption in open_page(navigation.ANSWERS, run="weak").caption]
    texts = [caption.replace("\\", "") for caption in captions]
    said = "In 2 answers, the verdict on 5 claims needs a quote and has none that is in a chunk."
    assert f":material/warning: {said}" in texts
    assert ":material/warning: A part of the *answer* was not judged. (1 answer)" in texts
    assert any(r"A part of the \*answer\* was" in caption for caption in captions)  # a warning is data, not Markdown


def test_an_answer_without_chunks_is_said_to_rest_on_nothing(open_page: OpenPage) -> None:
    app = open_page(navigation.TRY)
    app.text_area(key="check.answer").input("Inboxes hold 50 members.")
    app.button(key="check.submit").click().run()
    assert "No chunk with text was retrieved" in words_of(app)


def test_saving_a_check_stores_a_run_with_that_answer(services: Store, open_page: OpenPage) -> None:
    app = open_page(navigation.TRY)
    app.text_input(key="check.question").input("How many?")
    app.text_area(key="check.answer").input("Inboxes hold 50 members.")
    app.text_area(key="check.chunks").input("Inboxes hold 20 members.\n\nOther.")
    app.button(key="check.submit").click().run()
    assert not app.exception
    assert "Not faithful" in words_of(app)
    app.button(key="check.save").click().run()
    assert not app.exception
    (run,) = list_runs(services)
    assert run.name.startswith("Checked answer")
    assert (app.title[0].value, app.query_params["run"]) == ("Answers", run.run_id)
    (detail,) = iterate_answers(services, run.run_id)
    assert (detail.sample.question, detail.sample.answer) == ("How many?", "Inboxes hold 50 members.")
    assert [chunk.text for chunk in detail.sample.chunks] == ["Inboxes hold 20 members.", "Other."]
    assert detail.result.state is State.JUDGED


def test_resume_starts_a_worker_for_the_run(
    failed_run: str, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, services: Store
) -> None:
    started: list[str] = []

    def start(self: Workers, run_id: str, *, ending_seconds: float) -> None:
        assert ending_seconds > 0  # one that is still ending would be taken for one that judges
        started.append(run_id)
        monkeypatch.setattr(Workers, "find_error", lambda *_: "The worker ended.")

    app = open_page(navigation.UPLOAD, run=failed_run)
    assert not [button for button in app.button if button.key == "upload.cancel"]
    monkeypatch.setattr(Workers, "start", start)
    app.button(key="upload.resume").click().run()
    assert not app.exception
    assert started == [failed_run]
    assert [error.value for error in app.error] == [r"The worker ended\."]


def test_a_dead_worker_s_run_is_drawn_once_while_the_store_still_counts_it_as_running(
    services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = add_run(services, [Sample(answer="Blue.", key="r1")], "Under way")
    runs.take_run(services.db, run.run_id, worker="elsewhere:1:x", now=datetime.now(UTC))
    monkeypatch.setattr(Workers, "find_error", lambda *_: "The worker was killed.")
    asked: list[str] = []

    def counted(services: Store, run_id: str) -> Progress:
        asked.append(run_id)
        return get_progress(services, run_id)

    monkeypatch.setattr(progress, "get_progress", counted)
    app = open_page(navigation.UPLOAD, run=run.run_id)
    assert not app.exception
    assert [error.value for error in app.error] == [r"The worker was killed\."]
    assert [button.key for button in app.button if button.key == "upload.resume"]
    assert len(asked) == 1


def test_cancel_asks_the_run_to_stop(services: Store, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    run = add_run(services, [Sample(answer="Blue.", key="r1")], "Under way")

    def running(services: Store, run_id: str) -> object:
        return replace(get_progress(services, run_id), status=RunStatus.RUNNING)

    cancelled: list[str] = []
    monkeypatch.setattr(progress, "get_progress", running)
    monkeypatch.setattr(progress, "cancel_run", lambda _services, run_id: cancelled.append(run_id))
    app = open_page(navigation.UPLOAD, run=run.run_id)
    app.button(key="upload.cancel").click().run()
    assert not app.exception
    assert cancelled == [run.run_id]


def test_judging_another_file_leaves_the_run(failed_run: str, open_page: OpenPage) -> None:
    app = open_page(navigation.UPLOAD, run=failed_run)
    app.button(key="upload.another").click().run()
    assert not app.exception
    assert app.title[0].value == "Upload"
