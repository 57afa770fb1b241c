"""What the reader of a page does elsewhere, in the dashboard or with a file of their own, before the next block."""

import contextlib
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.docs.pages import read_blocks

_TUTORIAL = "docs/tutorial.md"
# What a careful reader says of the tutorial's claims; all others are supported.
_CONTRADICTED = {("q6", 1), ("q8", 2)}


def _call(*words: str) -> str:
    from tests.docs.run import call

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        call(["faithview", *words])
    return printed.getvalue()


def _tutorial_file(title: str) -> str:
    return next(block.text for block in read_blocks(_TUTORIAL) if block.title == title)


def judge_monday() -> None:
    """Judge the tutorial's file, and have labels for it in a file."""
    Path("monday.jsonl").write_text(_tutorial_file("monday.jsonl"), encoding="utf-8")
    _call("evaluate", "monday.jsonl", "--name", "monday")
    claims = json.loads(_call("spot-check", "draw", "monday", "--size", "2", "--json"))["items"]
    labels = [{"claim_id": claim["claim_id"], "verdict": "supported", "reviewer": "ben"} for claim in claims]
    Path("labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels), encoding="utf-8")


def label_spot_check() -> None:
    """Label all claims of Monday's run in a spot-check."""
    claims = json.loads(_call("spot-check", "draw", "monday", "--size", "12", "--json"))
    lines = []
    for claim in claims["items"]:
        place = claim["key"], int(claim["claim_id"].rpartition("-")[2])
        verdict = "contradicted" if place in _CONTRADICTED else "supported"
        lines.append(json.dumps({"claim_id": claim["claim_id"], "verdict": verdict, "reviewer": "ada"}) + "\n")
    Path("given.jsonl").write_text("".join(lines), encoding="utf-8")
    _call("label", "monday", "given.jsonl", "--spot-check", str(claims["spot_check_id"]))


def write_friday() -> None:
    """Write Friday's file: Monday's rows with those that changed."""
    rows = {row["id"]: row for row in map(json.loads, _tutorial_file("monday.jsonl").splitlines())}
    rows |= {row["id"]: row for row in map(json.loads, _tutorial_file("changed.jsonl").splitlines())}
    Path("friday.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows.values()), encoding="utf-8")


def write_results() -> None:
    """Have another tool's results: two answers with the scores that Ragas gave them."""
    rows = [
        {
            "user_input": f"How many seats has plan {number}?",
            "response": f"Plan {number} has 5 seats.",
            "retrieved_contexts": [f"Plan {number} has 5 seats."],
            "faithfulness": 1.0,
        }
        for number in (1, 2)
    ]
    Path("results.json").write_text(json.dumps(rows), encoding="utf-8")


def have_store() -> None:
    """Have a store already: making one takes a loaded machine longer than `flush_log` waits."""
    from faithview import open_store

    with open_store():
        pass


STEPS: Mapping[str, Callable[[], None]] = {
    "judge monday.jsonl": judge_monday,
    "label the spot-check": label_spot_check,
    "write friday.jsonl": write_friday,
    "have a store": have_store,
    "have results of another tool": write_results,
}
