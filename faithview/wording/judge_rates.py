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
WEIGHTED = "Percentages and intervals are weighted to all claims; counts are of the labels themselves."


def not_known(basis: Basis | None) -> str | None:
    """Say why recall and specificity are not known: "unknown: only flagged claims are labelled"; None if they are."""
    return None if basis is None else _NOT_KNOWN.get(basis)


def is_narrow(share: Share, *, half_width: float) -> bool:
    """Return whether a share has an interval whose half is at most so wide."""
    return share.interval is not None and (share.interval.high - share.interval.low) / 2 <= half_width


def share_figure(share: Share) -> str:
    """Write a share with two decimals, never 1.00 or 0.00 where a label says otherwise: "0.87", ">0.99", "<0.01"."""
    text = fmt.share(share.value)
    if text == "1.00" and share.hits < share.labels:
        return ">0.99"
    return "<0.01" if text == "0.00" and share.hits else text


def labelled_counts(share: Share, *, more: int = 0) -> str:
    """Write the counts behind a share: "63 of 79 labelled"; reviewers added `more` of them."""
    added = f", {fmt.count(more)} of them missed by the judge" if more else ""
    return f"{fmt.count(share.hits)} of {fmt.count(share.labels)} labelled{added}"


def rate_text(share: Share, *, half_width: float) -> str:
    """Write a share with its interval: "0.87 (0.80–0.92)", or "too few labels (0.31–0.80)" for a wider interval."""
    if share.value is None:
        return "–"
    if share.interval is None:
        return "too few labels"
    figure = share_figure(share) if is_narrow(share, half_width=half_width) else "too few labels"
    return f"{figure} ({fmt.ends(share.interval)})"


def rate_lines(figures: JudgeFigures, *, half_width: float) -> list[tuple[str, str]]:
    """Return the names of a judge's shares with each share in words and the counts behind it; none without labels."""
    rates, unknown = figures.rates, not_known(figures.basis)
    if rates is None:
        return []
    weighted = ", weighted by inclusion probability" if figures.is_weighted else ""

    def line(share: Share, *, more: int = 0) -> str:
        return f"{rate_text(share, half_width=half_width)}{weighted}; {labelled_counts(share, more=more)}"

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
        is_weighted: whether the shares are weighted, so they differ from the counts.
        half_width: the widest half of an interval whose share is stated.
    """
    reason = not_known(basis)
    if reason is not None:
        return (
            f"Reviewers agree with {name} on {fmt.count(accuracy.hits)} of "
            f"{fmt.plural(accuracy.labels, 'labelled claim')}. How many of the unsupported claims it finds is "
            f"{reason}."
        )
    weighted = "weighted to all claims; " if is_weighted else ""
    counts = f"{weighted}{labelled_counts(accuracy)}"
    if is_narrow(accuracy, half_width=half_width):
        text = f"Reviewers agree with {name} on {_percent(accuracy)} of the claims ({counts}). "
    else:
        text = f"Too few labels to say how often reviewers agree with {name}: {_between(accuracy.interval)}{counts}. "
    if recall.value is None:
        return text + "Reviewers found no unsupported claim, so how many it finds is not known."
    counts = f"{weighted}{labelled_counts(recall, more=missed)}"
    if is_narrow(recall, half_width=half_width):
        return text + f"It finds {_percent(recall)} of those that are not supported ({counts})."
    return text + (
        f"Too few labels to say what share of the unsupported claims it finds: {_between(recall.interval)}{counts}."
    )


def _percent(share: Share) -> str:
    assert share.value is not None  # noqa: S101 - a share with an interval has a value
    between = "" if share.interval is None else f" ({_interval_percent(share.interval)})"
    return f"**{fmt.percent(share.value)}**{between}"


def _between(interval: Interval | None) -> str:
    return "" if interval is None else f"{_interval_percent(interval)}; "


def _interval_percent(interval: Interval) -> str:
    return f"{fmt.fixed(100 * interval.low, 0)}–{fmt.fixed(100 * interval.high, 0)}%"
