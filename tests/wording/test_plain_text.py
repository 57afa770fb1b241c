"""The text of a finding without its Markdown."""

import pytest

from faithview.domain.hidden_characters import make_visible
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import plain_text
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


def test_a_name_reads_as_it_is_shown() -> None:
    assert plain_text(f"**{fmt.literal(HOSTILE)}**") == make_visible(" ".join(HOSTILE.split()))
