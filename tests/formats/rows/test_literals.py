"""Python values as programs print them: read from their text, and never run."""

import pytest

from faithview.formats.rows.cells import read_literal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("['a', 'b']", ["a", "b"]),
        ("('a',)", ["a"]),
        ("{'a': [1, -2.5, None], 'b': nan}", {"a": [1, -2.5, None], "b": None}),
        ("array(['a', 'b'], dtype=object)", ["a", "b"]),
        ("[Document(id='7', metadata={'page': 3}, page_content='x')]", [
            {"id": "7", "metadata": {"page": 3}, "page_content": "x"},
        ]),
    ],
)  # fmt: skip
def test_a_printed_value_is_read(text: str, value: object) -> None:
    assert read_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "open('x', 'w').write('y')",
        "[x for x in y]",
        "a",
        "1 + 1",
        "f'{x}'",
        "[" * 5000,
    ],
    ids=lambda text: text[:20],
)
def test_anything_else_is_refused_and_nothing_is_run(text: str) -> None:
    with pytest.raises(ValueError):
        read_literal(text)
