"""The bundled sample's updates, checked before they were published."""

from pathlib import Path

import pytest

from faithview.domain.preflight import Outcome
from faithview.domain.run import JudgeSpec
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Store
from faithview.services.demo import judge_week, read_manifest
from faithview.services.knowledge.versions import load_version, read_knowledge_base, save_knowledge_base
from faithview.services.results import get_run
from tests.factories import open_services
from tests.services.knowledge.preflight.planted import check

pytestmark = pytest.mark.slow
_HANDOVERS = "Handovers"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    services = open_services(tmp_path_factory.mktemp("sample") / "sample.db")
    for week in ("2026-w42", "2026-w44"):
        judge_week(services, week, judge=JudgeSpec())
    for entry in read_manifest()["knowledge_bases"]:
        chunks, _ = read_knowledge_base(sample_folder() / Path(entry["file"]))
        save_knowledge_base(services, entry["version"], chunks)
    return services


def test_the_october_version_puts_handovers_first(sample: Store) -> None:
    run = get_run(sample, "Help centre 2026-w42")
    result = check(sample, run, load_version(sample, "2026-10"), new_version="2026-10")
    first, *others = result.segments
    assert first.segment == _HANDOVERS
    assert first.counts.breaking > 0
    assert sum(one.counts.breaking for one in others) == 0


def test_the_november_version_shows_what_it_breaks_and_fixes(sample: Store) -> None:
    run = get_run(sample, "Help centre 2026-w44")
    result = check(sample, run, load_version(sample, "2026-11"), new_version="2026-11")
    assert result.segments[0].segment == _HANDOVERS
    fixed = result.with_outcome(Outcome.FIXED)
    assert any(claim.segment == _HANDOVERS for claim in fixed)
    assert all(claim.passages and claim.passages[0].after for claim in fixed)
    assert len(load_version(sample, "2026-11")) == 122
