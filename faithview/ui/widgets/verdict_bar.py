"""The verdicts on claims as one bar: a stretch for each verdict, as long as its share."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.wording.verdict_styles import count_words


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
