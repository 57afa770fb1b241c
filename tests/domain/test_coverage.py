"""Coverage: what share of the answers has a verdict."""

import pytest

from faithview.domain.scoring import coverage


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ({"judged": 4}, 1.0),
        ({"judged": 3, "failed": 1}, 0.75),
        ({"judged": 1, "failed": 1, "pending": 1, "empty_context": 1}, 0.25),
        ({"judged": 1, "no_claims": 5, "abstained": 4}, 1.0),
        ({"failed": 2, "judged": 0}, 0.0),
        ({"no_claims": 2, "abstained": 1}, None),
        ({}, None),
    ],
    ids=str,
)
def test_answers_that_need_no_verdict_do_not_count(states: dict[str, int], expected: float | None) -> None:
    assert coverage(states) == expected
