"""`faithview` in processes of its own, with the scripted judge, for tests that kill them or take their store away."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from faithview.settings import DATABASE_VARIABLE
from tests.dashboard import ROOT
from tests.services.scripted import GATE_VARIABLE, LOG_VARIABLE

# A busy machine takes half a minute to start Python.
_PATIENCE_S = 90


def scripted_environment(folder: Path, store_url: str) -> dict[str, str]:
    """Return the environment of a process that knows the scripted judge, as if a plug-in were installed."""
    plugin = folder / "plugin" / "scripted_judge-1.dist-info"
    plugin.mkdir(parents=True)
    (plugin / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-judge\nVersion: 1\n", encoding="utf-8")
    points = "[faithview.judges]\nscripted = tests.services.scripted:build\n"
    (plugin / "entry_points.txt").write_text(points, encoding="utf-8")
    return {
        **os.environ,
        "PYTHONPATH": f"{plugin.parent}{os.pathsep}{ROOT}",
        DATABASE_VARIABLE: store_url,
        LOG_VARIABLE: str(folder / "judged.log"),
        GATE_VARIABLE: str(folder / "gate"),
    }


def gate(environment: Mapping[str, str]) -> Path:
    """Return the file that keeps the judge from going on beyond its first rows while it is there."""
    return Path(environment[GATE_VARIABLE])


def start(environment: Mapping[str, str], *arguments: str) -> subprocess.Popen[str]:
    """Start a command."""
    return subprocess.Popen(
        [sys.executable, "-m", "faithview", *arguments],
        env=dict(environment),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_heed_ctrl_c,
    )


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"it did not come about within {_PATIENCE_S} seconds"
        time.sleep(0.05)  # each look costs the processor that the other process needs


def _heed_ctrl_c() -> None:
    """Undo what a shell does to commands in the background, whose children would not notice Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
