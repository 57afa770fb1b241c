"""A claim without one of its chunks: the embedded judge answers at once, a model only on request."""

from collections.abc import Iterator

import pytest

from faithview import Chunk, Sample
from faithview.services.chunk_ablation import find_ablation
from faithview.services.container import Store
from faithview.services.results import iterate_answers
from faithview.ui import navigation
from tests.factories import add_judged_run
from tests.services.llm_runs import SPEC, judge_run, point_at, samples
from tests.ui.conftest import OpenPage, words_of
from tests.vendor import Vendor, running


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with running() as started:
        point_at(started, monkeypatch)
        yield started


def test_the_embedded_judge_says_for_every_chunk_what_it_does_for_a_claim(services: Store, open_page: OpenPage) -> None:
    sample = Sample(
        answer="The office opens at 9 am on weekdays.",
        chunks=(
            Chunk(text="The office opens at 9 am on weekdays.", chunk_id="hours"),
            Chunk(text="Dogs must be kept on a lead in the garden.", chunk_id="dogs_1"),
        ),
        key="a",
    )
    add_judged_run(services, [sample])
    app = open_page(navigation.ANSWERS, row="a", claim="1")
    assert "necessary" not in words_of(app)  # nothing is judged before it is asked for
    app.button(key="what_if.open").click().run()
    assert not app.exception
    text = words_of(app)
    assert "The claim is based on **hours**." in text
    assert (
        "`hours` &nbsp; :material/key: **necessary**: without it the claim is not mentioned instead of supported"
        in text
    )
    assert "`dogs_1` &nbsp; :material/content_copy: **redundant**" in text
    assert "may come from the judge" not in text


def test_a_model_is_asked_only_on_request_and_once(services: Store, open_page: OpenPage, vendor: Vendor) -> None:
    run, _ = judge_run(services, samples(1), SPEC)
    before = vendor.calls
    chunk_id = next(iterate_answers(services, run.run_id)).sample.chunks[0].chunk_id
    app = open_page(navigation.ANSWERS, row="k0", claim="1")
    app.button(key="what_if.open").click().run()
    assert not app.exception
    assert vendor.calls == before
    assert "it calls 127" in words_of(app)
    assert "costs as much as judging one answer" in words_of(app)
    app.button(key=f"what_if.ask.{run.run_id}.1.1.{chunk_id}").click().run()
    assert not app.exception
    asked = vendor.calls
    assert asked > before
    assert find_ablation(services, run.run_id, 1, 1, chunk_id) is None  # kept by the server that asked, not by all
    app.button(key="what_if.open").click().run()
    assert not app.exception
    assert vendor.calls == asked
    assert "Tried so far: 1 of 2 chunks." in words_of(app)
