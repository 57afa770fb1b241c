"""The verdicts on claims as one bar: a stretch for each verdict, as long as its share."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.wording.verdict_styles import VERDICTS, count_words


def verdict_bar(claims: Mapping[Verdict, int]) -> None:
    """Draw the counts as a bar, with the counts in words for those who do not see it; nothing for no claims."""
    if any(claims.values()):
        parts = "".join(_part(verdict, claims[verdict]) for verdict in VERDICTS if claims.get(verdict))
        st.html(f'<div role="img" aria-label="Claims: {count_words(claims)}" style="{_BAR}">{parts}</div>')


def _part(verdict: Verdict, number: int) -> str:
    style = VERDICTS[verdict]
    return f'<span style="flex:{number} 1 0;min-width:3px;background:light-dark({style.light},{style.dark})"></span>'


_BAR = "display:flex;gap:2px;height:8px;border-radius:4px;overflow:hidden"
