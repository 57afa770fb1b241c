"""Run the command line: the command `faithview`, and `python -P -m faithview`.

Without `-P`, Python imports what lies in the current folder before it gets here.
"""

import atexit
import gc
import sys
from typing import Any

from faithview.cli.exit_codes import STOPPED

# More objects than any command imports.
_FIRST_COLLECTION = 300_000


def main() -> None:
    """Run the command line and exit with its status; Ctrl-C while it is still being imported ends it without a word."""
    try:
        # The first to be registered is the last to be called. Without it Python would look through everything that was
        # imported for garbage once more, although the system takes back all memory a moment later.
        atexit.register(gc.freeze)
        _collect_after_imports()
        from faithview.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(STOPPED)


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
