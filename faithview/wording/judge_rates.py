"""How good a judge is, in words: shares with the counts behind them, and why some are not known."""

from faithview.domain.scoring import Interval
from faithview.stats.agreement import Estimate
from faithview.stats.intervals import HEADLINE_HALF_WIDTH
from faithview.stats.judge_quality import JudgeFigures
from faithview.wording import numbers as fmt


def not_known(figures: JudgeFigures) -> str | None:
    """Say why recall and specificity are not known; None if they are, or without labels."""
    if figures.is_drawn or not figures.used:
        return None
    return "unknown: the labelled claims were not drawn at random"


def _is_narrow(share: Estimate) -> bool:
    """Return whether a share has an interval that is narrow enough for the share to be stated."""
    return share.interval is not None and (share.interval.high - share.interval.low) / 2 <= HEADLINE_HALF_WIDTH


def _counts_behind(share: Estimate, *, missed: int = 0) -> str:
    """Write the plain counts behind a share, `missed` of which reviewers added: "63 of 79 labelled"."""
    added = f", {fmt.count(missed)} of them missed by the judge" if missed else ""
    return f"{fmt.count(share.hits)} of {fmt.count(share.labels)} labelled{added}"


def rate_text(share: Estimate) -> str:
    """Write a share with its interval: "0.87 (0.80–0.92)", or "too few labels (0.31–0.80)" for a wider interval."""
    if share.value is None:
        return "–"
    if share.interval is None:
        return "too few labels"
    return f"{fmt.inner_share(share.value) if _is_narrow(share) else 'too few labels'} ({fmt.ends(share.interval)})"


def rate_lines(figures: JudgeFigures) -> list[tuple[str, str]]:
    """Return the names of a judge's shares with each share in words and the counts behind it; none without labels."""
    if not figures.used:
        return []
    unknown = not_known(figures)

    def line(share: Estimate, *, missed: int = 0) -> str:
        behind = _counts_behind(share, missed=missed)
        weighted = "weighted to the whole run; in the labels themselves " if figures.is_weighted else ""
        return f"{rate_text(share)}; {weighted}{behind}"

    return [
        ("accuracy", line(figures.accuracy)),
        ("recall", unknown or line(figures.sensitivity, missed=figures.missed)),
        ("specificity", unknown or line(figures.specificity)),
        ("precision", line(figures.precision)),
    ]


def finding(name: str, figures: JudgeFigures) -> str:
    """Say in Markdown how often reviewers agree with a judge and which share of the unsupported claims it finds."""
    accuracy, recall, unknown = figures.accuracy, figures.sensitivity, not_known(figures)
    if unknown is not None:
        return (
            f"Reviewers agree with {name} on {fmt.count(accuracy.hits)} of "
            f"{fmt.plural(accuracy.labels, 'labelled claim')}. How many of the unsupported claims it finds is "
            f"{unknown}."
        )
    # Where the shares are weighted they differ from the counts, which are then left out.
    counts = "" if figures.is_weighted else _counts_behind(accuracy)
    if _is_narrow(accuracy):
        text = f"Reviewers agree with {name} on {percent_text(accuracy)} of the claims{counts and f' ({counts})'}. "
    else:
        text = f"Too few labels to say how often reviewers agree with {name}{_reach(accuracy.interval, counts)}. "
    if recall.value is None:
        return text + "Reviewers found no unsupported claim, so how many it finds is not known."
    counts = "" if figures.is_weighted else _counts_behind(recall, missed=figures.missed)
    if _is_narrow(recall):
        return text + f"It finds {percent_text(recall)} of those that are not supported{counts and f' ({counts})'}."
    return (
        text + f"Too few labels to say what share of the unsupported claims it finds{_reach(recall.interval, counts)}."
    )


def percent_text(share: Estimate) -> str:
    """Write a share as a percentage with its interval, in Markdown: "**87%** (80–92%)"."""
    between = _interval_percent(share.interval)
    return f"**{fmt.percent(share.value)}**{between and f' ({between})'}"


def _reach(interval: Interval | None, counts: str) -> str:
    parts = [part for part in (_interval_percent(interval), counts) if part]
    return f": {'; '.join(parts)}" if parts else ""


def _interval_percent(interval: Interval | None) -> str:
    return "" if interval is None else f"{fmt.fixed(100 * interval.low, 0)}–{fmt.fixed(100 * interval.high, 0)}%"
