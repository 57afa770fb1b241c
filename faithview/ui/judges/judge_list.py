"""The list of judges: the finding on how far they can be trusted, and the choice of one."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.services.judge_quality.scorecards import JudgeCard, list_judge_cards
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH
from faithview.stats.shares import Share
from faithview.ui.judges.measure_help import (
    ACCURACY_HELP,
    KAPPA_HELP,
    PRECISION_HELP,
    SENSITIVITY_HELP,
    SPECIFICITY_HELP,
)
from faithview.ui.parts.downloads.page_downloads import cards_download
from faithview.ui.parts.verdict_table import opened
from faithview.ui.shell import app, nav, series, session
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import finding, not_known, rate_text


def load_cards() -> list[JudgeCard]:
    """Return a card for every judge of a run of the series in view, the judge with most labelled claims first."""
    return sorted(list_judge_cards(app.services(), series=series.in_view()), key=lambda card: -card.labelled)


def draw_finding(cards: Sequence[JudgeCard]) -> None:
    """Draw how often people agree with the most labelled judge, or the way to the first labels."""
    labelled = [card for card in cards if card.labelled]
    if not labelled:
        st.markdown("Nobody has labelled a claim yet, so it is unknown how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(nav.QUEUE)
        return
    best = labelled[0].figures
    if best.rates is None or best.basis is None:
        return
    text = finding(
        fmt.code(labelled[0].name),
        best.rates.accuracy,
        best.rates.sensitivity,
        basis=best.basis,
        missed=best.missed,
        is_weighted=best.is_weighted,
        half_width=HEADLINE_HALF_WIDTH,
    )
    st.markdown(text)


def choose_judge(cards: Sequence[JudgeCard]) -> JudgeCard:
    """Draw a table of the judges, where there are several, and return the chosen one."""
    if len(cards) == 1:
        return cards[0]
    event = st.dataframe(
        pd.DataFrame([_row(card) for card in cards]),
        key="judges.list",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode=["single-row", "single-cell"],
        column_config=_COLUMNS,
        alt="The judges, each with how far people agree with it.",
    )
    cards_download(cards)
    number = opened(event, len(cards))
    if number is not None:
        session.JUDGE_CARD.set(cards[number].fingerprint)
    wanted = session.JUDGE_CARD.get()
    return next((card for card in cards if card.fingerprint == wanted), cards[0])


def _row(card: JudgeCard) -> dict[str, object]:
    rates, unknown = card.rates, not_known(card.figures.basis)
    return {
        "judge": card.name,
        "method": card.method,
        "version": card.fingerprint,
        "answers": card.answers,
        "labelled": card.labelled,
        "accuracy": _rate(rates.accuracy) if rates else None,
        "sensitivity": unknown or (_rate(rates.sensitivity) if rates else None),
        "specificity": unknown or (_rate(rates.specificity) if rates else None),
        "precision": _rate(rates.precision) if rates else None,
        "kappa": card.figures.kappa.value,
        "cost": card.cost_usd,
    }


def _rate(share: Share) -> str:
    return rate_text(share, half_width=HEADLINE_HALF_WIDTH)


_COLUMNS = {
    "judge": st.column_config.TextColumn("Judge", width=125),
    "method": st.column_config.TextColumn("Method"),
    "version": st.column_config.TextColumn("Version", width=125),
    "answers": st.column_config.NumberColumn("Answers", help=figure_help.ANSWERS),
    "labelled": st.column_config.NumberColumn(
        "Labelled", help="Claims that people have settled, one that was carried over to other runs once."
    ),
    "accuracy": st.column_config.TextColumn("Agrees with people", help=ACCURACY_HELP),
    "sensitivity": st.column_config.TextColumn("Finds unsupported", help=SENSITIVITY_HELP),
    "specificity": st.column_config.TextColumn("Passes supported", help=SPECIFICITY_HELP),
    "precision": st.column_config.TextColumn("Flags rightly", help=PRECISION_HELP),
    "kappa": st.column_config.NumberColumn("Kappa", format="%.2f", help=KAPPA_HELP),
    "cost": st.column_config.NumberColumn(
        "Cost", format="$%.4f", help="Mean cost of an answer, where a price is known."
    ),
}
