"""A clock that jumps while a run is judged loses no answer, and holds nobody up once it is right."""

from pathlib import Path

import pytest

from tests.faults import clocks

pytestmark = [pytest.mark.slow, pytest.mark.skipif(clocks.library() is None, reason="libfaketime is not installed")]


@pytest.mark.parametrize("is_killed", [False, True], ids=["goes on", "killed"])
@pytest.mark.parametrize("name", ["back by a year", "ahead by a year"])
def test_a_run_ends_whole_although_the_clock_jumps(tmp_path: Path, name: str, is_killed: bool) -> None:
    assert clocks.jump(tmp_path / "store", clocks.JUMPS[name], is_killed=is_killed) == ""
