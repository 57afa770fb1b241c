"""How numbers, times and names look. Rounding happens here and nowhere before."""

import re
from collections.abc import Mapping
from datetime import datetime

from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus
from faithview.domain.scoring import Interval, RunScore
from faithview.wording.verdicts import STATE_WORDS

_WORD_JOINER = "\u2060"
# Where a bare "http://", "www." or e-mail address is cut so that it is none.
_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

STATUS_WORDS: Mapping[RunStatus, str] = {
    RunStatus.PENDING: "waiting",
    RunStatus.RUNNING: "running",
    RunStatus.COMPLETE: "complete",
    RunStatus.INTERRUPTED: "interrupted",
    RunStatus.CANCELLED: "cancelled",
    RunStatus.FAILED: "failed",
}


def literal(text: str) -> str:
    """Return a name for use within Markdown such that it shows exactly as it is: all punctuation escaped, one line.

    What Streamlit would make a link of even so (an address, bare) is held apart by an invisible word joiner.
    """
    line = _LINK.sub(_WORD_JOINER, " ".join(text.split()))
    return _PUNCTUATION.sub(r"\\\1", line)


def share(value: float | None) -> str:
    """Write a score with two decimals, a dash for none."""
    return "–" if value is None else f"{value:.2f}"


def change(before: float | None, after: float | None) -> str | None:
    """Write a difference of two scores with its sign: "+0.08"; None where one of them is missing."""
    if before is None or after is None:
        return None
    text = f"{after - before:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text.replace("-", "−")


def percent(value: float | None) -> str:
    """Write a share as a whole percentage; what would round to 0 % or 100 % and is not keeps a decimal."""
    if value is None:
        return "–"
    return f"{value:.1%}" if 0 < value < 0.01 or 0.99 < value < 1 else f"{value:.0%}"


def count(number: int) -> str:
    """Write a whole number with thousands set apart."""
    return f"{number:,}"


def plural(number: int, noun: str, several: str | None = None) -> str:
    """Write a number with its noun: "1 answer", "2 answers"."""
    return f"{count(number)} {noun if number == 1 else several or noun + 's'}"


def score(value: RunScore) -> str:
    """Write a mean with its interval and n: "0.74 (0.70–0.78, n 118)"."""
    if value.mean is None:
        return "no score (n 0)"
    if value.interval is None:
        return f"{value.mean:.2f} (n {count(value.judged)})"
    return f"{value.mean:.2f} ({interval(value)}, n {count(value.judged)})"


def measure(value: float | None, between: Interval | None, n: int) -> str:
    """Write a figure with its interval and n: "0.87 (0.80–0.92, n 60)"; a dash where there is none."""
    if value is None:
        return f"– (n {count(n)})"
    if between is None:
        return f"{value:.2f} (n {count(n)})"
    dash = " to " if between.low < 0 else "–"  # two dashes in a row are hard to read
    return f"{value:.2f} ({between.low:.2f}{dash}{between.high:.2f}, n {count(n)})".replace("-", "−")


def signed(value: float, between: Interval | None) -> str:
    """Write a difference with its interval: "+0.05 (−0.02 to +0.12)"."""
    text = f"{value:+.2f}" if between is None else f"{value:+.2f} ({between.low:+.2f} to {between.high:+.2f})"
    return text.replace("-", "−")


def interval(value: RunScore) -> str:
    """Write the 95 % interval: "0.70–0.78"; a dash for none."""
    return "–" if value.interval is None else f"{value.interval.low:.2f}–{value.interval.high:.2f}"


def left_out(states: Mapping[str, int]) -> str:
    """Write what is not in the mean: "2 abstained · 1 failed"; empty if nothing was left out."""
    parts = [f"{count(states[s])} {STATE_WORDS[s]}" for s in State if s is not State.JUDGED and states.get(s)]
    return " · ".join(parts)


def day(moment: datetime) -> str:
    """Write a date: "3 Nov 2026"."""
    return f"{moment.day} {moment:%b %Y}"


def duration(seconds: float) -> str:
    """Write a duration in the two largest units that matter: "45 s", "3 min 20 s", "2 h 5 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def run_line(run: Run, *, with_status: bool = True) -> str:
    """Write what a run is, on one line: judge, day, knowledge base, status."""
    parts = [run.judge.name, day(run.as_of)]
    if run.kb_version:
        parts.append(f"kb {run.kb_version}")
    if with_status and run.status is not RunStatus.COMPLETE:
        parts.append(STATUS_WORDS[run.status])
    return " · ".join(parts)
