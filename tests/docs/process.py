"""Pages and commands of the documentation, run in a process and a folder of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.docs.pages import ROOT


def run(command: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in that folder as a user would: with nothing set but what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FAITHVIEW_", "PYTEST_"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), **more}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=240
    )


def run_page(page: str, folder: Path) -> dict[int, str]:
    """Run the blocks of a page, and return what each has printed by the number of its line; no block may fail."""
    command = [sys.executable, "-W", "error", "-m", "tests.docs.run", page]
    done = run(command, folder, FAITHVIEW_DB="sqlite:///faithview.db", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    results: list[dict[str, Any]] = json.loads(done.stdout)
    failed = [f"{page}:{result['line']} {result['error']}\n{done.stderr}" for result in results if result["error"]]
    assert not failed, failed[0]
    return {result["line"]: result["printed"] for result in results}
