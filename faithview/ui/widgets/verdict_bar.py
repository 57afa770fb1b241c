"""The verdicts on the claims of a run or an answer as one bar with its counts."""

from collections.abc import Mapping

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import VERDICTS, count_words


def verdict_bar(claims: Mapping[Verdict, int], *, key: str) -> None:
    """Draw the bar, and below it how many claims have each verdict.

    Args:
        claims: how many claims have each verdict; at least one has one.
        key: the key of the bar, unique on the page.
    """
    shown = {verdict: number for verdict in VERDICTS if (number := claims.get(verdict, 0))}
    with st.container(key=key.replace(".", "-"), gap="xxsmall"):
        st.html(
            f'<div role="img" aria-label="{count_words(shown)}" style="{_BAR}">{"".join(map(_part, shown.items()))}</div>'
        )
        st.markdown(" &nbsp; ".join(_count(verdict, number) for verdict, number in shown.items()))


def _part(item: tuple[Verdict, int]) -> str:
    verdict, number = item
    style = VERDICTS[verdict]
    return f'<span style="flex:{number};min-width:3px;background:light-dark({style.light},{style.dark})"></span>'


def _count(verdict: Verdict, number: int) -> str:
    style = VERDICTS[verdict]
    word = f" {style.word}" if verdict is Verdict.CONTRADICTED else ""
    return f":small[:{style.streamlit_colour}[{style.glyph} {fmt.count(number)}{word}]]"


_BAR = "display:flex;gap:2px;height:8px;border-radius:4px;overflow:hidden"
