"""A share with its interval and n, in a sentence and in a table."""

from faithview.stats.shares import Share
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import share_figure


def percent_of(share: Share) -> str:
    """Write a share in a sentence: "87% (80–92%, n 60)"."""
    return "an unknown share" if share.value is None else fmt.percent_measure(share.value, share.interval, share.labels)


def share_text(share: Share) -> str:
    """Write a share with its interval and n: "0.87 (0.80–0.92, n 60)"; never 1.00 where a label says otherwise."""
    if share.value is None or share.interval is None:
        return f"{share_figure(share)} (n {fmt.count(share.labels)})"
    return f"{share_figure(share)} ({fmt.ends(share.interval)}, n {fmt.count(share.labels)})"
