"""The names that series get."""

import pytest

from faithview.domain.series import name_series


@pytest.mark.parametrize(
    ("run", "series"),
    [
        ("Help centre 2026-w42", "Help centre"),
        ("answers-2026-11-03", "answers"),
        ("nightly 2026-11-03T05:00:00Z", "nightly"),
        ("answers (2)", "answers"),
        ("export_oct", "export"),
        ("Help centre, October 2026", "Help centre"),
        ("may", "may"),
        ("prod_v1.2", "prod"),
        ("answers", "answers"),
        ("answers-2026-11 (judged by Ragas)", "answers"),
        ("2026-11 (judged by Langfuse (our-own-model))", "2026-11"),
        ("gpt-4o", "gpt-4o"),
        ("2026-11", "2026-11"),
        ("w42", "w42"),
        ("Ответы 7", "Ответы"),
    ],
)
def test_a_series_is_named_after_its_first_run_without_a_date_or_number(run: str, series: str) -> None:
    assert name_series(run) == series
