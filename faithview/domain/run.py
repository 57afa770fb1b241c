"""A run: one judge over one set of answers, its summary figures, and how often the judge errs."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from faithview.domain.certainty import CALIBRATED
from faithview.domain.live import LiveWindow
from faithview.domain.result import Usage
from faithview.domain.scoring import DEFAULT_THRESHOLD, RunScore, count_wanted, coverage


class RunStatus(StrEnum):
    """The state of a run. `interrupted`: the process that judged it, or that read its file, sends no heartbeat."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    CANCELLED = "cancelled"
    FAILED = "failed"


# The method of runs whose results come from another tool: they cannot be resumed, only judged again as a new run.
IMPORTED = "imported"

# The default judge: offline, without a key.
DEFAULT_JUDGE = "embedded"

# The judge that asks another one about the claims that the default judge is unsure of: "cascade:openai:MODEL".
CASCADE = "cascade"

# A heartbeat from further in the future comes from a clock that is or was wrong, and is ignored. Clocks of machines
# that share a store may differ by less.
MOST_AHEAD = timedelta(hours=1)

# Seconds between two polls of a vendor's batch.
POLL_S = 60.0


def is_sign_of_life(at: datetime, now: datetime, *, lease: timedelta) -> bool:
    """Return whether a worker whose last heartbeat was at this time is still alive; it sends one within each lease."""
    return now - lease <= at <= now + MOST_AHEAD


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """The judge and its settings; stored with the run, so old runs can be explained.

    `name` is as in the contract ("embedded", "openai:MODEL"). `method` is how an LLM judge works, "claims" otherwise.
    `options` are passed to the judge's factory unchanged; they contain no key.
    """

    name: str = DEFAULT_JUDGE
    method: str = "claims"
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_cascade(self) -> bool:
        """Whether the judge decides some claims and asks another judge about the others: "cascade:openai:MODEL"."""
        return self.name.partition(":")[0] == CASCADE

    @property
    def may_be_near_cut(self) -> bool:
        """Whether the judge, or the first one of a cascade, may be unsure of a verdict (`domain.certainty`)."""
        return self.name in CALIBRATED or (self.is_cascade and DEFAULT_JUDGE in CALIBRATED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run as it is stored; its figures are in `RunSummary`.

    `fingerprint` names the exact judge (version of the embedded one; model, prompt name and hash of an LLM), so
    comparisons can tell different judges apart. `repeat_of` is the id of the run whose rows this one judges again, to
    measure the judge's own noise, and `repeats` are the ids of those that repeat this one. `preflight_of` is set in the
    two runs of a preflight (`services/knowledge/preflight.py`), which no list or trend has. `use_cache` says whether
    verdicts of earlier runs are reused. `as_of` is the time of the answers: the latest of their own timestamps
    if the file has them, else `created_at`. `revision` increases with every write to the run's
    results. `rows_left_out` counts the rows of its file that could not be read; they are not among the run's answers.
    `series` is the series of the run (`domain/series.py`); it is empty only until the run is stored.
    `archived_at` is when the run was archived (`store/series.py`), None for a run in use.
    `note` is people's note on the run, "" for none. `live` is the window of live traffic that a watch judges in
    the run; None for other runs. `source` is the name of its file, and `rows_hash` the hash of its rows
    (`content_hashes.rows_hash`), equal for runs over the same rows; it is None until all are stored.
    """

    run_id: str
    name: str
    status: RunStatus
    judge: JudgeSpec
    fingerprint: str
    threshold: float = DEFAULT_THRESHOLD
    kb_version: str | None = None
    source: str | None = None
    created_at: datetime
    as_of: datetime
    finished_at: datetime | None = None
    revision: int = 0
    seconds: float = 0.0
    error: str | None = None
    repeat_of: str | None = None
    repeats: tuple[str, ...] = ()
    preflight_of: str | None = None
    use_cache: bool = True
    rows_left_out: int = 0
    series: str = ""
    archived_at: datetime | None = None
    note: str = ""
    live: LiveWindow | None = None
    rows_hash: str | None = None

    @property
    def is_imported(self) -> bool:
        """Whether another tool judged the answers, and its results were imported."""
        return self.judge.method == IMPORTED

    def is_before(self, other: "Run") -> bool:
        """Return whether this run is earlier than the other: by the time of the answers, then by its creation.

        Creation decides if the same file is judged again, or if a fixed set of questions keeps its timestamps.
        """
        return (self.as_of, self.created_at) < (other.as_of, other.created_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSummary:
    """One segment of a run: how many answers it has and how many are judged, and their mean with its interval.

    `states` counts the states that occur.
    """

    segment: str
    rows: int
    score: RunScore
    states: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run with its figures.

    `states` and `claims` count every state and every verdict, zeros included. `weighted` is the mean weighted score
    over judged answers; `faithful_rows` counts judged answers that are faithful. `inclusion` are the lowest and the
    highest inclusion probability of its answers. If these differ, the means and the hallucination rate weight each
    answer by the inverse of its own; counts are not weighted. `decided_by` counts the claims by the judge of a cascade
    that gave their verdict; it is empty for other judges.
    """

    run: Run
    rows: int
    states: Mapping[str, int]
    claims: Mapping[str, int]
    score: RunScore
    weighted: float | None
    faithful_rows: int
    hallucination_rate: float | None
    segments: tuple[SegmentSummary, ...]
    usage: Usage
    inclusion: tuple[float, float] = (1.0, 1.0)
    decided_by: Mapping[str, int] = field(default_factory=dict)

    @property
    def coverage(self) -> float | None:
        """The share of the answers that have a verdict among those that should; None if none should."""
        return coverage(self.states, left_out=self.run.rows_left_out)

    @property
    def wanted(self) -> int:
        """How many answers should have a verdict: the denominator of `coverage`."""
        return count_wanted(self.states, left_out=self.run.rows_left_out)

    @property
    def inclusion_probability(self) -> float | None:
        """The inclusion probability of every answer of the run; None if they differ."""
        lowest, highest = self.inclusion
        return lowest if lowest == highest else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContents:
    """The objects that are deleted with a run.

    `labels` counts by reviewer the labels that were given in the run, without those carried over from other runs.
    `spot_checks` names the spot-checks that lose all their claims, `shortened_spot_checks` those that lose some.
    `repeats` counts the runs that judge the same answers again; those are kept.
    """

    answers: int
    claims: int
    labels: Mapping[str, int]
    spot_checks: tuple[str, ...]
    shortened_spot_checks: tuple[str, ...]
    repeats: int


def unused_name(wanted: str, taken: Collection[str]) -> str:
    """Return the wanted name, or the first of "wanted (2)", "wanted (3)", ... that is not taken."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} ({number})", number + 1
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeErrors:
    """Counts over `answers` about documentation whose errors are marked; nothing in the judge was fitted to them.

    `errors` counts the wrong places in them; `errors_caught` those with a claim that the judge did not call supported.
    `right_claims` counts the claims without an error; `false_alarms` those that the judge did not call supported.
    `near_cut` counts the claims that it found only just supported (`domain/certainty.py`), `surely_supported` the
    others that it called supported; `near_cut_wrong` and `surely_supported_wrong` count those of them with an error.
    """

    answers: int
    errors: int
    errors_caught: int
    right_claims: int
    false_alarms: int
    near_cut: int
    near_cut_wrong: int
    surely_supported: int
    surely_supported_wrong: int

    @property
    def caught(self) -> float:
        """The share of the errors that the judge caught, in [0, 1]."""
        return self.errors_caught / self.errors

    @property
    def alarms(self) -> float:
        """The share of the right claims that the judge did not call supported, in [0, 1]."""
        return self.false_alarms / self.right_claims
