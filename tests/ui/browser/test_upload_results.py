"""Files of other tools with their results: taken over with a click, without judging, and looked at."""

import json

import pytest
from playwright.sync_api import expect

from faithview.domain.result import State
from faithview.services.container import Store
from faithview.services.datasets import list_datasets
from faithview.services.results import get_answer_at, get_summary
from tests.formats.readers.reading import FILES
from tests.ui.browser.files import csv_of
from tests.ui.browser.screen import Screen

pytestmark = pytest.mark.browser

_OWN = csv_of(
    [
        {"question": "q1", "answer": "It is 330 m.", "contexts": "It is 330 m.", "groundedness": "0,5"},
        {"question": "q2", "answer": "It is red.", "contexts": "It is 330 m.", "groundedness": "0,5"},
    ]
)


@pytest.fixture
def screen(visitor: Screen) -> Screen:
    """One page for all tests of this file."""
    return visitor


@pytest.mark.parametrize(
    ("name", "judge", "claims", "failed"),
    [
        ("ragas-0.4.csv", "Ragas", 0, 1),
        ("deepeval-4.3.sqlite", "DeepEval (our-own-model)", 4, 1),
        ("langfuse-3.15-traces.jsonl", "Langfuse (our-own-model)", 0, 1),
    ],
)
def test_results_of_a_tool_become_a_run(
    screen: Screen, services: Store, name: str, judge: str, claims: int, failed: int
) -> None:
    screen.visit("/upload")
    screen.upload(name, (FILES / name).read_bytes())
    screen.sees("This file has results")
    if name.startswith("ragas-0.4."):
        expect(screen.role_of("faithfulness")).to_have_value("score")
    screen.begin_series()
    screen.press("Import results")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    summary = get_summary(services, screen.parameters()["run"])
    assert (summary.run.judge.name, sum(summary.claims.values())) == (judge, claims)
    assert (summary.states[State.FAILED], summary.usage.llm_calls) == (failed, 0)
    screen.press("Inspect the worst")
    screen.until_page("/answers")
    if not claims:
        # The worst answer of Langfuse's has what a person wrote about it in place of claims.
        screen.sees("found by ann" if name.startswith("langfuse") else "no claims came with its score")


def test_an_unknown_score_is_offered_and_the_answers_can_be_judged_instead(screen: Screen, services: Store) -> None:
    screen.open("/upload")
    screen.upload("own.csv", _OWN)
    screen.sees("This file has results")
    screen.sees("Judge the answers")
    screen.page.get_by_text("Import the file's results as a run").click()
    screen.settle()
    screen.choose_new("upload.import_dataset", "Questions of the office")
    screen.press("Import results")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    run_id = screen.parameters()["run"]
    assert "Questions of the office" in [known.name for known in list_datasets(services)]
    assert get_answer_at(services, run_id, 1).result.faithfulness == 0.5
    assert get_summary(services, run_id).run.judge.name == "groundedness"


def test_two_scores_are_asked_about(screen: Screen, services: Store) -> None:
    rows = [{"question": "q", "answer": "It is so.", "contexts": "It is so.", "grounded": "yes", "faithful": "no"}]
    screen.open("/upload")
    screen.upload("two.json", json.dumps(rows).encode())
    screen.page.get_by_text("Import the file's results as a run").click()
    screen.settle()
    screen.sees("could each be faithfulness")
    expect(screen.page.get_by_role("button", name="Import results")).to_have_count(0)
    screen.give_role("faithful", "Faithfulness")
    screen.settle()
    screen.press("Import results")
    screen.until(lambda: "run" in screen.parameters(), "the run is in the address")
    assert get_summary(services, screen.parameters()["run"]).score.mean == 0.0
