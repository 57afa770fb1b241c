"""Labels of an earlier run are met again where their claims are, stale ones first, with what changed in the chunk."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from faithview.domain.claim import Verdict
from faithview.domain.label import LabelKind
from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample
from faithview.services.container import Store
from faithview.services.results import get_answer_at, iterate_answers
from faithview.services.review import carry_over, disagreements
from faithview.services.review import labels as labelling
from faithview.services.review.carry_over import Carried
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import add_judged_run, open_services, say, two_claim_samples
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_EDITED = 3  # the answer whose chunk is another one in the second run


_bases = itertools.count(0, 10)


@dataclass(frozen=True)
class _Runs:
    """Two runs of the same four answers, whose keys are "r" and a number."""

    first: Run
    second: Run
    base: int

    def key(self, row: int) -> str:
        return f"r{self.base + row}"


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture
def runs(database: str) -> _Runs:
    """A run labelled whole by Ann, and one after a chunk was edited: the same claims of the same judge.

    Of inboxes of their own, so that nothing is inherited from another test or from a first try of this one.
    """
    base = next(_bases)

    def make() -> _Runs:
        with open_services(database) as services:
            samples = two_claim_samples(4, first=base + 1)
            first = add_judged_run(services, samples, f"before {base}")
            for detail in iterate_answers(services, first.run_id):
                for number, claim in enumerate(detail.result.claims, start=1):
                    say(services, first.run_id, detail.position, number, claim.verdict.value, by="Ann")
            edited = [_edit(sample) if at == _EDITED else sample for at, sample in enumerate(samples, start=1)]
            second = add_judged_run(services, edited, f"after {base}")
            return _Runs(first=first, second=second, base=base)

    # In a thread of its own: this one holds the browser's event loop.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(make).result()


def _edit(sample: Sample) -> Sample:
    text = f"{sample.chunks[0].text} Nobody may share it with guests <b>at all</b>."
    chunk = Chunk(chunk_id=sample.chunks[0].chunk_id, text=text.replace("20 members", "35 members"))
    return Sample(key=sample.key, question=sample.question, answer=sample.answer, chunks=(chunk,))


def _give_name(screen: Screen, name: str) -> None:
    screen.page.get_by_role("button", name="Who are you?").click()
    screen.enter(screen.page.get_by_role("textbox", name="Your name"), name)
    screen.sees_in_sidebar(f"Reviewing as {name}")
    screen.settle()


def test_after_an_update_only_what_changed_is_asked_again_with_the_words_that_changed(
    runs: _Runs, screen: Screen, services: Store
) -> None:
    second = runs.second.run_id
    assert carry_over.count_carried(services, second) == Carried(inherited=6, stale=2)

    screen.open("/answers", run=second, row=runs.key(1), claim="1")
    screen.sees("6 labels carried over from earlier runs; 2 are outdated and come first in the next spot-check.")
    screen.sees(f"carried over from {runs.first.name} (Ann")

    screen.open("/answers", run=second, row=runs.key(_EDITED), claim="1")
    screen.sees("an earlier label is outdated")
    diff = screen.page.locator(".diff").first
    expect(diff.locator("del.removed").nth(1)).to_have_text("20 ")
    expect(diff.locator("ins.added").nth(1)).to_have_text("35 ")
    expect(diff).to_contain_text("guests <b>at all</b>")
    screen.press("Open the labelled answer")
    screen.until_address(run=runs.first.run_id, row=runs.key(_EDITED), claim="1")

    screen.open("/review")
    screen.sees("6 labels carried over from earlier runs; 2 are outdated")
    screen.page.get_by_text("More", exact=True).click()
    expect(screen.main()).to_contain_text("2 claims with an outdated label come first")
    screen.enter(screen.page.get_by_role("textbox", name="Your name"), "Ben")
    expect(screen.claim(1)).to_be_visible()
    screen.settle()
    check = int(screen.parameters()["check"])
    progress = spot_checks.get_queue_progress(services.db, check)
    assert progress.items - progress.done == 2, "What still holds was asked again."

    # Blind: that it is stale and what changed is shown, and not what Ann said.
    box = screen.page.locator('[class*="-stale"]').first
    expect(box).to_contain_text(f"Ann labelled this claim in {runs.first.name}")
    expect(box.locator("ins.added").nth(1)).to_have_text("35 ")
    for verdict in ("supported", "contradicted"):
        expect(box).not_to_contain_text(verdict)
    shown = screen.claim(1).locator(".said").inner_text()
    screen.key("4")  # the queue goes on by itself
    expect(screen.claim(1).locator(".said")).not_to_have_text(shown)
    screen.settle()
    screen.key("1")
    screen.until(lambda: spot_checks.get_queue_progress(services.db, check).done == progress.items, "both are labelled")
    assert carry_over.count_carried(services, second) == Carried(inherited=6, stale=0)
    labels = labelling.claim_history(services, second, _EDITED)
    assert [(x.reviewer, x.is_stale) for x in labels] == [("Ann", True)] * 2 + [("Ben", False)] * 2
    screen.settle()


def test_a_claim_that_the_judge_missed_is_marked_by_its_words_and_taken_back(
    runs: _Runs, screen: Screen, services: Store
) -> None:
    screen.open("/answers", run=runs.second.run_id, row=runs.key(2), view="reviewed")
    score = screen.row(runs.key(2)).locator(".score").inner_text()
    _mark_missed(screen, "Inbox 2 has 20 members")
    expect(screen.page.get_by_role("dialog")).to_contain_text("does not contain exactly these words")
    expect(screen.page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    field = screen.page.get_by_role("textbox", name="Words of the answer")
    screen.write(field, "20 members")
    screen.page.get_by_role("radio", name="Contradicted").click()
    note = screen.page.get_by_role("dialog").get_by_role("textbox", name="Note")
    screen.write(note, "<i>not</i> so")
    screen.press("Save")
    expect(screen.claim(3)).to_contain_text("found by Ivo")
    expect(screen.claim(3)).to_contain_text("<i>not</i> so")
    expect(screen.row(runs.key(2)).locator(".score")).not_to_have_text(score)
    screen.claim(3).click()
    screen.sees("the judge missed it")
    screen.settle()
    screen.key("u")
    expect(screen.claim(3)).to_have_count(0)
    expect(screen.row(runs.key(2)).locator(".score")).to_have_text(score)
    labels = [label for label in labelling.claim_history(services, runs.second.run_id, 2) if label.reviewer == "Ivo"]
    assert [label.kind for label in labels] == [LabelKind.MISSED_CLAIM, LabelKind.RETRACTION]
    assert labels[0].verdict is Verdict.CONTRADICTED
    assert labels[0].span is not None
    assert labels[0].span.of(get_answer_at(services, runs.second.run_id, 2).sample.answer) == "20 members"


def _mark_missed(screen: Screen, quote: str) -> None:
    screen.press("Add a claim")
    name = screen.page.get_by_role("dialog").get_by_role("textbox", name="Your name")
    expect(name).to_be_visible()
    screen.enter(name, "Ivo")
    field = screen.page.get_by_role("textbox", name="Words of the answer")
    screen.write(field, quote)


def test_marks_and_claims_follow_peoples_verdict_with_the_judges_beside_it(
    runs: _Runs, screen: Screen, services: Store
) -> None:
    say(services, runs.second.run_id, 4, 2, "not_a_claim", by="Ann")
    judged = get_answer_at(services, runs.second.run_id, 4).result.claims[1].verdict
    screen.open("/answers", run=runs.second.run_id, row=runs.key(4), view="reviewed")
    expect(screen.claim(2)).to_have_attribute("data-verdict", "not_a_claim")
    expect(screen.claim(2)).to_contain_text("judge:")
    expect(screen.page.locator(".pane.claims .heading")).to_contain_text("1 claim")
    expect(screen.answer().locator('.mark[data-claim="2"]')).to_have_attribute("data-verdict", "not_a_claim")
    screen.page.get_by_role("radio", name="judge").click()
    expect(screen.claim(2)).to_have_attribute("data-verdict", judged.value)
    expect(screen.claim(2)).to_contain_text("reviewers:")


def test_the_reviewers_name_outlives_a_reload_and_is_in_no_link(runs: _Runs, screen: Screen) -> None:
    screen.open("/answers", run=runs.second.run_id, row=runs.key(1), claim="1")
    _give_name(screen, "Zoë O'Neil; 100 %")
    screen.page.reload()
    screen.settle()
    screen.sees_in_sidebar("Reviewing as Zoë O'Neil; 100 %")
    assert "Zo" not in screen.page.url
    screen.press("Change name")
    expect(screen.page.get_by_role("button", name="Who are you?")).to_be_visible()
    screen.settle()
    screen.page.reload()
    screen.settle()
    expect(screen.page.get_by_role("button", name="Who are you?")).to_be_visible()


def test_nobody_settles_their_own_tie_and_others_can_do_it_blind(runs: _Runs, screen: Screen, services: Store) -> None:
    for left in disagreements.list_disagreements(services):  # by a first try
        disagreements.adjudicate(services, left.run_id, left.row, left.claim_number, "supported", reviewer="Mia")
    for name, verdict in (("Kim", "supported"), ("Lou", "contradicted")):
        say(services, runs.first.run_id, 1, 1, verdict, by=name)
    # Ann's label of the fixture would settle the tie.
    ann = next(x for x in labelling.claim_history(services, runs.first.run_id, 1) if x.reviewer == "Ann")
    labelling.retract_label(services, runs.first.run_id, 1, ann, LabelProvenance(reviewer="Ann"))
    screen.review_as("Kim")
    screen.open("/review", part="Disagreements")
    screen.sees(disagreements.OWN_DISAGREEMENT)
    expect(screen.page.get_by_role("button", name="Supported (1)", exact=True)).to_be_disabled()
    screen.press("Change name")
    screen.settle()  # else the switch may be one of the page that the press replaces
    screen.page.get_by_text("Hide the judge's and reviewers' verdicts").click()
    screen.sees("2 reviewers gave different verdicts")
    expect(screen.page.get_by_text("Lou", exact=True)).to_have_count(0)
    expect(screen.claim(1)).to_have_attribute("data-verdict", "unjudged")
    screen.claim(1).click()  # away from the switch, which keeps keys to itself
    screen.key("4")
    expect(screen.page.get_by_role("textbox", name="Your name")).to_be_focused()
    screen.settle()
    screen.page.keyboard.type("Mia")
    screen.page.keyboard.press("Enter")
    screen.sees("Reviewers agree on every claim")
    last = labelling.claim_history(services, runs.first.run_id, 1)[-1]
    assert (last.reviewer, last.verdict) == ("Mia", Verdict.CONTRADICTED)
