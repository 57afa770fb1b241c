"""Charts as geometry that a template draws as SVG, in the theme's colours, without scripts or image files."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.scoring import Interval
from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.waterfall import WaterfallStep, waterfall_steps
from faithview.wording import numbers as fmt

_LABEL, _PLOT, _VALUE = 345.0, 405.0, 90.0
_ROW = 26.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar of a waterfall, or one dot with its interval; positions are in the units of `Figure.width`."""

    label: str
    value: str
    y: float
    left: float
    width: float
    kind: str
    dot: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart of horizontal rows; `words` describe it. `zero` is where 0 lies on the axis; None draws no line."""

    width: float
    height: float
    label_width: float
    row: float
    bars: tuple[Bar, ...]
    words: str
    zero: float | None = None


def waterfall(comparison: Comparison) -> Figure | None:
    """Return the way from the baseline's mean to the candidate's, cause by cause; None where nothing is scored."""
    steps = waterfall_steps(comparison)
    if not steps:
        return None
    low = min(min(step.start, step.end) for step in steps)
    high = max(max(step.start, step.end) for step in steps)
    margin = max(0.01, 0.08 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = [_bar(step, row, scale) for row, step in enumerate(steps)]
    words = "; ".join(f"{bar.label} {bar.value}" for bar in bars)
    return Figure(
        width=_LABEL + _PLOT + _VALUE,
        height=_ROW * len(bars),
        label_width=_LABEL,
        row=_ROW,
        bars=tuple(bars),
        words=f"From the baseline's mean to the candidate's: {words}.",
    )


def dots(rows: Sequence[tuple[str, float, Interval | None]], *, is_difference: bool) -> Figure:
    """Return a row for each dot with its interval: means, or differences around a line at 0."""
    ends = [end for _, value, interval in rows for end in (value, *((interval.low, interval.high) if interval else ()))]
    low, high = (min([0.0, *ends]), max([0.0, *ends])) if is_difference else (min([1.0, *ends]), max([0.0, *ends]))
    margin = max(0.02, 0.05 * (high - low))
    scale = _Scale(low - margin, high + margin)
    bars = []
    for row, (label, value, interval) in enumerate(rows):
        left, right = (scale.x(interval.low), scale.x(interval.high)) if interval else (scale.x(value), scale.x(value))
        shown = fmt.signed(value, decimals=3) if is_difference else fmt.share(value)
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


class _Scale:
    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, max(high - low, 1e-9)

    def x(self, value: float) -> float:
        return round(_LABEL + _PLOT * (value - self._low) / self._span, 2)


def _bar(step: WaterfallStep, row: int, scale: _Scale) -> Bar:
    if step.side is None:
        value, kind = fmt.share(step.end), "level"
        left, right = _LABEL, scale.x(step.end)
    else:
        value, kind = fmt.signed(step.end - step.start, decimals=3), "won" if step.side.is_won else "lost"
        left, right = sorted((scale.x(step.start), scale.x(step.end)))
    return Bar(label=step.label, value=value, y=row * _ROW, left=left, width=max(1.0, right - left), kind=kind)
