"""Characters that nobody sees are shown, and escaped where JSON can say them."""

import json

from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.hidden_characters import escape_in_json, make_visible
from faithview.wording.numbers import literal


def test_hidden_characters_are_shown_by_pictures_and_numbers() -> None:
    assert make_visible("a\x07b\x9bc\u202ed\x7f") == "a\u2407b⟨U+009B⟩c⟨U+202E⟩d\u2421"
    assert make_visible("naïve 👩\u200d👧 שלום\u200f") == "naïve 👩\u200d👧 שלום\u200f"


def test_a_name_in_markdown_hides_nothing() -> None:
    assert literal("safe\u202exe\u2066") == "safe⟨U\\+202E⟩xe⟨U\\+2066⟩"


@given(st.text())
def test_a_document_says_the_same_after_escaping(text: str) -> None:
    escaped = escape_in_json(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(escaped) == {"text": text}
    assert not any(0x7F <= ord(character) <= 0x9F or 0x202A <= ord(character) <= 0x202E for character in escaped)
