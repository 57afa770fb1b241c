"""Run the command line: the command `faithview`, and `python -P -m faithview`.

Without `-P`, Python imports what lies in the current folder before it gets here.
"""

import atexit
import gc
import sys

from faithview.cli.exit_codes import STOPPED


def main() -> None:
    """Run the command line and exit with its status; Ctrl-C while it is still being imported ends it without a word."""
    # Imports leave no garbage: looking for it as often as usual, and at the end, takes a fifth of a short command.
    gc.set_threshold(300_000)
    atexit.register(gc.freeze)
    try:
        from faithview.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
