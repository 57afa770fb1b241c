"""Label keys pressed in a browser, fast, on a slow server: what was marked at each press, beside what was stored."""

import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM, LabelKind
from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample
from faithview.services.container import Store
from faithview.services.results import iterate_answers
from faithview.services.review import labels
from tests.dashboard import Dashboard, free_port, start_server

CLAIMS = 6  # of each answer
CHOICES = (*(str(verdict) for verdict in Verdict), NOT_A_CLAIM)
_WAIT_MS = 60_000

# Runs before any script of the page: what is marked is noted before the page itself hears of the key.
RECORDER = """
(() => {
  const find = (selector) => {
    for (const host of document.querySelectorAll('*')) {
      const found = host.shadowRoot?.querySelector(selector);
      if (found) return found;
    }
    return document.querySelector(selector);
  };
  const marked = () => {
    const view = find('.view');
    if (!view || view.matches('.waiting, .leaving')) return null;
    const claim = view.querySelector('.claim[aria-selected="true"]');
    if (!claim) return null;
    return {
      answer: view.querySelector('.pane.answer .reading').textContent,
      number: Number(claim.dataset.claim),
      said: claim.querySelector('.said')?.textContent ?? null,
    };
  };
  const keys = () => find('.keys');
  window.presses = [];
  window.readPage = () => ({
    isLeaving: find('.view')?.matches('.waiting, .leaving') ?? true,
    answer: find('.view .pane.answer .reading')?.textContent ?? null,
    refused: Number(keys()?.dataset.refused ?? 0),
    taken: window.presses.length - Number(keys()?.dataset.refused ?? 0),
    said: keys()?.querySelector('.refused')?.textContent ?? '',
    isOnTheWay: (keys()?.querySelector('[role=status]')?.textContent ?? '').startsWith('Storing '),
  });
  window.addEventListener('keydown', (event) => {
    if (/^[1-5]$/.test(event.key)) window.presses.push({ key: event.key, marked: marked() });
  }, true);
})();
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What became of the presses: `wrong` labels are on a claim that was not marked, `lost` presses on none, unsaid."""

    presses: int
    stored: int
    refused: int
    wrong: int
    lost: int
    problems: Sequence[str] = field(default=())

    def __str__(self) -> str:
        return (
            f"{self.presses} presses, {self.stored} labels, {self.wrong} on a wrong claim, {self.refused} refused and "
            f"said so, {self.lost} lost"
        )


def many_claim_samples(number: int) -> list[Sample]:
    """So many answers of `CLAIMS` claims each, no two of which have the same words."""
    return [
        Sample(
            key=f"r{at}",
            question=f"How many members do the inboxes of house {at} hold?",
            answer=" ".join(f"Inbox {at * 100 + n} holds {20 + n} members." for n in range(CLAIMS)),
            chunks=tuple(
                Chunk(chunk_id=f"kb-{at}-{n}", text=f"Inbox {at * 100 + n} holds {20 + n % 4} members.")
                for n in range(CLAIMS)
            ),
        )
        for at in range(1, number + 1)
    ]


def start_slow_dashboard(database_url: str, *, log: Path, delay_s: float) -> Dashboard:
    """Start the dashboard on a server that waits before every run of the script."""
    port = free_port()
    command = [sys.executable, "-m", "tests.slow_server", str(delay_s), "--port", str(port)]
    return start_server(command, port=port, log=log, environment={"FAITHVIEW_DB": database_url})


def press_on_inspect(page: Page, *, answers: int, pause_ms: int) -> None:
    """Label every claim of so many answers, from the one that is open: right, a label, right, a label, then J.

    After every second J keys follow at once, while the next answer is not there yet.
    """
    choices = itertools.cycle("12345")
    for number in range(answers):
        for _ in range(CLAIMS):
            for key in ("ArrowRight", next(choices)):
                page.keyboard.press(key)
                page.wait_for_timeout(pause_ms)
        if number == answers - 1:
            break
        before = read_page(page)["answer"]
        page.keyboard.press("j")
        if number % 2:
            for key in ("ArrowRight", next(choices)):
                page.wait_for_timeout(pause_ms)
                page.keyboard.press(key)
        _until(page, f"!readPage().isLeaving && readPage().answer !== {json.dumps(before)}")


def press_in_queue(page: Page, *, taken: int, pause_ms: int, most: int = 20_000) -> None:
    """Press label keys without a rest until so many were taken, whatever is on screen."""
    choices = itertools.cycle("12345")
    before = read_page(page)["taken"]
    for _ in range(most):
        page.keyboard.press(next(choices))
        page.wait_for_timeout(pause_ms)
        if read_page(page)["taken"] - before >= taken:
            return


def read_page(page: Page) -> Mapping[str, Any]:
    """Return what the page says of the keys, and which answer is on screen."""
    shown: Mapping[str, Any] = page.evaluate("readPage()")
    return shown


def compare(page: Page, services: Store, run: Run, *, reviewer: str) -> Figures:
    """Wait until all presses are answered, and compare what was marked when each key went down with what is stored."""
    _until(page, "!readPage().isOnTheWay")
    places: dict[tuple[str, int], tuple[int, int]] = {}
    by_words: dict[str, tuple[int, int]] = {}
    for detail in iterate_answers(services, run.run_id):
        for number, claim in enumerate(detail.result.claims, start=1):
            places[detail.sample.answer, number] = by_words[claim.text] = (detail.position, number)
    wanted: list[tuple[tuple[int, int], str]] = []
    presses = page.evaluate("presses")
    for press in presses:
        if (marked := press["marked"]) is not None:
            place = by_words.get(marked["said"]) or places[marked["answer"], marked["number"]]
            wanted.append((place, CHOICES[int(press["key"]) - 1]))
    given = sorted(
        (label.label_id, (row, label.claim_number or 0), str(label.verdict or NOT_A_CLAIM))
        for row in {position for position, _ in places.values()}
        for label in labels.claim_history(services, run.run_id, row)
        if label.reviewer == reviewer and label.kind is not LabelKind.RETRACTION
    )
    rest, problems = iter(wanted), []
    for _, place, choice in given:
        if (place, choice) not in rest:  # looks on from the last one found, so that the order counts too
            problems.append(f"{choice} on {place}")
            rest = iter(wanted)
    refused = int(read_page(page)["refused"])
    return Figures(
        presses=len(presses),
        stored=len(given),
        refused=refused,
        wrong=len(problems),
        lost=len(presses) - len(given) - refused,
        problems=problems,
    )


def _until(page: Page, condition: str) -> None:
    page.wait_for_function(condition, timeout=_WAIT_MS)
