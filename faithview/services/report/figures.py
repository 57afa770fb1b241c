"""Charts as geometry, which a template draws as SVG: no script, no picture file, and the theme's own colours."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.scoring import Interval
from faithview.services.comparison.compare import Comparison
from faithview.wording.causes import CAUSE_WORDS

_LABEL, _PLOT, _VALUE = 345.0, 405.0, 90.0
_ROW = 26.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a waterfall, or one dot with its interval: positions in a box `Figure.width` wide."""

    label: str
    value: str
    y: float
    left: float
    width: float
    kind: str
    dot: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart of horizontal rows; `zero` is where a difference of nothing is, None where there is none to show."""

    width: float
    height: float
    label_width: float
    row: float
    bars: tuple[Bar, ...]
    words: str
    zero: float | None = None


def waterfall(found: Comparison) -> Figure | None:
    """Return the way from the baseline's mean to the candidate's, cause by cause; None where nothing is scored."""
    difference = found.difference
    if difference.baseline is None or difference.candidate is None:
        return None
    steps = [
        (CAUSE_WORDS[share.cause].name(is_won=value > 0), value)
        for share in found.causes
        for value in (share.lost, share.won)
        if value
    ]
    levels = [difference.baseline]
    for _, value in steps:
        levels.append(levels[-1] + value)
    low, high = min(*levels, difference.candidate), max(*levels, difference.candidate)
    margin = max(0.01, 0.08 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = [_level("baseline", difference.baseline, 0, scale)]
    for row, ((label, value), before) in enumerate(zip(steps, levels, strict=False), start=1):
        start, end = sorted((scale.x(before), scale.x(before + value)))
        kind = "won" if value > 0 else "lost"
        bars.append(
            Bar(label=label, value=signed(value), y=row * _ROW, left=start, width=max(1.0, end - start), kind=kind)
        )
    bars.append(_level("candidate", difference.candidate, len(bars), scale))
    words = "; ".join(f"{bar.label} {bar.value}" for bar in bars)
    return Figure(
        width=_LABEL + _PLOT + _VALUE,
        height=_ROW * len(bars),
        label_width=_LABEL,
        row=_ROW,
        bars=tuple(bars),
        words=f"From the baseline to the candidate: {words}.",
    )


def dots(rows: Sequence[tuple[str, float, Interval | None]], *, is_difference: bool) -> Figure:
    """Return one dot with its interval a row: means, or differences around a line at nothing."""
    ends = [end for _, value, interval in rows for end in (value, *((interval.low, interval.high) if interval else ()))]
    low, high = (min([0.0, *ends]), max([0.0, *ends])) if is_difference else (min([1.0, *ends]), max([0.0, *ends]))
    margin = max(0.02, 0.05 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = []
    for row, (label, value, interval) in enumerate(rows):
        left, right = (scale.x(interval.low), scale.x(interval.high)) if interval else (scale.x(value), scale.x(value))
        shown = signed(value) if is_difference else f"{value:.2f}"
        bars.append(
            Bar(
                label=label,
                value=shown,
                y=row * _ROW,
                left=left,
                width=max(1.0, right - left),
                kind="dot",
                dot=scale.x(value),
            )
        )
    return Figure(
        width=_LABEL + _PLOT + _VALUE,
        height=_ROW * len(bars),
        label_width=_LABEL,
        row=_ROW,
        bars=tuple(bars),
        words="; ".join(f"{bar.label} {bar.value}" for bar in bars),
        zero=scale.x(0.0) if is_difference else None,
    )


def signed(value: float, *, decimals: int = 3) -> str:
    """Write a difference with its sign and a real minus."""
    text = f"{value:+.{decimals}f}"
    return text[1:] if not float(text) else text.replace("-", "−")


class _Scale:
    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, max(high - low, 1e-9)

    def x(self, value: float) -> float:
        return round(_LABEL + _PLOT * (value - self._low) / self._span, 2)


def _level(label: str, value: float, row: int, scale: _Scale) -> Bar:
    left = _LABEL
    return Bar(
        label=label, value=f"{value:.3f}", y=row * _ROW, left=left, width=max(1.0, scale.x(value) - left), kind="level"
    )
