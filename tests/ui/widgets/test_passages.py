"""Two passages side by side: changed words are marked in both, and texts stay whole."""

from faithview.ui.widgets.passages import PassagePayload, build_passage, mark_changes

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
