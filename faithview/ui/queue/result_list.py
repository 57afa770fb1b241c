"""Parts of the queue page: at the end, the judge's mistakes, and what the reviewer said of each claim."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.claim import ClaimRef
from faithview.services.judge_quality.judged_labels import verdict_name
from faithview.services.review.checks.check_result import Mistake
from faithview.services.review.reveals import QueueResult
from faithview.ui.parts.teams.opened_answers import note_opened
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import address, nav
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICT_LABELS

_MOST_SHOWN = 500
_HIDDEN = "hidden"


def show_mistakes(mistakes: Sequence[Mistake], *, key: str) -> None:
    """Draw the claims on which people settled on another verdict than the judge's; a click opens one."""
    if not mistakes:
        return
    shown = mistakes[:_MOST_SHOWN]
    # Opening the list is seeing the judge's verdicts on these claims.
    note_opened(*((mistake.place.run_id, mistake.place.row) for mistake in shown))
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "claim": mistake.text,
                    "people": VERDICT_LABELS[verdict_name(mistake.people)],
                    "judge": VERDICT_LABELS[mistake.judged.value],
                }
                for mistake in shown
            ]
        ),
        key=key,
        height=min(36 + 35 * len(shown), 460),
        hide_index=True,
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=560),
            "people": st.column_config.TextColumn("People", width=150),
            "judge": st.column_config.TextColumn("Judge", width=150),
        },
        alt="The judge's mistakes: claims with people's verdict and the judge's.",
    )
    _open(event, [mistake.place for mistake in shown])


def show_results(results: Sequence[QueueResult], *, key: str) -> None:
    """Draw how often the reviewer and the judge agree, and their labels, where they differ first; a click opens one."""
    if not results:
        return
    st.markdown(_finding(results))
    ordered = sorted(results, key=lambda result: (result.judged is None, result.agrees))[:_MOST_SHOWN]
    has_second_thoughts = any(result.second_thought is not None for result in ordered)
    event = st.dataframe(
        pd.DataFrame([_row(result, has_second_thoughts=has_second_thoughts) for result in ordered]),
        key=key,
        height=min(36 + 35 * len(ordered), 460),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=560),
            "you": st.column_config.TextColumn("You", width=150),
            "judge": st.column_config.TextColumn("Judge", width=150),
            "after": st.column_config.TextColumn("You, after seeing the judge", width=190),
        },
        alt="The claims that you labelled, with your verdict and the judge's.",
    )
    _open(event, [result.place for result in ordered])


def _open(event: object, places: Sequence[ClaimRef]) -> None:
    number = opened(event, len(places))
    if number is not None:
        place = places[number]
        st.switch_page(nav.INSPECT, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _finding(results: Sequence[QueueResult]) -> str:
    seen = [result for result in results if result.judged is not None]
    labelled = fmt.plural(len(results), "claim")
    if not seen:
        return f"You labelled {labelled}. The judge's verdicts are hidden until you reveal them."
    agreed = sum(result.agrees for result in seen)
    of_seen = (
        labelled if len(seen) == len(results) else f"the {fmt.plural(len(seen), 'claim')} whose verdict you have seen"
    )
    words = f"**You and the judge agree on {fmt.count(agreed)} of {of_seen}.**"
    if agreed < len(seen):
        words += " Those on which you differ come first; click one to open it."
    changed = sum(result.second_thought is not None for result in results)
    if changed:
        words += f" You changed your mind on {fmt.count(changed)} after seeing the judge; your blind label counts."
    return words


def _row(result: QueueResult, *, has_second_thoughts: bool) -> dict[str, str | None]:
    after = result.second_thought
    row: dict[str, str | None] = {
        "claim": result.text,
        "you": VERDICT_LABELS[verdict_name(result.label.verdict)],
        "judge": _HIDDEN if result.judged is None else VERDICT_LABELS[result.judged.value],
    }
    if not has_second_thoughts:
        return row
    return {**row, "after": None if after is None else VERDICT_LABELS[verdict_name(after.verdict)]}
