"""Test what is found of a claim's words beside the nearest sentence."""

import pytest

from faithview.domain.sample import Sample
from faithview.judges.embedded.passages import PassageIndex
from faithview.judges.embedded.wording import packaged_wording, wording_figures
from faithview.judges.lexical.analysis import read_answer

_TARIFFS = (
    "**Price changes on Drift**\nWe announce a rise at least 30 days ahead by post, unless you asked for e-mail.\n\n"
    "**Fuses**\nSwitch it up once; if it falls again, call an electrician.\n"
    "If the whole street is dark, call 115, the network operator."
)


def _figures(answer: str, chunk: str = _TARIFFS) -> dict[str, float]:
    sample = Sample.of(answer, [chunk])
    view = read_answer(sample).view
    assert view.count == 1
    return wording_figures(view.claims, view, [0.5], PassageIndex(sample.chunks, None))[0]


def test_a_copied_sentence_borrows_and_adds_nothing() -> None:
    figures = _figures("If the whole street is dark, call 115, the network operator.")
    assert (figures["nearest"], figures["precision"]) == (1.0, 1.0)
    for name in ("borrowed", "unknown", "numbers_borrowed", "conditions_left", "sweeping_added", "negations"):
        assert figures[name] == 0, name


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("Switch it up once; if it falls again, call the network operator.", "borrowed"),
        ("Switch it up once; if it falls again, call 115.", "numbers_borrowed"),
        ("Switch it up once; if it falls again, call a plumber.", "unknown"),
        ("Switch it up once; if it falls again, call 999.", "numbers_unknown"),
        ("We announce a rise at least 30 days ahead by post.", "conditions_left"),
        ("We announce a rise 30 days ahead by post, unless you asked for e-mail.", "bounds_left"),
        ("We always announce a rise at least 30 days ahead by post.", "sweeping_added"),
        ("We do not announce a rise at least 30 days ahead by post.", "negations"),
    ],
)
def test_a_small_change_shows_in_its_own_figure(answer: str, name: str) -> None:
    assert _figures(answer)[name] > 0


def test_a_claim_with_words_of_another_heading_is_told_so() -> None:
    chunks = "**Premium plan**\nStorage is 50 GB.\n"
    sample = Sample.of("On the Basic plan storage is 50 GB.", [chunks, "**Basic plan**\nStorage is 5 GB."])
    view = read_answer(sample).view
    figures = wording_figures(view.claims, view, [0.5], PassageIndex(sample.chunks, None))[0]
    assert figures["other_heading"] > 0


@pytest.mark.parametrize("chunk", ["x", "| a |\n| - |", "–"])
def test_odd_chunks_have_figures(chunk: str) -> None:
    assert packaged_wording().odds([_figures("The plan costs €9.", chunk)])


def test_the_model_believes_a_copy_rather_than_a_borrowed_word() -> None:
    right = _figures("Switch it up once; if it falls again, call an electrician.")
    wrong = _figures("Switch it up once; if it falls again, call the network operator.")
    odds = packaged_wording().odds([right, wrong])
    assert odds[0] > odds[1]
