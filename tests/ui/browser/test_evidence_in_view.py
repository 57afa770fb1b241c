"""The evidence of the selected claim is in view, at whichever rank its chunk is and however the claim was selected."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from faithview.domain.claim import Verdict
from faithview.domain.result import Result
from faithview.domain.sample import Chunk, Sample
from tests.dashboard import Dashboard
from tests.factories import make_claim, make_evidence, make_result, open_services, store_rows
from tests.ui.browser.screen import Screen, new_profile, stay_open

pytestmark = pytest.mark.browser

_RANKS = range(1, 11)
# The first, the last, and one chunk of each length; opening a page for each of the ten takes longest of all.
_LINKED_RANKS = (1, 2, 3, 4, 10)
# Whether the lit evidence of a claim lies inside the pane of the chunks, whole or as much as the pane can show.
_IN_VIEW = """
(mark) => {
  const pane = mark.closest('.pane');
  const [outer, inner] = [pane.getBoundingClientRect(), mark.getBoundingClientRect()];
  return inner.height > 0 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
}
"""


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


def _long_sample(key: str, chunks: int) -> tuple[Sample, Result]:
    """An answer whose claim n rests on the end of chunk n; every chunk is much longer than the pane is high."""
    said = {n: f"Inbox number {n} of {key} holds {n + 20} members." for n in range(1, chunks + 1)}
    sample = Sample(
        key=key,
        question=f"How many members has each inbox of {key}?",
        answer=" ".join(said.values()),
        chunks=tuple(Chunk(chunk_id=f"kb-{n}", text=_long_text(n, said[n])) for n in said),
    )
    claims = [
        make_claim(
            text, Verdict.SUPPORTED, chunk.chunk_id, answer=sample.answer, evidence=(make_evidence(chunk, text),)
        )
        for chunk, text in zip(sample.chunks, said.values(), strict=True)
    ]
    return sample, make_result(*claims)


def _long_text(n: int, end: str) -> str:
    # Lines of its own, which no fold takes away whole: the heights of the chunks differ.
    lines = "\n".join(f"Paragraph {at} of article {n} is about other things." for at in range(2 + 3 * (n % 4)))
    return f"{lines}\n{'Nothing here says how many. ' * 40}\n{lines}\n{end}"


@pytest.fixture(scope="module")
def profile(browser: Browser, dashboard: Dashboard) -> Iterator[BrowserContext]:
    """A browser profile in which the panes glide to the evidence."""
    with new_profile(browser, moves=True) as context:
        stay_open(context, dashboard.url)
        yield context


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture(scope="module")
def run_id(database: str) -> Iterator[str]:
    with open_services(database) as services:
        yield store_rows(services, "inboxes", [_long_sample("ten", 10), _long_sample("sixty", 60)]).run_id


def _sees_evidence(screen: Screen, claim: int) -> None:
    """Wait until the claim is selected and its evidence in view, and see that it stays there."""
    expect(screen.selected_claim()).to_have_attribute("data-claim", str(claim))
    mark = screen.page.locator(f".pane.chunks .mark.lit[data-claim='{claim}']").first
    expect(mark).to_be_attached()
    screen.until(lambda: bool(mark.evaluate(_IN_VIEW)), f"the evidence of claim {claim} is in view")
    screen.page.wait_for_timeout(400)  # what comes late, moves late
    assert mark.evaluate(_IN_VIEW), f"The evidence of claim {claim} was moved out of view."


@pytest.mark.parametrize("claim", _LINKED_RANKS)
def test_a_link_to_a_claim_and_a_reload_show_its_evidence(screen: Screen, run_id: str, claim: int) -> None:
    screen.open("/answers", run=run_id, row="ten", claim=str(claim))
    _sees_evidence(screen, claim)
    if claim == _LINKED_RANKS[-1]:
        screen.page.reload()
        screen.settle()
        _sees_evidence(screen, claim)


def test_a_step_by_key_shows_the_evidence_of_each_claim(screen: Screen, run_id: str) -> None:
    screen.visit("/answers", run=run_id, row="ten", claim="1")
    for claim in _RANKS:
        _sees_evidence(screen, claim)
        screen.key("ArrowRight")


def test_a_label_given_while_the_pane_still_moves_leaves_the_evidence_in_view(screen: Screen, run_id: str) -> None:
    screen.review_as("Ada")
    screen.open("/answers", run=run_id, row="ten", claim="1")
    for claim in _RANKS[:4]:  # a chunk of each length
        expect(screen.selected_claim()).to_have_attribute("data-claim", str(claim))
        screen.key("2")
        expect(screen.claim(claim)).to_contain_text("reviewers:")
        screen.settle()
        _sees_evidence(screen, claim)
        screen.key("ArrowRight")


def test_where_the_person_has_scrolled_a_label_leaves_the_chunks_alone(screen: Screen, run_id: str) -> None:
    screen.review_as("Bob")
    screen.open("/answers", run=run_id, row="ten", claim="7")
    _sees_evidence(screen, 7)
    screen.chunks().hover()
    screen.page.mouse.wheel(0, -5000)
    screen.until(lambda: screen.chunks().evaluate("pane => pane.scrollTop") == 0, "the chunks are at their top")
    screen.key("3")
    expect(screen.claim(7)).to_contain_text("reviewers:")
    screen.settle()
    assert screen.chunks().evaluate("pane => pane.scrollTop") == 0


@pytest.mark.parametrize("claim", [1, 29, 60])
def test_among_many_chunks_the_evidence_is_in_view_too(screen: Screen, run_id: str, claim: int) -> None:
    screen.open("/answers", run=run_id, row="sixty", claim=str(claim))
    _sees_evidence(screen, claim)


@pytest.mark.parametrize("claim", [3, 7, 10])
def test_a_claim_of_the_inbox_is_opened_with_its_evidence_in_view(screen: Screen, run_id: str, claim: int) -> None:
    assert run_id
    # The judge supports all; labels of other tests may have changed what people say of some.
    verdicts = "&".join(f"verdicts={verdict.value}" for verdict in Verdict)
    words = urlencode({"find": f'"Inbox number {claim} of ten"'})
    screen.visit(f"/claims?{verdicts}&{words}")
    screen.page.locator("[data-faithview-inbox] .open").first.click()
    screen.until_page("/answers")
    _sees_evidence(screen, claim)


def test_on_check_the_evidence_of_a_pasted_answer_is_in_view(screen: Screen) -> None:
    sample, _ = _long_sample("check", 10)
    screen.visit("/try")
    screen.write(screen.page.get_by_role("textbox", name="Answer", exact=True), sample.answer)
    screen.page.get_by_role("textbox", name="Chunks", exact=True).fill(
        "\n\n".join(chunk.text for chunk in sample.chunks)
    )
    screen.press("Check the answer")
    screen.settle()
    screen.claim(1).click()
    for claim in _RANKS:
        _sees_evidence(screen, claim)
        screen.key("ArrowRight")
