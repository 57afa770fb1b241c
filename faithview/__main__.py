"""Run the command line: `python -m faithview`, and the command `faithview`."""

import gc
import sys
from typing import Any

# The shell's status of a program that Ctrl-C has stopped.
_STOPPED = 130
# More objects than any command imports.
_FIRST_COLLECTION = 300_000


def main() -> None:
    """Run the command line and exit with its status; Ctrl-C while it is still being imported ends it without a word."""
    try:
        _collect_after_imports()
        from faithview.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_STOPPED)


def _collect_after_imports() -> None:
    """Let Python look for garbage later than usual the first time: imports leave none, and looking takes a sixth."""
    usual = gc.get_threshold()

    def look_as_usual(_phase: str, _figures: dict[str, Any]) -> None:
        gc.set_threshold(*usual)
        gc.callbacks.remove(look_as_usual)

    gc.callbacks.append(look_as_usual)
    gc.set_threshold(_FIRST_COLLECTION, *usual[1:])


if __name__ == "__main__":
    main()
