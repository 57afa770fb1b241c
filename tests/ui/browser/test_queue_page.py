"""People label claims with the keyboard, blind to the judge, side by side, and settle what they do not agree on."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import WebSocket, expect

from faithview.domain.answer import View
from faithview.domain.claim import Claim, Verdict
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.judge_quality.scorecards import list_judge_cards, measure_agreement
from faithview.services.results import get_summary
from faithview.services.review import disagreements, queue
from faithview.services.review import labels as labelling
from faithview.services.review.corrected_score import correct_run
from faithview.services.runs.create import judge_here
from faithview.store import spot_checks
from faithview.store.runs import count_runs
from tests.factories import add_judged_run, add_run, draw_check, open_services, two_claim_samples
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_ANSWERS = 30


@pytest.fixture(scope="module")
def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'faithview.db'}"


@pytest.fixture(scope="module")
def run(database: str) -> Iterator[Run]:
    with open_services(database) as services:
        run = add_judged_run(services, two_claim_samples(_ANSWERS), "inboxes")
        yield run


@pytest.fixture
def disputed(services: Store, run: Run) -> Run:
    """A run of its own, in which no other test labels nor an earlier try has, with claims that inherit no label."""
    first = 101 + 100 * count_runs(services.db)
    other = add_run(services, two_claim_samples(3, first=first), "disputed")
    with ThreadPoolExecutor(1) as pool:  # this thread holds the browser's event loop
        pool.submit(judge_here, services, other).result()
    return other


def _draw(services: Store, run: Run, *, size: int = 6, is_blind: bool = True, people: int = 1) -> int:
    return draw_check(
        services,
        run.run_id,
        size=size,
        name="A small one",
        seed=3,
        is_blind=is_blind,
        reviewers_per_item=people,
        by="Ada",
    )


def _sit_down(screen: Screen, name: str, check: int) -> None:
    screen.review_as(name)
    screen.open("/review", check=str(check))
    expect(screen.claim(1)).to_be_visible()
    screen.settle()


def _shown(screen: Screen) -> str:
    return screen.claim(1).locator(".said").inner_text()


def _judged(services: Store, check: int, position: int) -> Claim:
    place = queue.get_claim(services, check, position, reviewer="nobody").item.place
    return disagreements.get_labelled_claim(services, place).judged


def _done(services: Store, check: int) -> int:
    return spot_checks.get_queue_progress(services.db, check).done


def _until_done(screen: Screen, services: Store, check: int, count: int) -> None:
    screen.until(lambda: _done(services, check) == count, f"{count} labels are stored")


def _figures(services: Store, run: Run) -> tuple[object, ...]:
    """What blind labels alone may move."""
    measured = measure_agreement(services, run.run_id)
    reviewed = get_summary(services, run.run_id, view=View.REVIEWED).score
    cards = [(card.figures, card.wrong) for card in list_judge_cards(services)]
    return measured.judge, measured.pairs, correct_run(services, run.run_id), reviewed, cards


def test_a_whole_blind_spot_check_is_done_with_the_keyboard(disputed: Run, screen: Screen, services: Store) -> None:
    check = _draw(services, disputed)
    items = spot_checks.get_queue_progress(services.db, check).items
    _sit_down(screen, "Ada", check)
    said, judge = screen.claim(1).locator(".said"), screen.page.get_by_text("Judge:")
    for position in range(1, items + 1):
        expect(said).to_have_text(_judged(services, check, position).text)
        if position == 4:
            before = _figures(services, disputed)
            screen.key("k")
            expect(said).to_have_text(_judged(services, check, 3).text)
            expect(judge).to_be_visible()
            screen.settle()
            screen.key("1")
            screen.sees("after seeing the judge")
            assert _figures(services, disputed) == before, "A label given after seeing the judge changed the agreement."
            (own,) = queue.get_claim(services, check, 3, reviewer="Ada").own
            assert (own.verdict, own.is_blind) == (Verdict.CONTRADICTED, True)
            screen.settle()
            screen.key("Enter")
            expect(said).to_have_text(_judged(services, check, 4).text)
            screen.settle()
        expect(judge).to_have_count(0)
        screen.key("4")  # and the queue goes on by itself
        if position < items:
            screen.sees(f"Claim {position + 1} of {items}.")
            screen.settle()
    screen.sees(f"{items} of {items} claims labelled.")
    screen.settle()
    results = queue.list_results(services, check, reviewer="Ada")
    agreed = sum(result.agrees for result in results)
    screen.sees(f"Reviewers and judge agree on {agreed} of {items} claims")
    screen.pick(f"Your labels ({items})")
    screen.sees("You changed your mind on 1 after seeing the judge; your blind label counts.")
    assert _done(services, check) == items
    screen.click_row(screen.page.get_by_test_id("stDataFrame"), 1, x=120)
    screen.until_page("/answers")
    screen.until_address(run=disputed.run_id)


def test_keys_rest_while_a_note_is_written(run: Run, screen: Screen, services: Store) -> None:
    check = _draw(services, run)
    _sit_down(screen, "Cleo", check)
    before = _shown(screen)
    screen.key("n")
    note = screen.page.get_by_role("textbox", name="Note")
    expect(note).to_be_focused()
    screen.page.keyboard.type("1 2 3 4 5 jk su? n")
    screen.page.wait_for_timeout(500)
    assert note.input_value() == "1 2 3 4 5 jk su? n"
    assert (_done(services, check), _shown(screen)) == (0, before)
    screen.key("Escape")
    expect(note).not_to_be_focused()
    screen.key("4")
    _until_done(screen, services, check, 1)
    (own,) = queue.get_claim(services, check, 1, reviewer="Cleo").own
    assert (own.verdict, own.note) == (Verdict.CONTRADICTED, "1 2 3 4 5 jk su? n")


def test_nothing_of_the_judge_reaches_the_browser_before_the_label(run: Run, screen: Screen, services: Store) -> None:
    check = _draw(services, run)
    waiting: dict[int, int] = {}  # what other spot-checks have answered is not handed out
    while (claim := queue.next_claim(services, check, reviewer="Dora", skip=list(waiting.values()))) is not None:
        waiting[claim.item.position] = claim.item.item_id
    steps, position = next((n, at) for n, at in enumerate(waiting) if _judged(services, check, at).evidence)
    judged = _judged(services, check, position)
    frames: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(data.encode() if isinstance(data, str) else data))

    screen.page.on("websocket", listen)
    _sit_down(screen, "Dora", check)
    for _ in range(steps):
        shown = _shown(screen)
        screen.key("j")
        expect(screen.claim(1).locator(".said")).not_to_have_text(shown)
        screen.settle()
    expect(screen.claim(1).locator(".said")).to_have_text(judged.text)
    received = b"".join(frames)
    assert json.dumps(judged.text)[1:-1].encode() in received, "The frames were not read."
    assert judged.explanation
    verdict_forms = (f'"verdict": "{judged.verdict}"', f'"verdict":"{judged.verdict}"')
    for secret in (
        json.dumps(judged.explanation)[1:-1],
        *verdict_forms,
        "confidence 0",
        '"cited_by": [',
        '"cited_by":[',
    ):
        assert secret.encode() not in received, f"{secret!r} reached the browser before the label."
    # The chunks are there, but nothing is marked in them: a quote would have to be a part of its own.
    for evidence in judged.evidence:
        assert f'"text": {json.dumps(evidence.quote)}, "marks": [{{'.encode() not in received
        assert f'"text":{json.dumps(evidence.quote)},"marks":[{{'.encode() not in received
    expect(screen.chunks().locator(".mark")).to_have_count(0)
    expect(screen.chunks().locator(".lit")).to_have_count(0)

    screen.key("3")
    screen.until(lambda: queue.get_claim(services, check, position, reviewer="Dora").is_labelled, "the label is stored")
    expect(screen.claim(1).locator(".said")).not_to_have_text(judged.text)
    screen.settle()
    screen.key("k")
    expect(screen.claim(1).locator(".said")).to_have_text(judged.text)
    screen.settle()
    expect(screen.claim(1)).to_contain_text(judged.explanation)
    expect(screen.chunks().locator(".mark").first).to_be_visible()
    revealed = b"".join(frames)
    assert json.dumps(judged.explanation)[1:-1].encode() in revealed
    assert any(form.encode() in revealed for form in verdict_forms), "A verdict would not have been seen."
    screen.settle()
    screen.key("1")
    screen.until(
        lambda: queue.get_claim(services, check, position, reviewer="Dora").second_thought is not None,
        "the change of mind is stored",
    )
    place = queue.get_claim(services, check, position, reviewer="Dora").item.place
    labels = [
        label
        for label in labelling.claim_history(services, run.run_id, place.row)
        if label.claim_number == place.claim_number and label.reviewer == "Dora"
    ]
    assert [(label.verdict, label.is_blind) for label in labels] == [
        (Verdict.NOT_MENTIONED, True),
        (Verdict.SUPPORTED, False),
    ]
