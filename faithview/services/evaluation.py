"""Runs made from samples, and judged here and now."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from faithview.domain.errors import InvalidInput
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec, Run, RunStatus, RunSummary
from faithview.domain.sample import Sample, find_unstorable
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.judges.registry import create_judge, list_judges
from faithview.services.container import Services
from faithview.services.judging import run_blocking
from faithview.services.runner import judge_run
from faithview.store import runs

# Without 0, 1, l and o, which are read for each other.
_ID_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
_ID_LENGTH = 8
_MAX_NAME = 200


def create_run(
    services: Services,
    samples: Sequence[Sample],
    *,
    name: str,
    judge: JudgeSpec,
    threshold: float = DEFAULT_THRESHOLD,
    kb_version: str | None = None,
    source: str | None = None,
) -> Run:
    """Store a new run with its samples, ready to be judged.

    A name that is taken gets a number. The second answer with a key gets "key#2" and so on, and those without a key get
    their position, as the rows of a file do.

    Raises:
        InvalidInput: there is no sample, the threshold is not in [0, 1], or the name is empty or too long.
        JudgeUnavailable: the judge cannot be built, so nothing is stored.
    """
    if not samples:
        raise InvalidInput("There is no answer to judge.")
    if not 0 <= threshold <= 1:
        raise InvalidInput(f"The threshold must be between 0 and 1, not {threshold}.")
    name = " ".join(name.split())
    if not name or len(name) > _MAX_NAME:
        raise InvalidInput(f"A run's name needs 1 to {_MAX_NAME} characters, not {len(name)}.")
    for label, text in (("name", name), ("knowledge base's version", kb_version), ("source", source)):
        if text is not None and find_unstorable(text) is not None:
            raise InvalidInput(f"The {label} {text!r} holds a character that cannot be stored; write it without.")
    fingerprint = create_judge(judge).fingerprint
    now = datetime.now(UTC)
    times = [sample.timestamp for sample in samples if sample.timestamp is not None]
    run = Run(
        run_id="".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH)),
        name=runs.free_name(services.db, name),
        status=RunStatus.PENDING,
        judge=judge,
        fingerprint=fingerprint,
        threshold=threshold,
        kb_version=kb_version,
        source=source,
        created_at=now,
        as_of=max(times, default=now),
    )
    runs.create_run(services.db, run, _with_unique_keys(samples))
    return run


def _with_unique_keys(samples: Sequence[Sample]) -> list[Sample]:
    taken: set[str] = set()
    unique = []
    for position, sample in enumerate(samples, start=1):
        wanted = sample.key or str(position)
        key, number = wanted, 2
        while key in taken:
            key, number = f"{wanted}#{number}", number + 1
        taken.add(key)
        unique.append(sample if key == sample.key else replace(sample, key=key))
    return unique


def judge_here(
    services: Services,
    run: Run,
    *,
    concurrency: int = 8,
    on_judged: Callable[[int, Result], None] | None = None,
) -> RunSummary:
    """Judge the run's pending rows in this process and return its figures. Raises as `judge_run` does."""
    run_blocking(judge_run(services.db, run, concurrency=concurrency, on_judged=on_judged))
    return services.get_summary(run.run_id)


def check_judge(judge: JudgeSpec) -> None:
    """Raise JudgeUnavailable if the judge cannot be built."""
    create_judge(judge)


def known_judges() -> list[tuple[str, str]]:
    """Return name and title of every judge that there is, built-in ones first."""
    return [(info.name, info.title) for info in list_judges()]
