"""Files of answers, made for the tests that upload them."""

import csv
import io
import json
from collections.abc import Mapping, Sequence


def csv_of(rows: Sequence[Mapping[str, str]]) -> bytes:
    """The rows as a csv file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def many_rows(number: int) -> list[dict[str, str]]:
    """So many answers, no two alike, every second one with a wrong number."""
    return [
        {
            "id": f"r{at}",
            "question": f"How many members has inbox {at}?",
            "answer": f"Inbox {at} holds {20 + at % 2} members. Its links expire after {at} days. It is blue.",
            "contexts": json.dumps([f"Inbox {at} holds 20 members. Links of inbox {at} expire after {at} days."] * 4),
        }
        for at in range(1, number + 1)
    ]
