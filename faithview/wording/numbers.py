"""Numbers, times and names in words, among them judges' short names. Numbers are rounded here and nowhere else."""

import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext

from faithview.domain.hidden_characters import make_visible
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus
from faithview.domain.scoring import Interval, RunScore
from faithview.wording.verdict_styles import STATE_WORDS

_WORD_JOINER = "\u2060"
# Where to break a bare "http://", "www." or e-mail address so that Streamlit does not link it.
_LINK = re.compile(r"(?<=http)(?=s?://)|(?<=www)(?=\.)|(?<=[\w.+-])(?=@)", re.IGNORECASE)
_SAME = 1e-9  # weighted sums that are equal may differ by as much
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
    """Return a name that Markdown shows exactly as it is: on one line, all punctuation escaped, nothing hidden.

    Streamlit still links bare addresses, so an invisible word joiner breaks them.
    """
    line = _LINK.sub(_WORD_JOINER, make_visible(" ".join(text.split())))
    return _PUNCTUATION.sub(r"\\\1", line)


def code(text: str) -> str:
    """Return an id as a code span that shows it exactly as it is, on one line, with nothing hidden; "" stays empty.

    Nothing is escaped in a code span, so `literal` must not be used there: it would show its backslashes.
    """
    line = make_visible(" ".join(text.split()))
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    # Markdown takes one space away on both sides; without them a backtick at an end would belong to the fence.
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}" if line else ""


def share(value: float | None) -> str:
    """Write a score with two decimals, a dash for none."""
    return fixed(value, 2)


def inner_share(value: float | None) -> str:
    """Write a share or an agreement as `share` does, but ">0.99" or "<0.01" if it only rounds to 1 or 0."""
    text = share(value)
    if value is not None and text == "1.00" and value < 1 - _SAME:
        return ">0.99"
    return "<0.01" if value is not None and text == "0.00" and value > _SAME else text


def threshold(value: float) -> str:
    """Write the share of supported claims from which an answer is faithful, to all its digits: "0.80", "0.875"."""
    return max(fixed(value, 2), f"{value:g}", key=len)


def thresholds(*values: float) -> str:
    """Write the threshold of one or several runs: "threshold 0.80", "thresholds 0.80 and 0.90"."""
    written = list(dict.fromkeys(map(threshold, values)))
    return f"{verb(len(written), 'threshold', 'thresholds')} {listed(written)}"


def fixed(value: float | None, decimals: int) -> str:
    """Write a number with `decimals` decimals, a dash for None. An exact half is rounded away from zero: "0.63".

    Browsers round tables and charts this way. Python's formats round half to even, so the same score would be 0.62 in a
    headline and 0.63 in the table below it.
    """
    if value is None:
        return "–"
    if not math.isfinite(value):
        return str(value)
    with localcontext(rounding=ROUND_HALF_UP):
        return f"{Decimal(float(value)):z,.{decimals}f}"  # z: without the sign of a zero


def decimals_to_tell(before: float, after: float, difference: float | None = None) -> int:
    """Return the fewest decimals, from two to six, with which a change is not "0.00" or "from 1.00 to 1.00".

    `difference` is the change if it is not after - before: the mean of the pairs.
    """
    change = after - before if difference is None else difference
    for decimals in range(2, 6):
        is_told = before == after or fixed(before, decimals) != fixed(after, decimals)
        if is_told and (not change or fixed(abs(change), decimals).strip("0.")):
            return decimals
    return 6


def signed(value: float, *, decimals: int = 2) -> str:
    """Write a difference with its sign: "+0.08", "−0.08"; one that rounds to zero has none."""
    size = fixed(abs(value), decimals)
    sign = "" if not size.strip("0.") else "−" if value < 0 else "+"
    return sign + size


def change(before: float | None, after: float | None) -> str | None:
    """Write the difference of two scores with its sign; None if one of them is missing."""
    return None if before is None or after is None else signed(after - before)


def signed_measure(value: float, between: Interval | None, *, decimals: int = 2) -> str:
    """Write a difference with its interval: "+0.05 (−0.02 to +0.12)"."""
    text = signed(value, decimals=decimals)
    return text if between is None else f"{text} ({signed_ends(between, decimals=decimals)})"


def signed_ends(between: Interval, *, decimals: int = 2) -> str:
    """Write the interval of a difference: "−0.02 to +0.12"."""
    return f"{signed(between.low, decimals=decimals)} to {signed(between.high, decimals=decimals)}"


def plus_minus(half_width: float, *, decimals: int = 2) -> str:
    """Write half the width of an interval: "±0.05"."""
    return f"±{fixed(half_width, decimals)}"


def p_value(value: float | None) -> str:
    """Write a p-value with its letter: "p 0.92", "p < 0.0001", "p –"."""
    return f"p {p_number(value)}"


def p_number(value: float | None) -> str:
    """Write a p-value with the decimals that matter: "0.92", "0.012", "0.0002", "< 0.0001"; a dash for none."""
    if value is None:
        return "–"
    if value < 0.00005:
        return "< 0.0001"
    return fixed(value, 4 if value < 0.001 else 3 if value < 0.1 else 2)


def percent(value: float | None) -> str:
    """Write a share as a whole percentage, with a decimal near 0% and 100%; only 0 and 1 are "0%" and "100%"."""
    if value is None:
        return "–"
    if 0 < value < 0.0005:
        return "< 0.1%"
    if 0.9995 <= value < 1:
        return "> 99.9%"
    return f"{fixed(100 * value, 1 if 0 < value < 0.01 or 0.99 < value < 1 else 0)}%"


