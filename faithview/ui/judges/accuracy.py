"""How far judges can be trusted: their list, and one judge's agreement, calibration, limits and mistakes."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from faithview.domain.claim import Verdict
from faithview.services.judge_quality.scorecards import JudgeCard, Mistake, list_judge_cards
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH
from faithview.stats.judge_quality import Calibration, Confusion
from faithview.stats.shares import Share
from faithview.ui import address, navigation, opened_store, series, session
from faithview.ui.charts.calibration import calibration_figure, calibration_in_words
from faithview.ui.charts.chart_colours import chart_theme
from faithview.ui.frontend.component_files import FRONTEND
from faithview.ui.widgets.downloads import cards_download, mistakes_download
from faithview.ui.widgets.verdict_table import confusion, opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import counts_behind, finding, is_narrow, not_known, rate_text, weighted_to
from faithview.wording.verdict_styles import VERDICT_LABELS, judged_label

_RANDOM = " Known from a spot-check only: labels on claims that were picked by their verdict say nothing about it."
ACCURACY_HELP = (
    "Share of claims on which judge and reviewers give the same of the four verdicts, with a 95 % interval (Wilson's, "
    "with the effective number of labels, which allows for answers to the same question and for the weights)."
)
SENSITIVITY_HELP = (
    "Recall: of the claims that reviewers call not supported, the share that the judge does not call supported. "
    "Claims that the judge missed and reviewers added count as not found." + _RANDOM
)
SPECIFICITY_HELP = (
    "Specificity: of the claims that reviewers call supported, the share that the judge calls supported." + _RANDOM
)
PRECISION_HELP = (
    "Precision: of the claims that the judge does not call supported, the share that reviewers call not supported."
)
KAPPA_HELP = (
    "Agreement beyond chance (Cohen 1960): 0 is chance, 1 is perfect. Labels of a spot-check are weighted by their "
    "inclusion probability. A bootstrap interval over questions."
)


def load_cards() -> list[JudgeCard]:
    """Return a card for every judge of a run of the series in view, the judge with most labelled claims first."""
    return sorted(list_judge_cards(opened_store.store(), series=series.in_view()), key=lambda card: -card.labelled)


def draw_finding(cards: Sequence[JudgeCard]) -> None:
    """Draw how often reviewers agree with the judge that has the most labels, or the way to the first labels."""
    labelled = [card for card in cards if card.labelled]
    if not labelled:
        st.markdown("No claim has a label yet, so it is unknown how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(navigation.REVIEW)
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
        weighted_to=weighted_to(best, runs=len(labelled[0].runs)),
        half_width=HEADLINE_HALF_WIDTH,
    )
    st.markdown(text)


def choose_judge(cards: Sequence[JudgeCard]) -> JudgeCard:
    """Draw a table of the judges, where there are several, and return the chosen one."""
    if len(cards) == 1:
        return cards[0]
    event = st.dataframe(
        pd.DataFrame([_judge_row(card) for card in cards]),
        key="judges.list",
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",  # a mode for rows would put a column of boxes before the first
        column_config=_COLUMNS,
        column_order=[name for name in _COLUMNS if name != "cost" or any(card.cost_usd for card in cards)],
        alt="The judges, each with how far reviewers agree with it.",
    )
    cards_download(cards)
    number = opened(event, len(cards))
    if number is not None:
        session.JUDGE_CARD.set(cards[number].fingerprint)
    wanted = session.JUDGE_CARD.get()
    return next((card for card in cards if card.fingerprint == wanted), cards[0])


def _judge_row(card: JudgeCard) -> dict[str, object]:
    rates, unknown = card.rates, not_known(card.figures.basis)
    return {
        "judge": card.name,
        "answers": card.answers,
        "labelled": card.labelled,
        "accuracy": _rate(rates.accuracy) if rates else None,
        "sensitivity": unknown or (_rate(rates.sensitivity) if rates else None),
        "specificity": unknown or (_rate(rates.specificity) if rates else None),
        "precision": _rate(rates.precision) if rates else None,
        "cost": card.cost_usd,
    }


def _rate(share: Share) -> str:
    return rate_text(share, half_width=HEADLINE_HALF_WIDTH)


_IN_LIST = (
    " If its labels represent different numbers of claims, the figure is weighted to the whole run; the figures of the "
    "chosen judge also say how many of the labels themselves it is."
)
_COLUMNS = {
    "judge": st.column_config.TextColumn("Judge", width=98),
    "answers": st.column_config.NumberColumn("Answers", width=66, help=figure_help.ANSWERS),
    "labelled": st.column_config.NumberColumn(
        "Labelled",
        width=70,
        help="Claims with an agreed label. A claim whose label was carried over to other runs counts once.",
    ),
    "accuracy": st.column_config.TextColumn("Agrees", width=118, help=ACCURACY_HELP + _IN_LIST),
    "sensitivity": st.column_config.TextColumn("Finds unsupported", width=156, help=SENSITIVITY_HELP + _IN_LIST),
    "specificity": st.column_config.TextColumn("Passes supported", width=112, help=SPECIFICITY_HELP + _IN_LIST),
    "precision": st.column_config.TextColumn("Flags rightly", width=146, help=PRECISION_HELP + _IN_LIST),
    "cost": st.column_config.NumberColumn("Cost", format="$%.4f", help="Mean cost per answer, if the price is known."),
}


_SHOWN_MISTAKES = 200


def mistakes(card: JudgeCard) -> None:
    """Draw the mistakes, the most confident first; a click opens the claim."""
    if not card.mistakes:
        st.markdown(":small[:gray[No mistakes among the labelled claims.]]")
        return
    shown = card.mistakes[:_SHOWN_MISTAKES]
    order = f"the {fmt.count(len(shown))} most confident" if card.wrong > len(shown) else "the most confident first"
    st.markdown(f":small[:gray[{fmt.plural(card.wrong, 'mistake')}, {order}. Click one to open the claim.]]")
    event = st.dataframe(
        pd.DataFrame([_mistake_row(mistake) for mistake in shown]),
        key=f"judges.mistakes.{card.fingerprint}",
        height=min(36 + 35 * len(shown), 390),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config={
            "claim": st.column_config.TextColumn("Claim", width=338),
            "judge": st.column_config.TextColumn("Judge", width=184),
            "people": st.column_config.TextColumn("Reviewers", width=150),
            "confidence": st.column_config.NumberColumn(
                "Confidence", format="%.2f", width=86, help=figure_help.CONFIDENCE
            ),
        },
        alt="Claims where reviewers overruled the judge.",
    )
    mistakes_download(card)
    number = opened(event, len(shown))
    if number is not None:
        place = shown[number].place
        st.switch_page(navigation.ANSWERS, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _mistake_row(mistake: Mistake) -> dict[str, object]:
    return {
        "claim": mistake.text,
        "judge": judged_label(Verdict(mistake.judge), mistake.confidence),
        "people": VERDICT_LABELS[mistake.people],
        "confidence": mistake.confidence,
    }


_COUNTS, _SHARES = "counts", "weighted"
_LAYOUT = FRONTEND / "judge_card.css"  # fewer columns where the page is narrow


def judge_card(card: JudgeCard) -> None:
    """Draw the card; without labels only the judge's limits."""
    st.header(fmt.literal(card.name), anchor=False)
    st.caption(
        f"method {fmt.literal(card.method)} · {fmt.literal(card.fingerprint)} · "
        f"{fmt.plural(len(card.runs), 'run')} · {_cost(card)}"
    )
    if card.rates is not None:
        st.html(_LAYOUT)
        with st.container(key="judges_card"):
            _rates(card)
            with st.container(key="judges_details"):
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
    weighted = weighted_to(figures, runs=len(card.runs))

    def drawn(share: Share, help_: str, *, more: int = 0) -> tuple[str, str]:
        behind = counts_behind(share, weighted_to=weighted, more=more)
        behind = behind[0].upper() + behind[1:]
        return f"{_bold_rate(share)}  \n:small[:gray[{behind}]]", f"{help_} {behind}."

    shown = (
        ("Agrees with reviewers", *drawn(rates.accuracy, ACCURACY_HELP)),
        (
            "Finds unsupported (recall)",
            *(
                (unknown, SENSITIVITY_HELP)
                if unknown
                else drawn(rates.sensitivity, SENSITIVITY_HELP, more=figures.missed)
            ),
        ),
        (
            "Passes supported (specificity)",
            *((unknown, SPECIFICITY_HELP) if unknown else drawn(rates.specificity, SPECIFICITY_HELP)),
        ),
        ("Flags rightly (precision)", *drawn(rates.precision, PRECISION_HELP)),
        ("Cohen's kappa", f"**{fmt.agreement(kappa.value, kappa.interval, kappa.claims)}**", KAPPA_HELP),
    )
    with st.container(key="judges_figures", horizontal=True, gap="medium"):
        for label, value, help_ in shown:
            st.markdown(f":small[:gray[{label}]]  \n{value}", help=help_)
    words = []
    if unknown is not None:
        words.append("These figures describe only the labelled claims, which were not drawn at random.")
    elif card.labelled > figures.used:
        others = card.labelled - figures.used
        words.append(
            f"{fmt.plural(others, 'label')} given outside a spot-check {fmt.verb(others, 'is', 'are')} left out."
        )
    if words:
        st.caption(" ".join(words))


