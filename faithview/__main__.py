"""Run the command line: `python -m faithview`, and the command `faithview`."""

import sys

# The shell's status of a program that Ctrl-C has stopped.
_STOPPED = 130


def main() -> None:
    """Run the command line and exit with its status; Ctrl-C while it is still being imported ends it without a word."""
    try:
        from faithview.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_STOPPED)


if __name__ == "__main__":
    main()
