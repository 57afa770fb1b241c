"""An import that is killed anywhere and continued ends as one that nobody killed: nothing twice, nothing missing."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.formats.made_files import as_jsonl

ROOT = Path(__file__).parents[2]
_AT = "2026-03-04T05:06:07+00:00"
_ROWS = 10
# Drawn from every second row, so that labels are stored with their batch and with the last row.
_CHECK = {
    "spot_check": "7",
    "name": "Weekly",
    "created_at": _AT,
    "created_by": "ann",
    "blind": True,
    "reviewers_per_item": 1,
    "assigned_to": ["bob"],
    "design": {"size": 5, "unit": "claim", "strata": "none", "seed": 3},
    "frame": {
        "strata": [{"name": "all", "units": _ROWS, "weight": 1.0, "judged": 1.0}],
        "labels_per_unit": 1.0,
        "answers": _ROWS,
    },
    "drawn_claims": _ROWS // 2,
    "judged_answers": _ROWS,
}


def _row(number: int) -> dict[str, Any]:
    """A row of an export with a label, an adjudication, a claim that the judge missed, and a note."""
    answer = "It is 330 m. It opened in 1887."
    is_drawn = number % 2 == 0
    item = {"claim": 1, "place": number // 2 + 1, "stratum": "all", "inclusion_probability": 0.5}
    label = {
        "spot_check": "7" if is_drawn else None,
        "verdict": "contradicted",
        "reviewer": "ann",
        "at": _AT,
        "note": f"{number}: 1889",
        "blind": True,
    }
    return {
        "key": f"k{number}",
        "question": "How tall?",
        "answer": answer,
        "chunks": [{"id": "c1", "text": "It is 330 m tall and opened in 1889."}],
        "segment": None,
        "state": "judged",
        "faithfulness": 1.0,
        "view": "judge",
        "judge": "tool 1",
        "claims": [
            {"text": "It is 330 m.", "verdict": "supported", "answer_spans": [[0, 12]],
             "labels": [label, {**label, "reviewer": "eve", "role": "adjudicator", "blind": False}],
             "notes": [{"author": "bob", "at": _AT, "text": f"See row {number}."}]},
        ],
        "missed_claims": [{**label, "start": 13, "end": len(answer), "corrected_text": "It opened in 1887."}],
        "extra": {},
        "spot_checks": [{**_CHECK, "claims": [item]}] if is_drawn else [],
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a process cannot be forked or killed with SIGKILL on Windows")
def test_an_import_killed_after_any_transaction_is_continued_without_doubling_anything(
    tmp_path: Path, store_url: str
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(as_jsonl([_row(number) for number in range(_ROWS)]))
    ended = subprocess.run(
        [sys.executable, "-m", "tests.services.killed_imports", store_url, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    whole, *killed = [json.loads(line) for line in ended.stdout.splitlines()]
    first = whole["rows"][0]
    assert (len(whole["rows"]), len(first["claims"][0]["labels"]), len(first["claims"][0]["notes"])) == (_ROWS, 2, 1)
    assert (len(first["missed_claims"]), len(first["spot_checks"])) == (1, 1)
    assert [one["killed_after"] for one in killed] == [*range(1, len(killed)), None]
    assert len(killed) > 10  # three batches, each with rows, results and what people said
    for one in killed:
        assert one["status"] == "complete", one["killed_after"]
        assert one["rows"] == whole["rows"], one["killed_after"]
