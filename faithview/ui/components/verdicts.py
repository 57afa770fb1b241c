"""How verdicts and states look on a page: their styles, and what a component's script needs of them."""

from faithview.services.verdict_styles import (
    NO_CLAIM_STYLE,
    STATE_SENTENCES,
    STATE_WORDS,
    VERDICTS,
    VerdictStyle,
    count_words,
)

__all__ = [
    "NO_CLAIM_STYLE",
    "STATE_SENTENCES",
    "STATE_WORDS",
    "VERDICTS",
    "VerdictStyle",
    "browser_styles",
    "count_words",
]


def browser_styles() -> dict[str, dict[str, str]]:
    """Return what a component's script needs to draw each verdict, by verdict."""
    return {
        str(verdict): {
            "word": style.word,
            "stroke": style.stroke,
            "fill": style.fill,
            "light": style.light,
            "dark": style.dark,
            "light_area": style.light_area,
            "dark_area": style.dark_area,
            "underline": style.underline,
        }
        for verdict, style in VERDICTS.items()
    }
