"""What a component's script needs to draw each verdict: the styles of `faithview.wording.verdicts` as plain data."""

from faithview.wording.verdicts import VERDICTS


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
