"""Words for live traffic: what share of it a run judges, what a round of a watch did, and what waits."""

from collections.abc import Sequence
from datetime import datetime

from faithview.domain.live import Backlog
from faithview.domain.run import RunSummary
from faithview.wording import numbers as fmt

SAMPLE_HELP = (
    "A watch judges the answers that this application logs, or a random sample of them. The interval allows for the "
    "answers that were not drawn."
)


def rate_words(rate: float) -> str:
    """Write a sampling rate: "5%", "0.25%"."""
    return f"{100 * rate:g}%"


def sample_words(summary: RunSummary) -> str | None:
    """Say what part of the logged answers a run holds: "5% sample: 412 of 8,230 logged answers".

    None for a run that no watch made.
    """
    live = summary.run.live
    if live is None:
        return None
    logged = fmt.plural(live.logged, "logged answer")
    if not live.is_sampled:
        return f"all {logged}"
    return f"{rate_words(live.sample_rate)} sample: {fmt.count(summary.rows)} of {logged}"


def sampled_runs_words(rates: Sequence[float]) -> str | None:
    """Say that runs are samples: "3 runs are samples of what was logged (5% to 20%); …"; None if there is none.

    `rates` has the sampling rate of each such run.
    """
    if not rates:
        return None
    low, high = rate_words(min(rates)), rate_words(max(rates))
    span = low if low == high else f"{low} to {high}"
    many = fmt.verb(len(rates), "is a sample", "are samples")
    return (
        f"{fmt.plural(len(rates), 'run')} {many} of the logged answers ({span}); the means are estimates for all "
        "logged answers, and their intervals allow for those that were not drawn."
    )


def inclusion_words(lowest: float, highest: float) -> str | None:
    """Say how a run's answers are weighted where they had different chances of being drawn; None if they had one."""
    if lowest == highest:
        return None
    return (
        f"The answers were drawn with probabilities from {rate_words(lowest)} to {rate_words(highest)}; each is "
        "weighted by one over its probability."
    )


def round_words(taken: int, skipped: int, judged: int, failed: int, waiting: int, *, rate: float) -> str:
    """Say what a round of a watch did: "41 of 812 new answers drawn (5%), 41 judged; 0 are waiting"."""
    drawn = f"{fmt.count(taken)} of {fmt.plural(taken + skipped, 'new answer')} drawn ({rate_words(rate)})"
    trouble = f", {fmt.count(failed)} of them without a verdict" if failed else ""
    waits = f"{fmt.count(waiting)} {fmt.verb(waiting, 'is waiting', 'are waiting')}"
    return f"{drawn}, {fmt.count(judged)} judged{trouble}; {waits}"


def backlog_words(backlog: Backlog, *, now: datetime) -> str:
    """Say how many answers are waiting: "shop: 812 logged answers are waiting, the oldest for 3 min 20 s"."""
    if not backlog.waiting:
        return f"{backlog.application}: no logged answer is waiting"
    age = f", the oldest for {fmt.duration((now - backlog.oldest_at).total_seconds())}" if backlog.oldest_at else ""
    noun = fmt.plural(backlog.waiting, "logged answer")
    return f"{backlog.application}: {noun} {fmt.verb(backlog.waiting, 'is waiting', 'are waiting')}{age}"
