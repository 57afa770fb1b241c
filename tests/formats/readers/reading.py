"""Files of other tools, read as `faithview import` reads them, without a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.formats.read import Detection
from faithview.formats.reading.reader import Judged
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.imports import find_results, to_result

FILES = Path(__file__).parent / "files"
SEEDS = sorted(
    path for path in FILES.rglob("*") if path.is_file() and path.name not in ("README.md", "source_info.jsonl")
)


def files_beside(path: Path) -> list[Path]:
    """Return the other files of a format that comes in several: those in its folder of its own."""
    return [] if path.parent == FILES else sorted(other for other in path.parent.iterdir() if other != path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A file's rows with what its tool found."""

    detection: Detection
    samples: Sequence[Sample]
    judged: Sequence[Judged]
    results: Sequence[Result]
    judge: str

    @property
    def claims(self) -> list[list[tuple[str, str]]]:
        """The verdict and the text of every claim, by row."""
        return [[(claim.verdict.value, claim.text) for claim in result.claims] for result in self.results]


def read_file(
    source: str | bytes, *maps: str, name: str = "x", format_name: str | None = None, others: Sequence[Path] = ()
) -> Read:
    """Read a file of the folder `files`, or bytes, with other files that belong to it."""
    content = source if isinstance(source, bytes) else FILES / source
    dataset: Dataset = open_dataset(
        content, name=name if isinstance(source, bytes) else None, format_name=format_name, others=others
    )
    found = find_results(dataset.remap(list(maps)))
    rows = list(found.iterate())
    return Read(
        detection=dataset.detection,
        samples=[sample for sample, _ in rows],
        judged=[judged for _, judged in rows],
        results=[to_result(judged, sample, judge=found.judge, threshold=0.8) for sample, judged in rows],
        judge=found.judge,
    )
