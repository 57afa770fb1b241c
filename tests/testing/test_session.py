"""The end of a session of tests that judged nothing."""

from pathlib import Path

from faithview.testing.options import PREVIOUS, SessionOptions
from faithview.testing.session import store_session


def test_a_comparison_that_nothing_was_judged_for_fails(tmp_path: Path) -> None:
    report = store_session(SessionOptions(baseline=PREVIOUS), [], baseline_id=None, folder=tmp_path)
    assert report.failures == ["it is not known whether faithfulness fell, because nothing could be compared"]
    assert [line.partition(":")[0] for line in report.lines] == ["warning"]
