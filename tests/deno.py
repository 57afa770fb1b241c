"""Deno, which tests the JavaScript; it comes with the tests' other requirements and uses no network."""

import os
import subprocess

import deno

from tests.dashboard import ROOT


def run_deno(*arguments: str) -> str:
    """Run it in the repository and return what it printed; fail with all that it said where it fails."""
    environment = {**os.environ, "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}
    command = [deno.find_deno_bin(), *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
