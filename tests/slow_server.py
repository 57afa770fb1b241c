"""The dashboard on a slow server: `python -m tests.slow_server SECONDS --port N` waits before each script run."""

import sys
import time
from typing import Any

from streamlit.runtime.scriptrunner import script_runner

from faithview.ui.serving.dashboard_server import main


def delay_script_runs(seconds: float) -> None:
    """Wait that long before each run of the script does anything, its callbacks included."""
    run_script = script_runner.ScriptRunner._run_script

    def run_late(self: script_runner.ScriptRunner, rerun_data: Any) -> None:
        time.sleep(seconds)
        run_script(self, rerun_data)

    script_runner.ScriptRunner._run_script = run_late  # type: ignore[method-assign]  # a delay of every run is the point


if __name__ == "__main__":
    delay_script_runs(float(sys.argv.pop(1)))
    main()
