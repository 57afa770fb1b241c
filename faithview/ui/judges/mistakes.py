"""A judge's mistakes: claims on which people settled on another verdict."""

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.services.judge_quality.scorecards import JudgeCard, Mistake
from faithview.ui.parts.downloads.page_downloads import mistakes_download
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import address, nav
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICT_LABELS, judged_label

_SHOWN_MISTAKES = 200


def mistakes(card: JudgeCard) -> None:
    """Draw the mistakes, the most confident first; a click opens the claim."""
    if not card.mistakes:
        st.markdown(":small[:gray[No mistake among the labelled claims.]]")
        return
    shown = card.mistakes[:_SHOWN_MISTAKES]
    order = f"the {fmt.count(len(shown))} most confident" if card.wrong > len(shown) else "the most confident first"
    st.markdown(f":small[:gray[{fmt.plural(card.wrong, 'mistake')}, {order}. Click one to open the claim.]]")
    event = st.dataframe(
        pd.DataFrame([_row(mistake) for mistake in shown]),
        key=f"judges.mistakes.{card.fingerprint}",
        height=min(36 + 35 * len(shown), 390),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=520),
            "judge": st.column_config.TextColumn("Judge", width=150),
            "people": st.column_config.TextColumn("People", width=150),
            "confidence": st.column_config.NumberColumn("Confidence", format="%.2f", help=figure_help.CONFIDENCE),
        },
        alt="Claims on which people settled on another verdict than the judge.",
    )
    mistakes_download(card)
    number = opened(event, len(shown))
    if number is not None:
        place = shown[number].place
        st.switch_page(nav.INSPECT, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _row(mistake: Mistake) -> dict[str, object]:
    return {
        "claim": mistake.text,
        "judge": judged_label(Verdict(mistake.judge), mistake.confidence),
        "people": VERDICT_LABELS[mistake.people],
        "confidence": mistake.confidence,
    }
