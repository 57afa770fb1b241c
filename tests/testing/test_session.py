"""The end of a session of tests that judged nothing."""

from pathlib import Path

import pytest

from faithview.testing.options import PREVIOUS, SessionOptions
from faithview.testing.session import store_session

pytestmark = pytest.mark.process  # takes long


@pytest.mark.parametrize(
    ("baseline", "failures"),
    [
        (None, []),
        (PREVIOUS, ["it is not known whether faithfulness fell, because nothing could be compared"]),
    ],
)
def test_a_comparison_that_nothing_was_judged_for_fails(
    tmp_path: Path, baseline: str | None, failures: list[str]
) -> None:
    report = store_session(SessionOptions(baseline=baseline), [], baseline_id=None, folder=tmp_path)
    assert report.failures == failures
    assert report.warnings == ["No test judged an answer with the fixture `faithfulness`, so no run was stored."]
