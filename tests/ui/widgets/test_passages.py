"""Two passages side by side: changed words are marked in both, words that differ are boxed, and texts stay whole."""

from faithview.domain.spans import Span
from faithview.ui.widgets.passages import PassagePayload, build_boxed, build_passage, mark_changes

OLD = "Items can be returned within 30 days <b>of</b> delivery."
NEW = OLD.replace("30", "14")


def _text(side: PassagePayload) -> str:
    return "".join(part["text"] for part in side["parts"])


def _marked(side: PassagePayload) -> list[tuple[str, str]]:
    return [(part["kind"], part["text"].strip()) for part in side["parts"] if part["kind"] != "same"]


def test_each_side_marks_its_own_changed_words() -> None:
    before, after = mark_changes(build_passage("Now", text=OLD), build_passage("New version", text=NEW))["sides"]
    assert (_text(before), _text(after)) == (OLD, NEW)
    assert (_marked(before), _marked(after)) == ([("removed", "30")], [("added", "14")])
    assert (before["title"], after["title"]) == ("Now", "New version")


def test_in_a_rewritten_passage_nothing_is_marked() -> None:
    sides = mark_changes(build_passage("Now", text=OLD), build_passage("New version", text="Gift cards are not sold."))
    assert [_marked(side) for side in sides["sides"]] == [[], []]


def test_the_words_that_differ_are_in_a_box() -> None:
    side = build_boxed("Hours", name="kb-1", note="", text="Opens at nine.", words=Span(start=9, end=13))
    assert side["parts"] == [
        {"kind": "same", "text": "Opens at "},
        {"kind": "boxed", "text": "nine"},
        {"kind": "same", "text": "."},
    ]
    whole = build_boxed("Hours", name="kb-1", note="", text="nine", words=Span(start=0, end=4))
    assert whole["parts"] == [{"kind": "boxed", "text": "nine"}]
