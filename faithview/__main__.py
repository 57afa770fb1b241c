"""Run the command line: `python -m faithview`."""

from faithview.cli.main import main

if __name__ == "__main__":
    main()
