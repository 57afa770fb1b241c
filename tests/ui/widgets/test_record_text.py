"""Chunks that are records or have tables are cut into parts, and every letter of them stays where it is."""

import json

import pytest

from faithview.ui.widgets.record_parts import find_record, find_tables

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


_TABLE = """Plans:

| Plan | Price | Seats |
|:-----|------:|-------|
| Team | 9 | 10 |
| Scale | 29 |
| A\\|B | 1 | 2 | 3 |

More | text.
"""


def _cells(text: str) -> dict[tuple[int, int], str]:
    """Return what is shown in each cell."""
    return {part.cell: text[part.start : part.end] for part in find_tables(text) if part.cell and not part.role}


def test_each_cell_of_a_table_is_a_part() -> None:
    assert _cells(_TABLE) == {
        (0, 0): "Plan",
        (0, 1): "Price",
        (0, 2): "Seats",
        (1, 0): "Team",
        (1, 1): "9",
        (1, 2): "10",
        (2, 0): "Scale",
        (2, 1): "29",
        (3, 0): "A\\|B",
        (3, 1): "1",
        (3, 2): "2 | 3",
    }
    assert [_TABLE[part.start : part.end] for part in find_tables(_TABLE) if part.cell is None] == [
        "Plans:\n\n",
        "\nMore | text.\n",
    ]


@pytest.mark.parametrize(
    "text",
    [
        _TABLE,
        _TABLE.replace("\n", "\r\n"),
        "|a|b|\n|-|-|\n|\n||\nafter",
        "|a|b|\n|-|-|\n",
        _TABLE + _TABLE,
        "|🙂|b|\n|-|-|",
    ],
)
def test_the_parts_of_a_text_with_tables_join_to_the_text(text: str) -> None:
    assert "".join(text[part.start : part.end] for part in find_tables(text)) == text
