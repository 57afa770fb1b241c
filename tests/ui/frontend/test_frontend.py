"""The tests of the dashboard's JavaScript, in the files beside this one."""

import pytest

from tests.deno import run_deno

pytestmark = pytest.mark.process


def test_the_dashboards_javascript() -> None:
    assert "| 0 failed" in run_deno("test", "--no-check", "--cached-only")
