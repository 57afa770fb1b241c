"""How good a judge is, in words: shares with the counts behind them, and why some are not known."""

from collections.abc import Mapping

from faithview.domain.scoring import Interval
from faithview.stats.judge_quality import Basis, JudgeFigures
from faithview.stats.shares import Share
from faithview.wording import numbers as fmt

_NOT_KNOWN: Mapping[Basis, str] = {
    Basis.FLAGGED: "unknown: only flagged claims are labelled",
    Basis.CHOSEN: "unknown: the labelled claims were not drawn at random",
}


def weighted_to(figures: JudgeFigures, *, runs: int = 1) -> str | None:
    """Say what a judge's figures are weighted to, "the whole run"; None where they are plain shares of the labels."""
    if not figures.is_weighted:
        return None
    return "the whole run" if runs == 1 else "the whole runs"


def not_known(basis: Basis | None) -> str | None:
    """Say why recall and specificity are not known: "unknown: only flagged claims are labelled"; None if they are."""
    return None if basis is None else _NOT_KNOWN.get(basis)


def is_narrow(share: Share, *, half_width: float) -> bool:
    """Return whether a share has an interval whose half is at most so wide."""
    return share.interval is not None and (share.interval.high - share.interval.low) / 2 <= half_width


def counts_behind(share: Share, *, weighted_to: str | None, more: int = 0) -> str:
    """Write the counts behind a share, told apart from the share where that is weighted.

    "63 of 79 labelled", or "weighted to the whole run; in the labels themselves 63 of 79"; reviewers added `more` of
    them.
    """
    added = f", {fmt.count(more)} of them missed by the judge" if more else ""
    counts = f"{fmt.count(share.hits)} of {fmt.count(share.labels)}"
    if weighted_to is None:
        return f"{counts} labelled{added}"
    return f"weighted to {weighted_to}; in the labels themselves {counts}{added}"


def rate_text(share: Share, *, half_width: float) -> str:
    """Write a share with its interval: "0.87 (0.80–0.92)", or "too few labels (0.31–0.80)" for a wider interval."""
    if share.value is None:
        return "–"
    if share.interval is None:
        return "too few labels"
    figure = fmt.inner_share(share.value) if is_narrow(share, half_width=half_width) else "too few labels"
    return f"{figure} ({fmt.ends(share.interval)})"


def rate_lines(figures: JudgeFigures, *, half_width: float) -> list[tuple[str, str]]:
    """Return the names of a judge's shares with each share in words and the counts behind it; none without labels."""
    rates, unknown = figures.rates, not_known(figures.basis)
    if rates is None:
        return []

    def line(share: Share, *, more: int = 0) -> str:
        behind = counts_behind(share, weighted_to=weighted_to(figures), more=more)
        return f"{rate_text(share, half_width=half_width)}; {behind}"

    return [
        ("accuracy", line(rates.accuracy)),
        ("recall", unknown or line(rates.sensitivity, more=figures.missed)),
        ("specificity", unknown or line(rates.specificity)),
        ("precision", line(rates.precision)),
    ]


def finding(
    name: str, accuracy: Share, recall: Share, *, basis: Basis, missed: int, is_weighted: bool, half_width: float
) -> str:
    """Say in Markdown how often reviewers agree with a judge and which share of the unsupported claims it finds.

    Args:
        name: the judge's, in Markdown.
        accuracy: how often reviewers give the same verdict.
        recall: which share of the claims that reviewers call unsupported it flags.
        basis: what the labels are.
        missed: how many of the claims behind `recall` reviewers added.
        is_weighted: whether the shares are weighted, so they differ from the counts, which are then left out.
        half_width: the widest half of an interval whose share is stated.
    """
    reason = not_known(basis)
    if reason is not None:
        return (
            f"Reviewers agree with {name} on {fmt.count(accuracy.hits)} of "
            f"{fmt.plural(accuracy.labels, 'labelled claim')}. How many of the unsupported claims it finds is "
            f"{reason}."
        )
    counts = "" if is_weighted else counts_behind(accuracy, weighted_to=None)
    if is_narrow(accuracy, half_width=half_width):
        text = f"Reviewers agree with {name} on {_percent(accuracy)} of the claims{counts and f' ({counts})'}. "
    else:
        reach = _reach(accuracy.interval, counts)
        text = f"Too few labels to say how often reviewers agree with {name}{reach}. "
    if recall.value is None:
        return text + "Reviewers found no unsupported claim, so how many it finds is not known."
    counts = "" if is_weighted else counts_behind(recall, weighted_to=None, more=missed)
    if is_narrow(recall, half_width=half_width):
        return text + f"It finds {_percent(recall)} of those that are not supported{counts and f' ({counts})'}."
    return (
        text + f"Too few labels to say what share of the unsupported claims it finds{_reach(recall.interval, counts)}."
    )


def _percent(share: Share) -> str:
    assert share.value is not None  # noqa: S101 - a share with an interval has a value
    between = "" if share.interval is None else f" ({_interval_percent(share.interval)})"
    return f"**{fmt.percent(share.value)}**{between}"


def _reach(interval: Interval | None, counts: str) -> str:
    parts = [part for part in ("" if interval is None else _interval_percent(interval), counts) if part]
    return f": {'; '.join(parts)}" if parts else ""


def _interval_percent(interval: Interval) -> str:
    return f"{fmt.fixed(100 * interval.low, 0)}–{fmt.fixed(100 * interval.high, 0)}%"
