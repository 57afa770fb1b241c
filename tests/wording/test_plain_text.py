"""The text of a finding without its Markdown."""

import pytest

from faithview.domain.hidden_characters import make_visible
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import common_markdown, plain_text
from tests.factories import HOSTILE


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Faithfulness is **0.95 (0.90–0.98, n 40)** in *w43*.", "Faithfulness is 0.95 (0.90–0.98, n 40) in w43."),
        (":material/archive: :small[:gray[2 failed]] and *so* on", "2 failed and so on"),
        (rf"in *{fmt.literal('a*b_[c]: http://x.y')}*.", "in a*b_[c]: http://x.y."),
        ("plain [brackets] stay", "plain [brackets] stay"),
    ],
)
def test_markup_goes_and_names_stay(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_markdown_for_other_readers_keeps_emphasis_and_names() -> None:
    shown = rf":material/archive: :small[:gray[2 failed]] in *{fmt.literal('2026-w43, a*b_[c]')}*: **0.95 (n 40)**."
    assert common_markdown(shown) == r"2 failed in *2026-w43, a\*b\_\[c\]*: **0.95 (n 40)**."


def test_a_name_is_copied_as_it_is_shown() -> None:
    assert plain_text(f"**{fmt.literal(HOSTILE)}**") == make_visible(" ".join(HOSTILE.split()))
