"""What a user reads about each ugly file: `python -m tests.performance.ugly_files`."""

import tempfile
from pathlib import Path

from faithview.domain.errors import FaithViewError
from faithview.services.dataset_files import open_dataset
from tests.formats.files.test_ugly_files import UGLY, write_ugly


def read_out(path: Path) -> str:
    """Return the sentence that refuses a file, or what is read of it with all problems and warnings."""
    try:
        dataset = open_dataset(path).as_guessed()
        report = dataset.survey().report
    except FaithViewError as error:
        return str(error).replace(f"{path.parent}/", "")
    said = [*map(str, report.problems), *report.warnings, *report.notes]
    return " ".join([f"{report.usable:,} read, {report.problem_count} refused.", *dict.fromkeys(said)])


def main() -> None:
    """Print the table as Markdown."""
    print("| file | what a user reads |\n| --- | --- |")
    for fault in UGLY:
        with tempfile.TemporaryDirectory() as folder:
            print(f"| {fault} | {read_out(write_ugly(fault, Path(folder)))} |", flush=True)


if __name__ == "__main__":
    main()
