"""Where the statements of a passage are: sentences, list items, cells of tables, under their headings."""

from faithview.judges.lexical.disagreement.documents import Source


def _read(text: str, title: str = "") -> list[tuple[str, str]]:
    """Return each statement's text with its heading."""
    return [
        (" | ".join(text[start:end] for start, end in one.place.ranges), one.heading)
        for one in Source(text, title=title).find_statements()
    ]


def test_sentences_and_items_are_below_their_headings() -> None:
    text = "# Refunds\nRefunds are free. They take 5 days.\n\n## Limits\n- up to 8 parts\n- within 60 days\n"
    found = dict(_read(text))
    assert found["Refunds are free."] == "Refunds"
    assert found["They take 5 days."] == "Refunds"
    assert found["up to 8 parts"].endswith("Limits")
    assert found["within 60 days"].endswith("Limits")


def test_a_cell_is_read_with_the_headers_of_its_column_and_row() -> None:
    text = "| Plan | Boards | Storage |\n| --- | --- | --- |\n| Free | 3 | 1 GB |\n| Team | 50 | 50 GB |\n"
    cells = {said for said, _ in _read(text, title="Compare plans")}
    assert {"Boards | Free | 3", "Storage | Free | 1 GB", "Boards | Team | 50", "Storage | Team | 50 GB"} <= cells


def test_code_says_nothing() -> None:
    text = "Set the timeout.\n\n```\ntimeout = 30\nretries: 5\n```\n"
    assert all("30" not in said and "5" not in said for said, _ in _read(text))


def test_the_title_stands_above_all() -> None:
    assert _read("It costs 5 euros.", title="Parking") == [("It costs 5 euros.", "Parking")]
