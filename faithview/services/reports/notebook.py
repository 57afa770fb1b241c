"""Results, runs and comparisons in a notebook: a text and a table, without scripts, files or styles of their own."""

from collections.abc import Sequence

from faithview.services.reports.rendering import render

# A notebook stores its output in its file, so the output is kept small.
_MOST_ROWS = 30
_MOST_CHARACTERS = 4_000


def show_table(text: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a text and a table as HTML; every text is escaped, long ones are cut, and so is a long table."""
    shown = [[_cut(cell) for cell in row] for row in rows[:_MOST_ROWS]]
    return render("notebook.jinja", text=_cut(text), head=head, rows=shown, more=len(rows) - len(shown))


def _cut(text: str) -> str:
    left_out = len(text) - _MOST_CHARACTERS
    return text if left_out <= 0 else f"{text[:_MOST_CHARACTERS]} … ({left_out} more characters)"
