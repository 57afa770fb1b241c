"""The dashboard's sizes and colours, written once: style sheets and `.streamlit/config.toml` repeat these values.

Style sheets have them as custom properties, `--fv-…`, which every component of a page inherits. Streamlit reads its own
file before this module is there.
"""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.wording import palette
from faithview.wording.palette import Shade
from faithview.wording.verdict_styles import VERDICTS

SIDEBAR_WIDTH = 216  # px

_SIZES: Mapping[str, str] = MappingProxyType(
    {
        "grid": "8px",
        "control": "36px",
        "radius": "7px",
        "section-gap": "32px",
        "sidebar": f"{SIDEBAR_WIDTH}px",
        "text-width": "76ch",
        "tint": "12%",  # of a verdict's colour, behind what has the verdict
        "evidence": "18px/30px",  # size and line
    }
)
_COLOURS: Mapping[str, Shade] = MappingProxyType(
    {
        "ink": palette.INK,
        "quiet": palette.QUIET,
        "paper": palette.PAPER,
        "hairline": palette.HAIRLINE,
        "accent": palette.ACCENT,
        "selected": palette.SELECTED,
        **{verdict.value.replace("_", "-"): Shade(style.light, style.dark) for verdict, style in VERDICTS.items()},
    }
)


def custom_properties() -> str:
    """Return the style sheet that declares every size and colour; a colour follows the theme in force."""
    colours = {name: f"light-dark({shade.light}, {shade.dark})" for name, shade in _COLOURS.items()}
    lines = [f"  --fv-{name}: {value};" for name, value in {**_SIZES, **colours}.items()]
    return "\n".join([":root {", *lines, "}"])
