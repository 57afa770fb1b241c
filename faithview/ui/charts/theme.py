"""The colours of trends in either theme: one accent, neutrals around it, and none that means a verdict."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTheme:
    """Colours for one theme.

    `accent` is the line that counts, `band` its interval, `others` the lines of other judges. `bar` is for counts,
    `faint` for what was left out and for limits, `event` for verticals, `text` for words.
    """

    accent: str
    band: str
    others: tuple[str, ...]
    bar: str
    faint: str
    event: str
    text: str


LIGHT = ChartTheme(
    accent="#1d5bb8",
    band="rgba(29,91,184,0.13)",
    others=("#8e5bd0", "#45587a", "#b8458f", "#7a6a5a"),
    bar="#b0caef",
    faint="#8590a3",
    event="#45587a",
    text="#343c48",
)
DARK = ChartTheme(
    accent="#86b4f5",
    band="rgba(134,180,245,0.16)",
    others=("#b49cf2", "#8fa3c2", "#e88fc4", "#bba994"),
    bar="#2d5180",
    faint="#8fa3c2",
    event="#8fa3c2",
    text="#cfd4db",
)


def plain(text: str) -> str:
    """Return a text such that Plotly shows it as it is: no tags, no entities, no formulas, on one line."""
    line = " ".join(text.split())
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("$", "&#36;")):
        line = line.replace(character, entity)
    return line
