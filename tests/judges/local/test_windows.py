"""Windows over long chunks: nothing is left out, and they overlap."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from faithview.judges.local.windows import sentences, windows
from faithview.judges.text.sentences import Range


def _parts(text: str, most: int) -> list[Range]:
    return windows(text, _words(text), most)


def _words(text: str) -> list[Range]:
    """A tokenizer whose tokens are words and punctuation marks."""
    return [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]


def test_a_text_that_fits_is_one_window_without_the_white_space_around_it() -> None:
    assert _parts("  Two words. \n", 32) == [(2, 12)]
    assert _parts(" \n ", 32) == []
    assert _parts("", 32) == []


def test_windows_end_with_sentences_and_begin_again_before_their_end() -> None:
    text = " ".join(f"Sentence number {number} is here." for number in range(20))
    found = _parts(text, 24)
    parts = [text[start:end] for start, end in found]
    assert len(parts) > 1
    assert all(part.startswith("Sentence") and part.endswith("here.") for part in parts)
    assert all(len(_words(part)) <= 24 for part in parts)
    assert all(second[0] < first[1] for first, second in itertools.pairwise(found))


def test_a_line_ends_a_sentence() -> None:
    text = "Opening hours\nMonday 9 to 5\nClosed on Sunday. Call us"
    assert [text[a:b] for a, b in sentences(text, 0, len(text))] == [
        "Opening hours",
        "Monday 9 to 5",
        "Closed on Sunday.",
        "Call us",
    ]


def test_a_sentence_longer_than_a_window_is_cut_inside() -> None:
    text = "word " * 500
    found = _parts(text, 40)
    assert all(len(_words(text[a:b])) <= 40 for a, b in found)
    assert _missed(text, found) == ""


def test_a_token_of_several_characters_and_a_character_of_several_tokens() -> None:
    # Byte-level tokenizers make four tokens of one emoji, all at the same place.
    def bytes_of(text: str) -> list[Range]:
        return [(at, at + 1) for at, character in enumerate(text) for _ in character.encode()]

    text = "😀" * 300
    found = windows(text, bytes_of(text), 64)
    assert _missed(text, found) == ""
    assert all(len(bytes_of(text[a:b])) <= 64 + 6 for a, b in found)  # a cut within a character takes all of it


@given(st.text(alphabet="ab .,!?\n\t😀", max_size=400), st.integers(min_value=4, max_value=60))
def test_no_character_is_left_out_and_every_window_is_new(text: str, most: int) -> None:
    found = _parts(text, most)
    assert _missed(text, found) == ""
    assert len(set(found)) == len(found)
    assert all(first[0] < second[0] and first[1] < second[1] for first, second in itertools.pairwise(found))


def _missed(text: str, found: list[Range]) -> str:
    covered = {at for start, end in found for at in range(start, end)}
    return "".join(character for at, character in enumerate(text) if at not in covered).strip()
