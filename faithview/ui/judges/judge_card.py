"""One judge: its agreement with people, confusion, calibration, limits and mistakes."""

import streamlit as st

from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.stats.judge_quality import Calibration
from faithview.ui.charts.calibration import calibration_figure, calibration_in_words
from faithview.ui.judges.measure_help import ACCURACY_HELP, KAPPA_HELP, SENSITIVITY_HELP, SPECIFICITY_HELP
from faithview.ui.judges.mistakes import mistakes
from faithview.ui.judges.share_words import share_text
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.verdict_table import confusion
from faithview.wording import numbers as fmt


def judge_card(card: JudgeCard) -> None:
    """Draw the card; without labels only the judge's limits."""
    st.header(fmt.literal(card.name), anchor=False)
    st.caption(
        f"method {fmt.literal(card.method)} · {fmt.literal(card.fingerprint)} · "
        f"{fmt.plural(len(card.runs), 'run')} · {_cost(card)}"
    )
    if card.labelled and card.rates is not None:
        columns = st.columns(4)
        figures = (
            ("Agrees with people", share_text(card.rates.accuracy), ACCURACY_HELP),
            ("Finds unsupported (sensitivity)", share_text(card.rates.sensitivity), SENSITIVITY_HELP),
            ("Passes supported (specificity)", share_text(card.rates.specificity), SPECIFICITY_HELP),
            ("Cohen's kappa", fmt.measure(card.kappa.value, card.kappa.interval, card.kappa.claims), KAPPA_HELP),
        )
        for column, (label, value, help_) in zip(columns, figures, strict=True):
            column.markdown(f":small[:gray[{label}]]  \n**{value}**", help=help_)
        left, right = st.columns(2, gap="large")
        with left:
            if card.confusion is not None:
                st.markdown(":small[:gray[Judge's verdict (rows) against people's (columns), labelled claims]]")
                confusion(card.confusion.counts, key=f"judges.confusion.{card.fingerprint}", rows="Judge")
            _limits(card)
        with right:
            _calibration(card.calibration, key=card.fingerprint)
        mistakes(card)
    else:
        st.markdown(":gray[No labels on its claims yet.]")
        _limits(card)


def _cost(card: JudgeCard) -> str:
    parts = [fmt.plural(card.answers, "answer"), fmt.plural(card.labelled, "labelled claim")]
    if card.answers:
        parts.append(
            "time per answer – (judged elsewhere)"
            if card.seconds is None
            else f"{fmt.fixed(1000 * card.seconds, 0)} ms per answer"
        )
    if card.cost_usd is not None:
        parts.append(f"\\{fmt.dollars(card.cost_usd)} per answer")
    else:
        parts.append("no cost, it judges on this machine" if card.is_free else "cost unknown")
    return " · ".join(parts)


def _limits(card: JudgeCard) -> None:
    with st.expander("What it cannot see", icon=":material/visibility_off:"):
        if not card.limits:
            st.markdown(":gray[This judge does not say.]")
        st.markdown("\n".join(f"- {fmt.literal(limit)}" for limit in card.limits))


def _calibration(calibration: Calibration | None, *, key: str) -> None:
    if calibration is None or not calibration.bins:
        st.markdown(":small[:gray[The judge gives no confidence, so its calibration is not known.]]")
        return
    error = "" if calibration.error is None else f"; on average {fmt.fixed(calibration.error, 2)} apart"
    st.markdown(
        f":small[:gray[How often people agree with it, by its stated confidence{error}]]", help=_CALIBRATION_HELP
    )
    st.plotly_chart(
        calibration_figure(calibration, theme=chart_theme()),
        key=f"judges.calibration.{key}",
        config={"displayModeBar": False},
        alt=calibration_in_words(calibration),
    )


_CALIBRATION_HELP = (
    "On the line the judge is right as often as it says. The average distance from it is the expected calibration "
    "error (Naeini, Cooper and Hauskrecht 2015); bars are 95 % intervals. Nothing is fitted to these labels, so those "
    "on held-out rows count like all others."
)
