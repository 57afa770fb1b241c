"""What judges scored on labelled files, kept with the runs and shown beside what people found."""

from datetime import UTC, datetime
from typing import Any

from faithview.domain.run import JudgeSpec
from faithview.judges.registry import create_judge
from faithview.services.container import Services
from faithview.services.judge_catalogue import to_build
from faithview.store.judge_quality import benches


def keep_bench(services: Services, judge: JudgeSpec, document: dict[str, Any]) -> None:
    """Keep the document of a bench under the exact judge that was measured."""
    benches.add_bench(
        services.db,
        at=datetime.now(UTC),
        fingerprint=create_judge(to_build(judge)).fingerprint,
        file=str(document["file"]),
        document=document,
    )


def list_benches(services: Services) -> list[tuple[datetime, str, dict[str, Any]]]:
    """Return (time, fingerprint, document) of the newest result of each judge on each file, newest first."""
    return benches.list_benches(services.db)
