"""Chunks that are records are cut into keys and values, and every letter of them stays where it is."""

import json

import pytest

from faithview.ui.widgets.answer_payload import find_record

_SHOWN = ("first-key", "key", "line-key", "key-end", "value")


def _lines(text: str) -> list[str]:
    """Return the record as it is read: a line for each key, without what is not shown."""
    lines = [""]
    for part in find_record(text):
        if part.role == "key":
            lines.append(part.indent)
        if part.role in _SHOWN:
            lines[-1] += text[part.start : part.end]
    return lines


RECORDS = [
    '{"name": "Bar \\"Oak\\"", "seats": 20, "open": true, "note": null}',
    '{"a": {"b": {"c": "deep"}}, "list": [1, 2], "empty": ""}',
    '[{"a": 1}, {"a": 2}]',
    json.dumps({"Monday": "9-5", "tags": ["x, y", "{z}"], "é": "ü"}, indent=2),
    "Plan: Scale\nSeats: 20\n\nPrice: 3 EUR",
]


@pytest.mark.parametrize("text", RECORDS)
def test_the_parts_of_a_record_join_to_the_text(text: str) -> None:
    parts = find_record(text)
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]


def test_each_key_of_a_json_record_begins_a_line_with_its_depth() -> None:
    assert _lines('{"name": "Oak", "hours": {"Mon": "9-5", "Tue": "9-6"}, "tags": ["a", "b"], "n": 3}') == [
        "name:Oak",
        "hours:",
        "  Mon:9-5",
        "  Tue:9-6",
        "tags:a, b",
        "n:3",
    ]


def test_a_pretty_printed_record_reads_like_a_dense_one() -> None:
    record = {"Monday": "9-5", "phone": {"home": 1}}
    assert _lines(json.dumps(record, indent=4)) == _lines(json.dumps(record)) == ["Monday:9-5", "phone:", "  home:1"]


def test_lines_of_key_and_value_are_cut_after_the_colon() -> None:
    text = "Plan: Scale\nSeats: 20"
    assert [(text[p.start : p.end], p.role) for p in find_record(text)] == [
        ("Plan: ", "line-key"),
        ("Scale\n", "value"),
        ("Seats: ", "line-key"),
        ("20", "value"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Inboxes hold up to 20 members.",
        "Note: this is one line of prose.",
        "It works like this: open it.\nThen close the settings again and wait.\nNothing else is needed here.",
        "{not json}",
        "[1, 2]",
        "[]",
        "{}",
        "[" * 5000 + "]" * 5000,
    ],
)
def test_prose_is_no_record(text: str) -> None:
    assert find_record(text) == ()