def dollars(value: float) -> str:
    """Write an amount of US dollars: "$0.0123"."""
    return f"${fixed(value, 4)}"


def count(number: int) -> str:
    """Write a whole number with a separator between thousands: "12,345"."""
    return f"{number:,}"


def plural(number: int, noun: str, several: str | None = None) -> str:
    """Write a number with its noun: "1 answer", "2 answers"."""
    return f"{count(number)} {verb(number, noun, several or noun + 's')}"


def verb(number: int, singular: str, several: str) -> str:
    """Return the form of a word that goes with a number: "is" or "are"."""
    return singular if number == 1 else several


def listed(names: Sequence[str]) -> str:
    """Write names in a sentence: "A", "A and B", "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def score(value: RunScore, *, decimals: int = 2) -> str:
    """Write a mean with its interval and n: "0.74 (0.70–0.78, n 118)"."""
    if value.mean is None:
        return "no score (n 0)"
    return measure(value.mean, value.interval, value.judged, decimals=decimals)


def measure(value: float | None, between: Interval | None, n: int, *, decimals: int = 2) -> str:
    """Write a figure with its interval and n: "0.87 (0.80–0.92, n 60)"; a dash where there is none."""
    return _with_n(fixed(value, decimals), None if value is None else between, n, decimals)


def agreement(value: float | None, between: Interval | None, n: int) -> str:
    """Write a kappa or an alpha with its interval and n, never 1.00 while a label differs: ">0.99 (0.97–1.00, n 9)"."""
    return _with_n(inner_share(value), None if value is None else between, n, 2)


def _with_n(text: str, between: Interval | None, n: int, decimals: int) -> str:
    within = "" if between is None else f"{ends(between, decimals=decimals)}, "
    return f"{_minus(text)} ({within}n {count(n)})"


def interval(value: RunScore) -> str:
    """Write the 95% interval of a run's score: "0.70–0.78"; a dash for none."""
    return "–" if value.interval is None else ends(value.interval)


def ends(between: Interval, *, decimals: int = 2) -> str:
    """Write an interval: "0.70–0.78", or "−0.10 to 0.20", since a minus after a dash is hard to read."""
    dash = " to " if between.low < 0 else "–"
    return _minus(f"{fixed(between.low, decimals)}{dash}{fixed(between.high, decimals)}")


def left_out(states: Mapping[str, int]) -> str:
    """Write which answers are not in the mean: "2 abstained · 1 failed"; empty if all are."""
    parts = [f"{count(states[s])} {STATE_WORDS[s]}" for s in State if s is not State.JUDGED and states.get(s)]
    return " · ".join(parts)


def day(moment: datetime) -> str:
    """Write a date: "3 Nov 2026"."""
    return f"{moment.day} {moment:%b %Y}"


def day_and_time(moment: datetime) -> str:
    """Write a date with the time and its zone: "3 Nov 2026, 14:05 UTC"."""
    return f"{day(moment)}, {moment:%H:%M %Z}"


def duration(seconds: float) -> str:
    """Write a duration in the two largest units that matter: "45 s", "3 min 20 s", "2 h 5 min"."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def run_line(run: Run, *, with_status: bool = True) -> str:
    """Describe a run in one line: judge, day, knowledge base, and status unless it is complete."""
    parts = [run.judge.name, day(run.as_of)]
    if run.kb_version:
        parts.append(f"kb {run.kb_version}")
    if with_status and run.status is not RunStatus.COMPLETE:
        parts.append(STATUS_WORDS[run.status])
    return " · ".join(parts)


def _minus(text: str) -> str:
    return text.replace("-", "−")


# Words after a figure's name: "faithfulness by the judge".
# A fingerprint begins with the judge's name and, for a model that is served elsewhere than usual, its server.
_NAME = re.compile(r"(?P<name>[\w.:-]+)(@[^/]+)?(/(?P<rest>.*))?")
_DIGEST = re.compile(r"[:+][0-9a-f]{6,}")


def short_judge_names(fingerprints: Sequence[str]) -> Mapping[str, str]:
    """Return by fingerprint the shortest name that no other of these judges has.

    Tried are the judge's name, the name with method and version ("embedded 1"), and that with the digests in which
    judges of this name differ ("embedded 1 (952150a0)"); otherwise it is the fingerprint.
    """
    distinct = list(dict.fromkeys(fingerprints))
    forms = (
        [_name(one) for one in distinct],
        [_with_rest(one) for one in distinct],
        [_with_digests(one, distinct) for one in distinct],
    )
    return {
        fingerprint: next((names[at] for names in forms if names.count(names[at]) == 1), fingerprint)
        for at, fingerprint in enumerate(distinct)
    }


def _name(fingerprint: str) -> str:
    found = _NAME.fullmatch(fingerprint)
    return found["name"] if found else fingerprint


def _with_rest(fingerprint: str) -> str:
    found = _NAME.fullmatch(fingerprint)
    if found is None or not found["rest"]:
        return fingerprint
    return f"{found['name']} {_DIGEST.sub('', found['rest']).replace('/', ' ')}"


def _with_digests(fingerprint: str, others: Sequence[str]) -> str:
    name = _with_rest(fingerprint)
    alike = [_DIGEST.findall(other) for other in others if _with_rest(other) == name]
    own = [digest[1:] for digest in _DIGEST.findall(fingerprint) if not all(digest in digests for digests in alike)]
    return f"{name} ({', '.join(own)})" if own else fingerprint
