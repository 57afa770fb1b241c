"""Verdicts on claims as one bar, and verdicts against verdicts as a table."""

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.wording.verdict_styles import SHORT_VERDICT_LABELS, VERDICT_LABELS, count_words


def confusion(counts: Mapping[str, Mapping[str, int]], *, key: str, rows: str) -> None:
    """Draw a confusion table: `counts[row][column]` claims; `rows` names whose verdicts the rows are."""
    names = [name for name in VERDICT_LABELS if name in counts or any(name in row for row in counts.values())]
    column = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(
            [
                {"row": VERDICT_LABELS[name], **{people: counts[name].get(people, 0) for people in names}}
                for name in names
                # Judges never say "not a claim".
                if name in counts and not (name == NOT_A_CLAIM and not any(counts[name].values()))
            ]
        ),
        key=key,
        hide_index=True,
        column_config={
            "row": st.column_config.TextColumn(rows, width=136),
            **{
                name: column(SHORT_VERDICT_LABELS[name], width=64, help=VERDICT_LABELS[name], format="localized")
                for name in names
            },
        },
        alt=f"Verdicts of {rows} against those named in the columns: how many claims got both.",
    )


def verdict_bar(claims: Mapping[str, int] | Mapping[Verdict, int]) -> None:
    """Draw the counts by verdict as a bar, and say them to those who do not see it; nothing for no claims."""
    if any(claims.values()):
        st.html(verdict_bar_html(claims))


def verdict_bar_html(claims: Mapping[str, int] | Mapping[Verdict, int]) -> str:
    """Return the bar as HTML of numbers and the verdicts' own names; its looks are in the page's style sheet."""
    counts = {verdict: claims[verdict] for verdict in Verdict if claims.get(verdict)}
    parts = "".join(
        f'<span style="flex:{count:d} 1 0;background:var(--fv-{verdict.value.replace("_", "-")})"></span>'
        for verdict, count in counts.items()
    )
    return f'<div class="fv-verdicts" role="img" aria-label="Claims: {count_words(counts)}">{parts}</div>'
