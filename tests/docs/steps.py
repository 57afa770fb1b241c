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


def label_spot_check() -> None:
    """Label all claims of Monday's run in a spot-check."""
    claims = json.loads(_call("spot-check", "draw", "monday", "--size", "12", "--json"))
    lines = []
    for claim in claims["items"]:
        place = claim["key"], int(claim["claim_id"].rpartition("-")[2])
        verdict = "contradicted" if place in _CONTRADICTED else "supported"
        lines.append(json.dumps({"claim_id": claim["claim_id"], "verdict": verdict, "reviewer": "ada"}) + "\n")
    Path("given.jsonl").write_text("".join(lines), encoding="utf-8")
    _call("labels", "import", "monday", "given.jsonl", "--spot-check", str(claims["spot_check_id"]))


def write_friday() -> None:
    """Write Friday's file: Monday's rows with those that changed."""
    rows = {row["id"]: row for row in map(json.loads, _tutorial_file("monday.jsonl").splitlines())}
    rows |= {row["id"]: row for row in map(json.loads, _tutorial_file("changed.jsonl").splitlines())}
    Path("friday.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows.values()), encoding="utf-8")


STEPS: Mapping[str, Callable[[], None]] = {
    "label the spot-check": label_spot_check,
    "write friday.jsonl": write_friday,
}