def _bold_rate(share: Share) -> str:
    """Write a share, in bold where its interval is narrow enough."""
    figure = rate_text(share, half_width=HEADLINE_HALF_WIDTH)
    return f"**{figure}**" if is_narrow(share, half_width=HEADLINE_HALF_WIDTH) else figure


def _confusion(card: JudgeCard, table: Confusion) -> None:
    """Draw the matrix: weighted like the figures above it where they are weighted, or in counts of the labels."""
    weighted = weighted_to(card.figures, runs=len(card.runs))
    what = (
        _COUNTS
        if weighted is None
        else st.segmented_control(
            "Matrix",
            [_COUNTS, _SHARES],
            default=_SHARES,
            required=True,
            key="judges.matrix",
            label_visibility="collapsed",
        )
    )
    number = fmt.plural(card.figures.used, "labelled claim")
    shown = number if what == _COUNTS else f"{number} weighted to {weighted}, in shares of all claims"
    st.markdown(f":small[:gray[Judge's verdict (rows) against reviewers' (columns): {shown}]]")
    key = f"judges.confusion.{card.fingerprint}"
    if what == _COUNTS:
        confusion(table.counts, key=key, rows="Judge")
        return
    shares = {
        judge: {people: fmt.percent(share) for people, share in row.items()} for judge, row in table.shares.items()
    }
    confusion(table.counts, key=f"{key}.weighted", rows="Judge", words=shares)


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
        parts.append("no cost: it runs on this machine" if card.is_free else "cost unknown")
    return " · ".join(parts)


