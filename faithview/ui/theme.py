"""The dashboard's sizes and colours, written once: style sheets and `.streamlit/config.toml` repeat these values.

Style sheets have them as custom properties, `--fv-…`, which every component of a page inherits. Streamlit reads its own
file before this module is there; a test holds the file to `streamlit_options`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from faithview.wording import palette
from faithview.wording.palette import Shade
from faithview.wording.verdict_styles import VERDICTS

# In px, except where a name says otherwise.
GRID = 8
CONTROL_HEIGHT = 36
RADIUS = 7
SECTION_GAP = 4 * GRID
CAPTION_GAP = 4
SIDEBAR_WIDTH = 216
TEXT_WIDTH_CH = 76
TINT_PERCENT = 12  # of a verdict's colour, behind what has the verdict

# Each with its size and its line.
HERO = (64, 64)
TITLE = (22, 28)
HEADING = (16, 24)
BODY = (15, 24)
TABLE = (13, 20)
EVIDENCE = (18, 30)

_SIZES: Mapping[str, str] = MappingProxyType(
    {
        "grid": f"{GRID}px",
        "control": f"{CONTROL_HEIGHT}px",
        "radius": f"{RADIUS}px",
        "section-gap": f"{SECTION_GAP}px",
        "caption-gap": f"{CAPTION_GAP}px",
        "sidebar": f"{SIDEBAR_WIDTH}px",
        "text-width": f"{TEXT_WIDTH_CH}ch",
        "tint": f"{TINT_PERCENT}%",
        **{
            name: f"{size}px/{line}px"
            for name, (size, line) in {
                "hero": HERO,
                "title": TITLE,
                "heading": HEADING,
                "body": BODY,
                "table": TABLE,
                "evidence": EVIDENCE,
            }.items()
        },
    }
)
_COLOURS: Mapping[str, Shade] = MappingProxyType(
    {
        "ink": palette.INK,
        "quiet": palette.QUIET,
        "paper": palette.PAPER,
        "area": palette.AREA,
        "border": palette.BORDER,
        "hairline": palette.HAIRLINE,
        "accent": palette.ACCENT,
        "selected": palette.SELECTED,
        "no-verdict": palette.NO_VERDICT,
        **{verdict.value.replace("_", "-"): Shade(style.light, style.dark) for verdict, style in VERDICTS.items()},
    }
)


def custom_properties() -> str:
    """Return the style sheet that declares every size and colour; a colour follows the theme in force."""
    colours = {name: f"light-dark({shade.light}, {shade.dark})" for name, shade in _COLOURS.items()}
    lines = [f"  --fv-{name}: {value};" for name, value in {**_SIZES, **colours}.items()]
    return "\n".join([":root {", *lines, "}"])


def streamlit_options() -> dict[str, object]:
    """Return what the section `theme` of `.streamlit/config.toml` has to hold."""
    return {
        "baseFontSize": BODY[0],
        "headingFontSizes": [_rem(size) for size in (TITLE[0], HEADING[0], BODY[0], BODY[0], BODY[0], BODY[0])],
        "codeFontSize": _rem(TABLE[0]),
        "baseRadius": f"{RADIUS}px",
        "buttonRadius": f"{RADIUS}px",
        "light": _options(at=0),
        "dark": _options(at=1),
    }


def _options(*, at: int) -> dict[str, object]:
    named = {"red": palette.ERROR, "gray": palette.QUIET, "blue": palette.ACCENT}
    named |= {style.streamlit_colour: Shade(style.light, style.dark) for style in VERDICTS.values()}
    return {
        "primaryColor": palette.BUTTON[at],
        "backgroundColor": palette.PAPER[at],
        "secondaryBackgroundColor": palette.AREA[at],
        "textColor": palette.INK[at],
        "linkColor": palette.ACCENT[at],
        "borderColor": palette.BORDER[at],
        "codeTextColor": palette.INK[at],
        "codeBackgroundColor": palette.AREA[at],
        "dataframeBorderColor": palette.HAIRLINE[at],
        "dataframeHeaderBackgroundColor": palette.AREA[at],
        "dataframeHeaderTextColor": palette.QUIET[at],
        **{f"{name}Color": shade[at] for name, shade in named.items()},
        **{f"{name}TextColor": shade[at] for name, shade in named.items()},
        "chartCategoricalColors": [shade[at] for shade in (palette.ACCENT, palette.QUIET, *palette.OTHER_JUDGES)],
    }


def _rem(size: int) -> str:
    return f"{size / BODY[0]:.4g}rem"
