"""A word diff passes its texts as data, and counts the changed words."""

import pytest

from faithview.ui.widgets.word_diff import build_diff


def test_an_edit_is_separated_from_unchanged_words_and_counted() -> None:
    diff = build_diff("Inboxes hold up to 20 members.", "Inboxes now hold up to 50 members.")
    assert diff["words"] == "1 word removed, 2 added"
    assert [(part["kind"], part["text"]) for part in diff["parts"]] == [
        ("same", "Inboxes "),
        ("added", "now "),
        ("same", "hold up to "),
        ("removed", "20 "),
        ("added", "50 "),
        ("same", "members."),
    ]


def test_equal_texts_are_reported_as_equal() -> None:
    assert build_diff("The same.", "The same.")["words"] == "The words are the same."


def test_a_text_that_is_gone_is_removed_whole() -> None:
    assert build_diff("All of it.", "")["parts"] == [{"kind": "removed", "text": "All of it."}]


@pytest.mark.parametrize("more", ["", "!"])
def test_texts_too_long_to_compare_by_words_still_join_to_both(more: str) -> None:
    stretch = "word " * 30_000
    old, new = f"{stretch}old{stretch}", f"{stretch}new{stretch}{more}"
    parts = build_diff(old, new)["parts"]
    assert "".join(part["text"] for part in parts if part["kind"] != "added") == old
    assert "".join(part["text"] for part in parts if part["kind"] != "removed") == new


def test_markup_in_a_text_stays_text() -> None:
    bad = "<img src=x onerror=alert(1)>"
    text = "".join(part["text"] for part in build_diff("a", bad)["parts"] if part["kind"] != "removed")
    assert text == bad
