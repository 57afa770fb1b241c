"""How far judges can be trusted: their list; one's agreement, calibration, limits and mistakes; results on files."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from faithview.domain.certainty import Certainty
from faithview.domain.claim import Verdict
from faithview.domain.scoring import Interval
from faithview.services.judge_quality.scorecards import JudgeCard, Mistake, list_judge_cards
from faithview.services.review.corrected_score import HEADLINE_HALF_WIDTH
from faithview.stats.judge_quality import Calibration, Confusion
from faithview.stats.shares import Share
from faithview.store.benchmarks import list_benchmarks
from faithview.ui import address, navigation, opened_store, series, session
from faithview.ui.charts.chart_colours import ChartTheme, chart_theme, dress
from faithview.ui.frontend.component_files import FRONTEND
from faithview.ui.widgets.verdict_table import confusion, opened
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import counts_behind, finding, is_narrow, not_known, rate_text, weighted_to
from faithview.wording.verdict_styles import VERDICT_LABELS, judged_label

_RANDOM = " Known from a spot-check only: labels on claims that were picked by their verdict say nothing about it."
ACCURACY_HELP = (
    "Share of claims on which judge and reviewers give the same one of the four verdicts, with a 95% interval "
    "(Wilson's, with the effective number of labels, which allows for answers to the same question and for the "
    "weights)."
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
        is_weighted=best.is_weighted,
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
    " If labels represent different numbers of claims, the figure is weighted to the whole run. Below, the chosen "
    "judge also has the plain count of labels."
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
    "precision": st.column_config.TextColumn("Flags correctly", width=146, help=PRECISION_HELP + _IN_LIST),
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
    number = opened(event, len(shown))
    if number is not None:
        place = shown[number].place
        st.switch_page(navigation.ANSWERS, query_params=address.link(place.run_id, str(place.row), place.claim_number))


def _mistake_row(mistake: Mistake) -> dict[str, object]:
    return {
        "claim": mistake.text,
        "judge": judged_label(Verdict(mistake.judge), Certainty(mistake.confidence)),
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
        behind = counts_behind(share, weighted_to=None, more=more)
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
        ("Flags correctly (precision)", *drawn(rates.precision, PRECISION_HELP)),
        ("Cohen's kappa", f"**{fmt.agreement(kappa.value, kappa.interval, kappa.claims)}**", KAPPA_HELP),
    )
    with st.container(key="judges_figures", horizontal=True, gap="medium"):
        for label, value, help_ in shown:
            st.markdown(f":small[:gray[{label}]]  \n{value}", help=help_)
    words = []
    if weighted is not None:
        words.append(f"The figures are weighted to {weighted}; the counts are plain counts of labels.")
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
    error = (
        "" if calibration.error is None else f"; on average {fmt.fixed(calibration.error, 2)} apart, weighted by claims"
    )
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
    "On the dotted line the judge is right as often as it says. The area of a dot is *n*, its number of labels; "
    "confidences with fewer than 5 are in the dot next to them. The average distance from the line is the expected "
    "calibration error (Naeini, Cooper and Hauskrecht 2015); bars are 95% intervals. Nothing is fitted to these "
    "labels, so those on held-out rows count like all others."
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


_HEIGHT = 250
_LARGEST_DOT = 26  # px across
_SMALLEST_DOT = 7
_COUNT_HEIGHT = -0.08  # where the dots' numbers of labels are: below the lowest dot


def calibration_figure(calibration: Calibration, *, theme: ChartTheme) -> go.Figure:
    """Draw the shares with 95% intervals, and the diagonal of a perfectly calibrated judge.

    The area of a dot is its number of labels, which is below it. No line joins the dots: a bin says nothing of the
    next one.
    """
    points = [(b.confidence, b.right.value, b.right) for b in calibration.bins if b.right.value is not None]
    between = [share.interval or Interval(value, value) for _, value, share in points]
    labels = [share.labels for _, _, share in points]
    figure = go.Figure(
        [
            go.Scatter(
                x=[0, 1],
                y=[0, 1],
                mode="lines",
                line={"width": 1, "color": theme.faint, "dash": "dot"},
                hoverinfo="skip",
            ),
            go.Scatter(
                x=[confidence for confidence, _, _ in points],
                y=[value for _, value, _ in points],
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": [i.high - value for i, (_, value, _) in zip(between, points, strict=True)],
                    "arrayminus": [value - i.low for i, (_, value, _) in zip(between, points, strict=True)],
                    "thickness": 1.5,
                    "width": 0,
                    "color": theme.faint,
                },
                mode="markers",
                marker={
                    "size": labels,
                    "sizemode": "area",
                    "sizeref": 2 * max(labels, default=1) / _LARGEST_DOT**2,
                    "sizemin": _SMALLEST_DOT / 2,
                    "color": theme.accent,
                    "opacity": 1,
                },
                cliponaxis=False,
                text=_calibration_points(calibration),
                hovertemplate="%{text}<extra></extra>",
            ),
            go.Scatter(
                x=[confidence for confidence, _, _ in points],
                y=[_COUNT_HEIGHT] * len(points),
                mode="text",
                text=[fmt.count(n) if at else f"n {fmt.count(n)}" for at, n in enumerate(labels)],
                textfont={"size": 11, "color": theme.text},
                hoverinfo="skip",
            ),
        ]
    )
    dress(figure, theme)
    low = min([0.5, *(confidence for confidence, _, _ in points)])
    figure.update_layout(height=_HEIGHT, margin={"l": 48, "r": 8, "t": 8, "b": 40})
    figure.update_yaxes(range=[2 * _COUNT_HEIGHT, 1.02], tickvals=[0, 0.5, 1], tickformat=".1f", title_text="right")
    figure.update_xaxes(range=[low - 0.02, 1.02], tickformat=".1f", title_text="stated confidence", showgrid=False)
    return figure


def calibration_in_words(calibration: Calibration) -> str:
    """Return the content of the chart as text, for screen readers."""
    return "How often the judge is right by the confidence it states. " + "; ".join(_calibration_points(calibration))


def _calibration_points(calibration: Calibration) -> list[str]:
    return [
        f"stated {fmt.fixed(b.confidence, 2)}, right {fmt.measure(b.right.value, b.right.interval, b.right.labels)}"
        for b in calibration.bins
        if b.right.value is not None
    ]


def benches() -> None:
    """Draw what judges scored on labelled files, the newest result of each judge on each file."""
    results = list_benchmarks(opened_store.store().db)
    if not results:
        st.markdown(
            "No results yet. `faithview bench FILE` measures a judge on labelled answers; its result appears here."
        )
        return
    newest = results[0]
    document = newest.document
    accuracy = document["macro"].get("balanced_accuracy")
    file = fmt.literal(document["file"])
    st.markdown(
        f"Last measured: {fmt.code(document['judge'])} ({fmt.literal(newest.fingerprint)}) on *{file}*, "
        f"balanced accuracy **{fmt.share(accuracy)}** (n {fmt.count(document['rows'])}, {fmt.day(newest.at)})."
    )
    rows = [
        {
            "judge": result.document["judge"],
            "version": result.fingerprint,
            "file": result.document["file"],
            "n": result.document["rows"],
            "failed": result.document.get("failed"),
            **{name: result.document["macro"].get(name) for name in _FIGURES},
            "rate": result.document.get("answers_per_second"),
            "at": result.at,
        }
        for result in results
    ]
    number = st.column_config.NumberColumn
    # Columns that say nothing here would push others out of a narrow window.
    told = [name for name in rows[0] if any(row[name] for row in rows)]
    if len({(row["judge"], row["file"]) for row in rows}) == len(rows):
        told = [name for name in told if name not in ("version", "at")]
    st.dataframe(
        pd.DataFrame(rows),
        key="judges.benches",
        column_order=told,
        hide_index=True,
        placeholder="–",
        column_config={
            "judge": st.column_config.TextColumn("Judge", width=72),
            "version": st.column_config.TextColumn("Version", width=130),
            "file": st.column_config.TextColumn("File", width=80),
            "n": number("n", width=44, help="Labelled rows."),
            "failed": number("Failed", help="Rows that could not be judged; the figures leave them out."),
            **{
                name: number(label, width=width, format="%.3f", help=help_)
                for name, (label, width, help_) in _FIGURES.items()
            },
            "rate": number("Answers/s", format="%.0f", width=74, help=figure_help.SPEED),
            "at": st.column_config.DateColumn("Measured", format="D MMM YYYY", width=88),
        },
        alt="Figures of judges on labelled files, each the mean over the file's tasks.",
    )
    st.caption("Each figure is the mean over the file's tasks, for the class *unfaithful*, of the judge as shipped.")


_FIGURES = {
    "balanced_accuracy": (
        "Balanced accuracy",
        120,
        "The mean of two shares: faithful rows and unfaithful rows that the judge gets right.",
    ),
    "f1_unfaithful": ("F1", 50, "The harmonic mean of precision and recall."),
    "precision_unfaithful": (
        "Precision",
        64,
        "Of the answers that the judge flags, the share labelled unfaithful.",
    ),
    "recall_unfaithful": ("Recall", 54, "Of the answers labelled unfaithful, the share that the judge flags."),
    "auroc": ("AUROC", 60, "The chance that an unfaithful answer gets a lower score than a faithful one."),
    "claim_auroc": ("Claim AUROC", 88, "The same for claims that overlap a labelled span, where the file has spans."),
    "span_f1": ("Span F1", 60, "F1 over the characters of the answers, where the file has spans."),
}
