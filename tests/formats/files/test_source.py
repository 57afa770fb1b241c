"""What a file's name says of its content, and what it does not."""

import pytest

from faithview.formats.files.source import without_ending


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("ragas-0.4.jsonl", "ragas-0.4"),
        ("ragas-0.4.jsonl.gz", "ragas-0.4"),
        ("2026.11.22 answers.CSV", "2026.11.22 answers"),
        ("model v1.2", "model v1.2"),
        ("answers.gz", "answers"),
        (".csv", ".csv"),
        ("standard input", "standard input"),
    ],
)
def test_only_a_known_ending_is_taken_off_a_name(name: str, short: str) -> None:
    assert without_ending(name) == short
