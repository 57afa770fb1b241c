"""Odd values of one row among good ones: what no field expects, in every field, in every kind of file."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType

# As they stand in JSON, so that those are among them that no Python value is written as.
VALUES: tuple[str, ...] = (
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '""',
    '" "',
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-0.0",
    "1e-999",
    "1" + "0" * 20,
    "-1" + "0" * 20,
    "9" * 400,
    "-" + "9" * 400,
    "9" * 5000,
    "0." + "3" * 400,
    "1" * 309 + ".5",
    f'"{"9" * 400}"',
    f'"{"9" * 5000}"',
    f'"1e{"9" * 400}"',
    '"1e400"',
    '"-1e400%"',
    '"0x1F"',
    '"0xZZ"',
    '"1_000"',
    '"²"',
    '"٣"',
    '"Infinity"',
    '"NaN"',
    '"99999-01-01"',
    '"0000-00-00"',
    '"0001-01-01T00:00:00+23:59"',
    '"9999-12-31T23:59:59-23:59"',
    '"2026-13-45T99:99:99Z"',
    '"31.12.99999 25:61"',
    '"Mon, 99 Foo 99999 99:99:99 +9999"',
    '"2026-01-01T00:00:00+99:99"',
    '"1 Jan 0000"',
    '"99/99/9999"',
    "9" * 18,
    "1e300",
    r'"\ud800"',
    r'"\udfff\ud800 text"',
    r'"\u0000"',
    r'"a\u0000b"',
    r'"\u202e\u200b\ufeff"',
    '"' + "x" * 200_000 + '"',
    '"' + "🙂" * 3_000 + '"',
    "[" * 50 + "]" * 50,
    "[" * 500 + "]" * 500,
    "[" * 990 + "]" * 990,
    '{"a":' * 500 + "1" + "}" * 500,
    '{"a":' * 990 + "1" + "}" * 990,
    '[{"text":' * 480 + "1" + "}]" * 480,
    json.dumps("[" * 990 + "]" * 990),
    json.dumps("[" * 5000 + "]" * 5000),
    json.dumps("(" * 250 + ")" * 250),
    json.dumps("-" * 5000 + "1"),
    json.dumps("[" + "9" * 5000 + "]"),
    json.dumps("{'a': " * 300 + "1" + "}" * 300),
    json.dumps("['a' 'b'" * 100),
    json.dumps("array(['a', 1e999, 0x, ..."),
    json.dumps("{1: 2, **{}}"),
    json.dumps("[{'text': 'a', 'score': nan, 'rank': 1e999}]"),
    json.dumps("\\ud800['\\ud800']"),
    '{"text": null}',
    '{"text": {"text": {"text": "deep"}}}',
    '{"text": "a", "rank": 1' + "0" * 20 + "}",
    '{"text": "a", "rank": -5, "score": 1' + "0" * 400 + "}",
    '{"text": "a", "score": NaN, "id": 1e999}',
    '{"text": "a", "score": "high", "metadata": {"b": [1e999, NaN]}}',
    r'{"text": "a", "id": "\ud800", "metadata": {"\ud800": "\u0000"}}',
    r'{"\ud800": 1, "\u0000": 2, "": 3}',
    '[{"text": "a", "id": "1"}, {"text": "b", "id": "1"}, {"text": "", "id": "1"}, 7, null, [["c"]]]',
    '[{"claim": "It is.", "verdict": 1' + "0" * 400 + "}]",
    '[{"claim": "It is.", "verdict": NaN}, {"claim": null, "verdict": "yes"}, {"claim": ["a"], "verdict": {}}]',
    '[{"claim": "It is.", "verdict": "yes", "reason": ' + "[" * 90 + "]" * 90 + "}]",
    '{"score": 1' + "0" * 400 + "}",
    '{"value": {"value": {"score": "a"}}}',
)

_CONTEXT = "The library opens at nine."


def good_row(number: int) -> dict[str, object]:
    """Return a row that every reader can use."""
    return {
        "id": f"good-{number}",
        "question": "When does it open?",
        "answer": "It opens at nine.",
        "contexts": [_CONTEXT],
        "faithfulness": 1.0,
    }


def _field(name: str) -> Callable[[str], str]:
    def row(value: str) -> str:
        return json.dumps({**good_row(0), "id": "odd", name: "@"}).replace('"@"', value, 1)

    return row


def _inside(template: str) -> Callable[[str], str]:
    def row(value: str) -> str:
        return json.dumps({**good_row(0), "id": "odd"})[:-1] + ", " + template.replace("@", value) + "}"

    return row


# A place in a row -> the row, as JSON, with a value there. A later key of an object counts over an earlier one.
PLACES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        **{
            name: _field(name)
            for name in (
                *("id", "question", "answer", "contexts", "context_ids", "segment", "reference", "timestamp", "other"),
                *("faithfulness", "inclusion_probability", "metadata"),
            )
        },
        "a chunk": _inside(f'"contexts": ["{_CONTEXT}", @]'),
        "a chunk's text": _inside('"contexts": [{"text": @}]'),
        "a chunk's score": _inside('"contexts": [{"text": "a", "score": @}]'),
        "a chunk's rank": _inside('"contexts": [{"text": "a", "rank": @}]'),
        "a chunk's id": _inside('"contexts": [{"text": "a", "id": @}]'),
        "a chunk's metadata": _inside('"contexts": [{"text": "a", "metadata": {"b": @}}]'),
        "a claim": _inside('"claims": [@]'),
        "a claim's text": _inside('"claims": [{"claim": @, "verdict": "supported"}]'),
        "a claim's verdict": _inside('"claims": [{"claim": "It opens at nine.", "verdict": @}]'),
        "a claim's reason": _inside('"claims": [{"claim": "It opens at nine.", "verdict": "yes", "reason": @}]'),
        "inside": _inside('"other": {"deep": [1, @]}'),
    }
)
GOOD = 4
# The odd row stands between good ones, so that a reader that stops is found out.
ODD_AT = 3


def json_lines(row: str) -> bytes:
    """Return JSON Lines of good rows with this one in the third line."""
    good = [json.dumps(good_row(number)) for number in range(1, GOOD + 1)]
    return "\n".join([*good[: ODD_AT - 1], row, *good[ODD_AT - 1 :]]).encode() + b"\n"


def json_list(row: str) -> bytes:
    """Return a JSON list of good rows with this one as the third item."""
    return b"[" + json_lines(row).strip().replace(b"\n", b",\n") + b"]"


def json_object(row: str) -> bytes:
    """Return a JSON object whose `data` are good rows with this one as the third item."""
    return b'{"made_by": "hand", "data": ' + json_list(row) + b"}"


def delimited(row: str) -> bytes:
    """Return CSV of good rows with this one as the third; what is no text stands in it as JSON.

    Half a character, which no file in UTF-8 can hold, is there as its escape.
    """
    return _delimited(row).encode("utf-8", "backslashreplace")


def delimited_raw(row: str) -> bytes:
    """Return such CSV with the bytes of half a character, as careless programs write them; ValueError where none is."""
    text = _delimited(row)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    raise ValueError("There is no half character in the row.")


def _delimited(row: str) -> str:
    rows: list[dict[str, object]] = [good_row(number) for number in range(1, GOOD + 1)]
    rows.insert(ODD_AT - 1, json.loads(row, parse_int=str, parse_float=str, parse_constant=str))
    columns = list(dict.fromkeys(name for item in rows for name in item))
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    for item in rows:
        cells = [item.get(name, "") for name in columns]
        writer.writerow([cell if isinstance(cell, str) else json.dumps(cell) for cell in cells])
    return text.getvalue()


KINDS: Mapping[str, Callable[[str], bytes]] = MappingProxyType(
    {
        "jsonl": json_lines,
        "list": json_list,
        "object": json_object,
        "csv": delimited,
        "csv of raw halves": delimited_raw,
    }
)
