"""The bundled sample's updates, checked before they were published, and what the next run showed."""

from pathlib import Path

import pytest

from faithview.domain.preflight import Outcome
from faithview.domain.run import JudgeSpec
from faithview.services.bundled_files import sample_folder
from faithview.services.container import Store
from faithview.services.demo import judge_week, read_manifest
from faithview.services.knowledge.versions import load_version, read_knowledge_base, save_knowledge_base
from tests.factories import open_services
from tests.performance.preflight import check_sample

pytestmark = pytest.mark.process
_HANDOVERS = "Handovers"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Store:
    services = open_services(tmp_path_factory.mktemp("sample") / "sample.db")
    for week in ("2026-w42", "2026-w43", "2026-w44", "2026-w45"):
        judge_week(services, week, judge=JudgeSpec())
    for entry in read_manifest()["knowledge_bases"]:
        chunks, _ = read_knowledge_base(sample_folder() / Path(entry["file"]))
        save_knowledge_base(services, entry["version"], chunks)
    return services


def test_the_october_version_puts_handovers_first_and_most_of_what_broke_is_predicted(sample: Store) -> None:
    result, foresight = check_sample(sample, "2026-10", "Help centre 2026-w42", "Help centre 2026-w43")
    first, *others = result.segments
    assert first.segment == _HANDOVERS
    assert first.counts.breaking > 0
    assert sum(one.counts.breaking for one in others) == 0
    assert foresight.by_documents >= 10
    assert foresight.by_documents_predicted >= 0.7 * foresight.by_documents
    assert foresight.by_documents_named >= foresight.by_documents_predicted
    assert foresight.changing_worse >= 0.7 * foresight.changing
    assert foresight.foretold_held == 0


def test_the_november_version_shows_what_it_breaks_and_fixes(sample: Store) -> None:
    result, _ = check_sample(sample, "2026-11", "Help centre 2026-w44", "Help centre 2026-w45")
    assert result.segments[0].segment == _HANDOVERS
    fixed = result.with_outcome(Outcome.FIXED)
    assert any(claim.segment == _HANDOVERS for claim in fixed)
    assert all(claim.passages and claim.passages[0].after for claim in fixed)
    assert len(load_version(sample, "2026-11")) == 122
