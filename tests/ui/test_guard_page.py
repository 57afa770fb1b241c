"""Try one answer: what would be sent instead of an answer, with the difference marked, and saved as a run."""

import json

from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers, list_runs
from faithview.ui import navigation
from tests.ui.conftest import OpenPage, words_of

_CORRECT = f"{navigation.TRY}?tab={navigation.CORRECT}"
_ANSWER = "Shared inboxes hold up to 50 members. <b>Links</b> expire after 7 days. Cats may join for a fee of 9 euros."
_CHUNKS = "Shared inboxes hold up to 20 members.\n\n<b>Links</b> expire after 7 days."


def test_what_would_be_sent_stands_beside_what_was_given_and_both_are_saved(
    services: Store, open_page: OpenPage
) -> None:
    app = open_page(_CORRECT)
    assert "The text to send appears here" in words_of(app)
    app.text_area(key="check.answer").input(_ANSWER)
    app.text_area(key="check.chunks").input(_CHUNKS)
    app.button(key="check.submit").click().run()
    assert "Passes once corrected" in words_of(app)
    given, corrected = [one.proto.body for one in app.get("html") if 'class="fv-text"' in one.proto.body]
    assert '<mark data-verdict="contradicted" data-claims="1"' in given
    assert "<del>50 </del><ins>20 </ins>" in corrected
    for drawn in (given, corrected):
        assert "&lt;b&gt;Links&lt;/b&gt;" in drawn
        assert "<b>" not in drawn
    readers = [json.loads(one.proto.mixed.json or one.proto.json) for one in app.get("bidi_component")]
    assert [one["answer"]["text"] for one in readers if one.get("answer")] == [_ANSWER]
    app.button(key="guard.save").click().run()
    (run,) = list_runs(services)
    saved = {detail.sample.key: detail.sample.answer for detail in iterate_answers(services, run.run_id)}
    assert saved["given"] == _ANSWER
    assert "20 members" in saved["corrected"]
    assert get_run(services, run.run_id).source == "guard page"


def test_no_model_is_asked_for_an_answer_before_the_button_is_pressed(open_page: OpenPage) -> None:
    app = open_page(f"{navigation.TRY}?tab={navigation.GENERATE}")
    assert "choose the model that answers" in words_of(app)
    assert app.button(key="check.submit").disabled
