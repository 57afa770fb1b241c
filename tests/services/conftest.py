"""A store and a scripted judge for use cases."""

from collections.abc import Iterator

import pytest

from faithview.services.container import Store
from faithview.services.judge_quality import benchmarks
from faithview.services.runs import create, execute, judge_answer
from tests.factories import open_services
from tests.services.llm_runs import point_at
from tests.services.scripted import ScriptedJudge
from tests.vendor import Vendor, running


@pytest.fixture
def services(store_url: str) -> Iterator[Store]:
    """Store over an empty store."""
    with open_services(store_url) as built:
        yield built


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    """The judge that every run of the test is judged by, whatever it asks for."""
    scripted = ScriptedJudge()
    for module in (benchmarks, create, judge_answer, execute):
        monkeypatch.setattr(module, "create_judge", lambda _spec: scripted)
    return scripted


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    """A server that replies sensibly, which the SDKs call."""
    with running() as started:
        point_at(started, monkeypatch)
        yield started
