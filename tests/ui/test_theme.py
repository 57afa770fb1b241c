"""Sizes and colours are written once, and every text can be read in both themes."""

import re
import tomllib
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.ui.frontend.component_files import FRONTEND
from faithview.ui.theme import TINT_PERCENT, custom_properties, streamlit_options
from faithview.wording import palette
from faithview.wording.palette import Shade
from faithview.wording.verdict_styles import VERDICTS
from tests.contrast import blend, contrast
from tests.dashboard import ROOT

_MODES = pytest.mark.parametrize("mode", ["light", "dark"])


@pytest.fixture(scope="module")
def theme() -> dict[str, Any]:
    config: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    theme: dict[str, Any] = config["theme"]
    return theme


def test_streamlits_file_has_the_sizes_and_colours_of_the_theme(theme: dict[str, Any]) -> None:
    wanted = streamlit_options()
    for mode in ("light", "dark"):
        of_mode = wanted.pop(mode)
        assert isinstance(of_mode, dict)
        assert {name: theme[mode].get(name) for name in of_mode} == of_mode
    assert {name: theme.get(name) for name in wanted} == wanted


def test_style_sheets_use_properties_that_are_declared_and_no_colour_of_their_own() -> None:
    declared = set(re.findall(r"(--fv-[\w-]+):", custom_properties()))
    for file in FRONTEND.glob("*.css"):
        styles = file.read_text(encoding="utf-8")
        assert set(re.findall(r"--fv-[\w-]+", styles)) <= declared, file.name
        assert set(re.findall(r"#[0-9a-f]{6}\b", styles)) <= {_REFUSED}, file.name


_REFUSED = "#8a1c1c"  # behind the white words of a refused label, in both themes


def test_a_colour_is_declared_for_both_themes() -> None:
    assert f"--fv-border: light-dark({palette.BORDER.light}, {palette.BORDER.dark});" in custom_properties()
    assert "--fv-not-mentioned: light-dark(#7a3fa0, #c79bea);" in custom_properties()


@pytest.mark.parametrize("verdict", list(Verdict))
@_MODES
def test_a_verdict_can_be_read_on_every_background_and_on_its_own_tint(
    theme: dict[str, Any], mode: str, verdict: Verdict
) -> None:
    colour = getattr(VERDICTS[verdict], mode)
    for background in _backgrounds(theme[mode]):
        assert contrast(colour, background) >= 4.5
    page = theme[mode]["backgroundColor"]
    assert contrast(colour, blend(colour, page, TINT_PERCENT / 100)) >= 4.5


@pytest.mark.parametrize("shade", [palette.QUIET, palette.ACCENT, palette.ERROR, palette.NO_VERDICT])
@_MODES
def test_a_colour_of_texts_can_be_read_on_every_background(theme: dict[str, Any], mode: str, shade: Shade) -> None:
    for background in _backgrounds(theme[mode]):
        assert contrast(getattr(shade, mode), background) >= 4.5


@_MODES
def test_text_can_be_read_where_it_is_quiet_selected_or_on_a_button(theme: dict[str, Any], mode: str) -> None:
    look = theme[mode]
    quiet = blend(look["textColor"], look["backgroundColor"], 0.68)  # answer_view.css
    caption = blend(look["textColor"], look["backgroundColor"], 0.6)  # Streamlit's own
    for background in (*_backgrounds(look), getattr(palette.SELECTED, mode)):
        assert contrast(look["textColor"], background) >= 7
    for background in _backgrounds(look):
        assert contrast(quiet, background) >= 4.5
    assert contrast(caption, look["backgroundColor"]) >= 4.5
    assert contrast("#ffffff", look["primaryColor"]) >= 4.5, "Streamlit writes white on primary buttons."
    assert contrast(look["primaryColor"], look["backgroundColor"]) >= 3, "Focus rings are drawn in it."


@_MODES
def test_no_chart_series_has_a_verdicts_colour(theme: dict[str, Any], mode: str) -> None:
    taken = {getattr(style, mode) for style in VERDICTS.values()}
    assert taken.isdisjoint(theme[mode]["chartCategoricalColors"])


def test_the_theme_asks_no_other_machine_for_a_font(theme: dict[str, Any]) -> None:
    fonts = [value for name, value in theme.items() if name.lower().endswith("font")]
    assert fonts == ["sans-serif", "sans-serif", "monospace"]


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def _backgrounds(look: dict[str, Any]) -> list[str]:
    return [look["backgroundColor"], look["secondaryBackgroundColor"], look["sidebar"]["backgroundColor"]]
