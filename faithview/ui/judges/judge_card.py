"""One judge: its agreement with people, confusion, calibration, limits and mistakes."""

import streamlit as st

from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH
from faithview.stats.judge_quality import Calibration, Confusion
from faithview.stats.shares import Share
from faithview.ui.charts.calibration import calibration_figure, calibration_in_words
from faithview.ui.judges.measure_help import (
    ACCURACY_HELP,
    KAPPA_HELP,
    PRECISION_HELP,
    SENSITIVITY_HELP,
    SPECIFICITY_HELP,
)
from faithview.ui.judges.mistakes import mistakes
from faithview.ui.parts.chart_theme import chart_theme
from faithview.ui.parts.verdict_table import confusion
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import WEIGHTED, is_narrow, labelled_counts, not_known, rate_text

_COUNTS, _SHARES = "Counts", "Weighted"


def judge_card(card: JudgeCard) -> None:
    """Draw the card; without labels only the judge's limits."""
    st.header(fmt.literal(card.name), anchor=False)
    st.caption(
        f"method {fmt.literal(card.method)} · {fmt.literal(card.fingerprint)} · "
        f"{fmt.plural(len(card.runs), 'run')} · {_cost(card)}"
    )
    if card.rates is not None:
        _rates(card)
        left, right = st.columns(2, gap="large")
        with left:
            if card.figures.confusion is not None:
                _confusion(card, card.figures.confusion)
            _limits(card)
        with right:
            _calibration(card.figures.calibration, key=card.fingerprint)
        mistakes(card)
    else:
        st.markdown(":gray[No labels on its claims yet.]")
        _limits(card)


def _rates(card: JudgeCard) -> None:
    figures, rates = card.figures, card.figures.rates
    if rates is None:
        return
    unknown, kappa = not_known(figures.basis), figures.kappa
    shown = (
        ("Agrees with people", _rate(rates.accuracy), ACCURACY_HELP),
        ("Finds unsupported (recall)", unknown or _rate(rates.sensitivity, more=figures.missed), SENSITIVITY_HELP),
        ("Passes supported (specificity)", unknown or _rate(rates.specificity), SPECIFICITY_HELP),
        ("Flags rightly (precision)", _rate(rates.precision), PRECISION_HELP),
        ("Cohen's kappa", f"**{fmt.measure(kappa.value, kappa.interval, kappa.claims)}**", KAPPA_HELP),
    )
    for column, (label, value, help_) in zip(st.columns(len(shown)), shown, strict=True):
        column.markdown(f":small[:gray[{label}]]  \n{value}", help=help_)
    words = [WEIGHTED] if figures.is_weighted else []
    if unknown is not None:
        words.append("These figures are about the labelled claims; others were not drawn.")
    elif card.labelled > figures.used:
        others = card.labelled - figures.used
        words.append(
            f"{fmt.plural(others, 'label')} given outside a spot-check {fmt.verb(others, 'is', 'are')} left out."
        )
    if words:
        st.caption(" ".join(words))


def _rate(share: Share, *, more: int = 0) -> str:
    """Write a share over its counts, in bold where its interval is narrow enough."""
    figure = rate_text(share, half_width=HEADLINE_HALF_WIDTH)
    figure = f"**{figure}**" if is_narrow(share, half_width=HEADLINE_HALF_WIDTH) else figure
    return f"{figure}  \n:small[:gray[{labelled_counts(share, more=more)}]]"


def _confusion(card: JudgeCard, table: Confusion) -> None:
    """Draw the matrix in counts, and where labels stand for different numbers of claims in weighted shares too."""
    what = _COUNTS
    number = fmt.plural(card.figures.used, "labelled claim")
    st.markdown(f":small[:gray[Judge's verdict (rows) against people's (columns), {number}]]")
    if card.figures.is_weighted:
        what = st.segmented_control(
            "Matrix",
            [_COUNTS, _SHARES],
            default=_COUNTS,
            required=True,
            key="judges.matrix",
            label_visibility="collapsed",
        )
    key = f"judges.confusion.{card.fingerprint}"
    if what == _SHARES:
        shares = {
            judge: {people: fmt.percent(share) for people, share in row.items()} for judge, row in table.shares.items()
        }
        confusion(table.counts, key=f"{key}.weighted", rows="Judge", words=shares)
    else:
        confusion(table.counts, key=key, rows="Judge")


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
