"""Upload says of each column that a tool's result is read from that it is, whatever tool wrote the file."""

from pathlib import Path

import pytest

from faithview.domain.mapping import RESULT_FIELDS
from faithview.formats.reading.reader import Row
from faithview.services.dataset_files import open_dataset
from faithview.services.import_rows import ReadCells, judged_row, list_read_columns
from tests.formats.readers.reading import FILES, SEEDS, files_beside


def _has_results(path: Path) -> bool:
    """Return whether there are results on answers; some tools also write scores alone."""
    dataset = open_dataset(path, others=files_beside(path))
    return dataset.detection.match.has_results and bool({dataset.mapping.answer, dataset.mapping.claim} - {None})


_WITH_RESULTS = [path for path in SEEDS if _has_results(path)]


@pytest.mark.parametrize("path", _WITH_RESULTS, ids=lambda path: path.name)
def test_each_column_that_the_reader_uses_is_said(path: Path) -> None:
    dataset = open_dataset(path, others=files_beside(path))
    mapping = dataset.mapping
    said = {*list_read_columns(dataset), *mapping.columns, *(getattr(mapping, name) for name in RESULT_FIELDS)}
    inside = {name.partition(".")[0] for name in said if name}
    used: set[str] = set()
    for row in dataset.stream(needs_chunks=False):  # all rows, where the page has the first ones
        cells = ReadCells(row.cells)
        judged_row(dataset.detection.reader, Row(cells, row.sample, row.mapping))
        used |= cells.names & {*dataset.table.columns}
    assert used
    assert used <= {*said, *inside}


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("deepeval-4.3-test_run.json", {"metricsData": False, "runDuration": True}),
        ("promptfoo-0.121.json", {"scores": False, "metric.length": True}),
        ("trulens-2.16-records.sqlite", {"Groundedness_calls": False, "Groundedness_error": True}),
        ("opik-traces.csv", {"feedback_scores": False, "feedback.helpfulness": True}),
        ("uptrain.json", {"score_context_relevance": True, "explanation_factual_accuracy": False}),
    ],
)
def test_lists_are_the_reader_s_and_plain_values_may_be_something_else(name: str, read: dict[str, bool]) -> None:
    assert list_read_columns(open_dataset(FILES / name)) == read
