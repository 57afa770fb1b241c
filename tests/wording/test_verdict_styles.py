"""Verdicts are told apart by word, icon, colour and underline, and can be read on both themes."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.ui.frontend.component_files import browser_styles
from faithview.wording.verdict_styles import (
    LOW_CONFIDENCE,
    STATE_SENTENCES,
    STATE_WORDS,
    VERDICTS,
    claim_verdict_words,
    count_words,
    judged_label,
)

_CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
_TINT = 0.12  # of the verdict's colour, behind a selected claim (answer_view.css)


@pytest.fixture(scope="module")
def theme() -> dict[str, Any]:
    config: dict[str, Any] = tomllib.loads(_CONFIG.read_text(encoding="utf-8"))
    theme: dict[str, Any] = config["theme"]
    return theme


def test_every_verdict_and_state_has_its_looks() -> None:
    assert list(VERDICTS) == list(Verdict)
    assert set(STATE_WORDS) == set(STATE_SENTENCES) == set(State)


@pytest.mark.parametrize(
    "trait", ["word", "glyph", "material", "light", "dark", "light_area", "dark_area", "underline"]
)
def test_no_two_verdicts_share_a_trait(trait: str) -> None:
    assert len({getattr(style, trait) for style in VERDICTS.values()}) == len(Verdict)


def test_underlines_differ_in_pattern_and_not_only_in_thickness() -> None:
    patterns = {verdict: style.underline.split()[0] for verdict, style in VERDICTS.items()}
    assert patterns == {
        Verdict.SUPPORTED: "solid",
        Verdict.PARTIALLY_SUPPORTED: "dashed",
        Verdict.NOT_MENTIONED: "dotted",
        Verdict.CONTRADICTED: "wavy",
    }


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_verdict_words_can_be_read_on_every_background(theme: dict[str, Any], mode: str, verdict: Verdict) -> None:
    colour = getattr(VERDICTS[verdict], mode)
    for background in _backgrounds(theme[mode]):
        assert contrast(colour, background) >= 4.5
    page = theme[mode]["backgroundColor"]
    assert contrast(colour, blend(colour, page, _TINT)) >= 4.5


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_verdict_areas_can_be_seen_on_every_background(theme: dict[str, Any], mode: str, verdict: Verdict) -> None:
    colour = getattr(VERDICTS[verdict], f"{mode}_area")
    for background in _backgrounds(theme[mode]):
        assert contrast(colour, background) >= 3


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_links_can_be_read_on_every_background(theme: dict[str, Any], mode: str) -> None:
    look = theme[mode]
    quiet = blend(look["textColor"], look["backgroundColor"], 0.68)  # answer_view.css
    caption = blend(look["textColor"], look["backgroundColor"], 0.6)  # Streamlit's own
    for background in _backgrounds(look):
        assert contrast(look["textColor"], background) >= 7
        assert contrast(look["linkColor"], background) >= 4.5
        assert contrast(look["redTextColor"], background) >= 4.5
        assert contrast(quiet, background) >= 4.5
    assert contrast(caption, look["backgroundColor"]) >= 4.5
    assert contrast("#ffffff", look["primaryColor"]) >= 4.5, "Streamlit writes white on primary buttons."
    assert contrast(look["primaryColor"], look["backgroundColor"]) >= 3, "Focus rings are drawn in it."


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_streamlits_named_colours_are_the_verdicts(theme: dict[str, Any], mode: str, verdict: Verdict) -> None:
    style = VERDICTS[verdict]
    assert theme[mode][f"{style.streamlit_colour}TextColor"] == getattr(style, mode)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_no_chart_series_has_a_verdicts_colour(theme: dict[str, Any], mode: str) -> None:
    taken = {getattr(style, name) for style in VERDICTS.values() for name in (mode, f"{mode}_area")}
    assert taken.isdisjoint(theme[mode]["chartCategoricalColors"])


def test_the_theme_asks_no_other_machine_for_a_font(theme: dict[str, Any]) -> None:
    fonts = [value for name, value in theme.items() if name.lower().endswith("font")]
    assert fonts == ["sans-serif", "sans-serif", "monospace"]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({}, "no claims"),
        ({Verdict.CONTRADICTED: 1, Verdict.SUPPORTED: 3}, "3 supported, 1 contradicted"),
        ({Verdict.NOT_MENTIONED: 0, Verdict.PARTIALLY_SUPPORTED: 2}, "2 partially supported"),
    ],
)
def test_counts_are_said_in_the_order_of_the_verdicts(counts: dict[Verdict, int], words: str) -> None:
    assert count_words(counts) == words


@pytest.mark.parametrize(
    ("confidence", "words"),
    [
        (None, "supported"),
        (1.0, "supported"),
        (LOW_CONFIDENCE, "supported"),
        (LOW_CONFIDENCE - 0.001, "probably supported"),
        (0.0, "probably supported"),
    ],
)
def test_a_verdict_of_low_confidence_is_only_probable(confidence: float | None, words: str) -> None:
    assert claim_verdict_words(Verdict.SUPPORTED, confidence) == words
    assert judged_label(Verdict.SUPPORTED, confidence) == f"✓ {words}"


def test_the_browser_gets_every_verdict_by_its_stored_name() -> None:
    assert set(browser_styles()) == {"supported", "partially_supported", "not_mentioned", "contradicted"}


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


def _backgrounds(look: dict[str, Any]) -> list[str]:
    return [look["backgroundColor"], look["secondaryBackgroundColor"], look["sidebar"]["backgroundColor"]]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def blend(colour: str, background: str, share: float) -> str:
    """Return the colour laid over a background with that opacity."""
    mixed = [round(a * share + b * (1 - share)) for a, b in zip(_channels(colour), _channels(background), strict=True)]
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _luminance(colour: str) -> float:
    shares = [channel / 255 for channel in _channels(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
