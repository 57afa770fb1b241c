"""Verdicts are told apart by word, icon, colour and underline."""

from pathlib import Path

import pytest

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.ui import reader
from faithview.wording.verdict_styles import (
    CHECK_STYLE,
    LOW_CONFIDENCE,
    STATE_SENTENCES,
    STATE_WORDS,
    STYLES,
    VERDICTS,
    claim_verdict_words,
    count_words,
    judged_label,
    style_of,
)


def test_every_verdict_and_state_has_its_looks() -> None:
    assert list(VERDICTS) == list(Verdict)
    assert set(STATE_WORDS) == set(STATE_SENTENCES) == set(State)


@pytest.mark.parametrize("trait", ["word", "glyph", "material", "light", "dark", "underline"])
def test_no_two_verdicts_share_a_trait(trait: str) -> None:
    assert len({getattr(style, trait) for style in STYLES.values()}) == len(Verdict) + 1


def test_underlines_differ_in_pattern_and_not_only_in_thickness() -> None:
    patterns = {name: style.underline.split()[0] for name, style in STYLES.items()}
    assert patterns == {
        "check_this": "double",
        Verdict.SUPPORTED: "solid",
        Verdict.PARTIALLY_SUPPORTED: "dashed",
        Verdict.NOT_MENTIONED: "dotted",
        Verdict.CONTRADICTED: "wavy",
    }


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
    assert claim_verdict_words(Verdict.SUPPORTED, Certainty(confidence)) == words
    assert judged_label(Verdict.SUPPORTED, Certainty(confidence)) == f"✓ {words}"


def test_a_claim_near_the_cut_is_to_be_checked_and_looks_like_no_verdict() -> None:
    near = Certainty(0.72, is_near_cut=True)
    assert claim_verdict_words(Verdict.SUPPORTED, near) == "check this"
    assert judged_label(Verdict.SUPPORTED, near) == "? check this"
    assert style_of(Verdict.SUPPORTED, near) is CHECK_STYLE
    assert style_of(Verdict.SUPPORTED, near.once_labelled()) is VERDICTS[Verdict.SUPPORTED]


@pytest.mark.parametrize("name", list(STYLES))
def test_the_reader_draws_every_verdict_with_its_own_line(name: str) -> None:
    sheet = Path(*reader.__path__, "reader.css").read_text(encoding="utf-8")
    rule = sheet.partition(f'[data-verdict="{name}"] {{')[2].partition("}")[0]
    assert f"--line: {STYLES[name].underline};" in rule
