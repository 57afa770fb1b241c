"""The colours that are not a verdict's, light and dark, as the dashboard, its charts and the reports use them.

One accent (blue) is for what can be clicked, for the main line of a chart and for gains. Losses have the colour of
"contradicted". Those of the verdicts are in `verdict_styles`.
"""

from typing import NamedTuple


class Shade(NamedTuple):
    """One colour as it is in the light and in the dark theme, as "#rrggbb"."""

    light: str
    dark: str


INK = Shade("#12161c", "#e7e9ec")
# Captions, axes, what surrounds an estimate, and the second judge's line: at least 4.5:1 on every background.
QUIET = Shade("#5c6470", "#a7aeba")
PAPER = Shade("#ffffff", "#14171b")
AREA = Shade("#f5f6f8", "#1e2227")
BORDER = Shade("#d5dae1", "#2b323b")
HAIRLINE = Shade("#eef0f3", "#23282f")
ACCENT = Shade("#1d5bb8", "#86b4f5")
SELECTED = Shade("#dde3eb", "#1d2a3d")
# For what has no verdict yet or whose verdict is hidden.
NO_VERDICT = Shade("#45505f", "#c3c9d2")
# Lines of the third judge and further ones.
OTHER_JUDGES = (Shade("#2f7ea3", "#5cc4e8"), Shade("#7a6a5a", "#bba994"), Shade("#45587a", "#8fa3c2"))