def _limits(card: JudgeCard) -> None:
    with st.expander("Known limits", icon=":material/visibility_off:"):
        if not card.limits:
            st.markdown(":gray[This judge states none.]")
        st.markdown("\n".join(f"- {fmt.literal(limit)}" for limit in card.limits))


def _calibration(calibration: Calibration | None, *, key: str) -> None:
    if calibration is None or not calibration.bins:
        st.markdown(":small[:gray[The judge states no confidence, so its calibration is unknown.]]")
        return
    error = "" if calibration.error is None else f"; on average {fmt.fixed(calibration.error, 2)} apart"
    st.markdown(
        f":small[:gray[How often reviewers agree with it, by its stated confidence{error}]]", help=_CALIBRATION_HELP
    )
    st.plotly_chart(
        calibration_figure(calibration, theme=chart_theme()),
        key=f"judges.calibration.{key}",
        config={"displayModeBar": False},
        alt=calibration_in_words(calibration),
    )


_CALIBRATION_HELP = (
    "On the dotted line the judge is right as often as it says. The area of a dot is its number of labels; a hollow "
    "dot has fewer than 5. The average distance from it is the expected calibration "
    "error (Naeini, Cooper and Hauskrecht 2015); bars are 95 % intervals. Nothing is fitted to these labels, so those "
    "on held-out rows count like all others."
)


CARDS, PAIR, REVIEWERS, FILES = "Judges", "Side by side", "Reviewers", "Labelled files"


def choose_part() -> str:
    """Draw the choice, which is in the address, and return it."""
    chosen = st.segmented_control(
        "Part",
        [CARDS, PAIR, REVIEWERS, FILES],
        default=CARDS,
        required=True,
        key="judges",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen or CARDS
