"""Judges: can a judge be trusted, and where is it wrong?

Three parts: judges against reviewers, reviewers against each other, labelled files.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from faithview.domain.certainty import Certainty
from faithview.domain.scoring import Interval
from faithview.services.judge_quality.scorecards import (
    JudgeCard,
    list_judge_cards,
    list_labelled_runs,
    measure_agreement,
    verdict_name,
)
from faithview.stats.agreement import Estimate
from faithview.stats.judge_quality import CalibrationBin, JudgeFigures
from faithview.store.benchmarks import list_benchmarks
from faithview.ui import address, navigation, opened_store, page_setup, series
from faithview.ui.address import RUN
from faithview.ui.tables import click_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import first_line
from faithview.ui.widgets.verdict_table import confusion
from faithview.wording import numbers as fmt
from faithview.wording.judge_rates import finding, not_known, rate_text
from faithview.wording.verdict_styles import VERDICT_LABELS, judged_label

page_setup.require_app()

_TABS = {"cards": "Judges", navigation.REVIEWERS: "Reviewers", navigation.FILES: "Labelled files"}

_TEXT, _NUMBER = st.column_config.TextColumn, st.column_config.NumberColumn
_FIGURES_HELP = (
    "With a 95% interval; n counts labelled claims. *Recall*: the share of unsupported claims that the judge flags. "
    "*Specificity*: the share of supported claims that it passes. Both need a spot-check. *Precision*: the share of "
    "flagged claims that are unsupported. *Kappa*: agreement beyond chance, 1 is perfect."
)
_KAPPA_HELP = "Agreement beyond chance: 0 is chance, 1 is perfect. n counts the claims that have both labels."
_RATES = {
    "accuracy": "Agrees with reviewers",
    "sensitivity": "Finds unsupported (recall)",
    "specificity": "Passes supported (specificity)",
    "precision": "Flags correctly (precision)",
}
_FILE_FIGURES = {
    "balanced_accuracy": ("Balanced accuracy", 120),
    "f1_unfaithful": ("F1", 50),
    "precision_unfaithful": ("Precision", 64),
    "recall_unfaithful": ("Recall", 54),
    "auroc": ("AUROC", 60),
    "claim_auroc": ("Claim AUROC", 88),
    "span_f1": ("Span F1", 60),
}


def _draw_cards(cards: Sequence[JudgeCard]) -> None:
    """Draw how far judges can be trusted, and where the chosen one is wrong."""
    if cards[0].figures.used:
        st.markdown(finding(fmt.code(cards[0].name), cards[0].figures))
    else:
        st.markdown("No claim has a label yet, so it is unknown how often the judge is wrong.")
        if st.button("Draw a spot-check", type="primary", icon=":material/checklist:", key="judges.draw"):
            st.switch_page(navigation.REVIEW)
    names = _judge_names(cards)
    labelled = {names[card.fingerprint]: card.figures for card in cards if card.figures.used}
    if labelled:
        _draw_figures(labelled, key="judges.figures")
    by_name = {names[card.fingerprint]: card for card in cards}
    chosen = cards[0]
    if len(cards) > 1:
        chosen = by_name[st.selectbox("Judge", list(by_name), key="judges.chosen", width=330)]
    st.caption(
        f"method {fmt.literal(chosen.method)} · {fmt.literal(chosen.fingerprint)} · "
        f"{fmt.plural(len(chosen.runs), 'run')} · {_cost(chosen)}"
    )
    with st.expander("Known limits", icon=":material/visibility_off:"):
        if not chosen.limits:
            st.markdown(":gray[This judge states none.]")
        st.markdown("\n".join(f"- {fmt.literal(limit)}" for limit in chosen.limits))
    if not chosen.figures.used:
        st.markdown(":gray[No labels on its claims yet.]")
        return
    with st.container(key="compare_pair_judge"):  # below each other on a narrow page
        left, right = st.columns(2, gap="large")
    with left:
        number = fmt.plural(chosen.figures.used, "labelled claim")
        st.markdown(f":small[:gray[Judge's verdict (rows) against reviewers' (columns): {number}]]")
        confusion(chosen.figures.confusion, key=f"judges.confusion.{chosen.fingerprint}", rows="Judge")
    with right:
        _draw_calibration(chosen.figures.calibration, key=chosen.fingerprint)
    _draw_mistakes(chosen)


def _judge_names(cards: Sequence[JudgeCard]) -> Mapping[str, str]:
    """Return a name for each judge by its fingerprint, whose end is in it where two judges would have the same."""
    names = {c.fingerprint: " · ".join([c.name, c.method, fmt.day(c.newest)]) for c in cards}
    counts = Counter(names.values())
    return {end: name if counts[name] == 1 else f"{name} · {end[-6:]}" for end, name in names.items()}


def _draw_figures(judges: Mapping[str, JudgeFigures], *, key: str) -> None:
    """Draw the figures of each judge in a column; one of too few labels is an interval only."""
    rows = [
        *([label, *(_figure(figures, name) for figures in judges.values())] for name, label in _RATES.items()),
        ["Cohen's kappa", *(_kappa(figures.kappa) for figures in judges.values())],
    ]
    st.dataframe(
        pd.DataFrame(rows, columns=["figure", *judges]),
        key=key,
        hide_index=True,
        column_config={
            "figure": _TEXT("Figure", width=190, help=_FIGURES_HELP),
            **{name: _TEXT(width=215) for name in judges},
        },
        alt="How far reviewers agree with each judge, each figure with its interval and the number of labelled claims.",
    )
    words = []
    if any(figures.is_weighted for figures in judges.values()):
        words.append("Figures of a spot-check are weighted to the whole runs; n counts labels.")
    if any(not_known(figures) for figures in judges.values()):
        words.append("Without a spot-check they describe only the labelled claims, which were not drawn at random.")
    if words:
        st.caption(" ".join(words))


def _figure(figures: JudgeFigures, name: str) -> str:
    share: Estimate = getattr(figures, name)
    if name in ("sensitivity", "specificity") and not figures.is_drawn:
        return "unknown"
    return f"{rate_text(share)}, n {fmt.count(share.labels)}"


def _kappa(kappa: Estimate) -> str:
    return fmt.agreement(kappa.value, kappa.interval, kappa.labels)


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


def _draw_calibration(bins: Sequence[CalibrationBin], *, key: str) -> None:
    if not bins:
        st.markdown(":small[:gray[The judge states no confidence, so its calibration is unknown.]]")
        return
    st.markdown(":small[:gray[How often it is right, by the confidence that it states]]")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "states": fmt.ends(Interval(low=item.low, high=item.high), decimals=1),
                    "mean": item.confidence,
                    "right": rate_text(item.right),
                    "n": item.right.labels,
                }
                for item in bins
            ]
        ),
        key=f"judges.calibration.{key}",
        hide_index=True,
        column_config={
            "states": _TEXT("It states", width=76),
            "mean": _NUMBER("On average", format="%.2f", width=86),
            "right": _TEXT("It is right", width=190),
            "n": _NUMBER("n", width=52),
        },
        alt="How often reviewers agree with the judge, by the confidence that it states.",
    )


def _draw_mistakes(card: JudgeCard) -> None:
    """Draw the claims where reviewers overruled the judge, the most confident first."""
    shown = card.mistakes
    if not shown:
        st.markdown(":small[:gray[No mistakes among the labelled claims.]]")
        return
    order = f"the {fmt.count(len(shown))} most confident" if card.wrong > len(shown) else "the most confident first"
    st.markdown(f":small[:gray[{fmt.plural(card.wrong, 'mistake')}, {order}. Click one to open the claim.]]")
    number = click_table(
        [
            {
                "claim": claim.text,
                "judge": judged_label(claim.judged, Certainty(claim.confidence)),
                "people": VERDICT_LABELS[verdict_name(claim.people)],
                "confidence": claim.confidence,
            }
            for claim in shown
        ],
        {
            "claim": _TEXT("Claim", width=420),
            "judge": _TEXT("Judge", width=184),
            "people": _TEXT("Reviewers", width=150),
            "confidence": _NUMBER("Confidence", format="%.2f", width=86),
        },
        key=f"judges.mistakes.{card.fingerprint}",
        alt="Claims on which reviewers overruled the judge, the most confident first.",
        most_rows=9,
    )
    if number is not None:
        link = address.link(shown[number].run_id, str(shown[number].row), shown[number].number)
        st.switch_page(navigation.ANSWERS, query_params=link)


def _draw_reviewers() -> None:
    """Draw how far each pair of reviewers of one run agrees, and how far the judge agrees with them."""
    runs = {run.run_id: run for run in list_labelled_runs(opened_store.store(), series=series.in_view())}
    if not runs:
        st.markdown(
            "No claim has a label yet. Once two reviewers label the same claims, this shows how far they agree."
        )
        return
    wanted, ids = RUN.get(), list(runs)
    chosen = st.selectbox(
        "Run",
        ids,
        index=ids.index(wanted) if wanted in runs else 0,
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="judges.run",
        width=420,
    )
    agreement = measure_agreement(opened_store.store(), chosen or ids[0])
    judge = agreement.judge
    text = (
        "Cohen's kappa of each pair of reviewers, on the claims that both labelled"
        if agreement.pairs
        else "No claim of this run has labels by two reviewers, so it is unknown how far they agree"
    )
    if judge.labels:
        text += f"; between the judge and the agreed labels it is **{_kappa(judge)}**"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{text}.", help=_KAPPA_HELP, width="content")
        if agreement.disagreements and st.button(
            f"Settle {fmt.plural(agreement.disagreements, 'disagreement')}",
            icon=":material/gavel:",
            key="judges.settle",
        ):
            st.switch_page(navigation.REVIEW, query_params=address.tab_link(navigation.DISAGREEMENTS))
    if not agreement.pairs:
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "what": " and ".join(pair),
                    "value": _kappa(kappa),
                    "same": f"{fmt.count(kappa.hits)} of {fmt.count(kappa.labels)}",
                }
                for pair, kappa in agreement.pairs.items()
            ]
        ),
        key="judges.pairs",
        hide_index=True,
        column_config={
            "what": _TEXT("Reviewers", width=220),
            "value": _TEXT("Cohen's kappa", width=190),
            "same": _TEXT("Same verdict", width=110, alignment="right"),
        },
        alt="Pairs of reviewers: Cohen's kappa with its interval and the number of claims.",
    )


def _draw_files() -> None:
    """Draw what judges scored on labelled files, the newest result of each judge on each file."""
    results = list_benchmarks(opened_store.store().db)
    if not results:
        st.markdown(
            "No results yet. `faithview bench FILE` measures a judge on labelled answers; its result appears here."
        )
        return
    newest = results[0]
    document = newest.document
    st.markdown(
        f"Last measured: {fmt.code(document['judge'])} ({fmt.literal(newest.fingerprint)}) on "
        f"*{fmt.literal(document['file'])}*, balanced accuracy "
        f"**{fmt.share(document['macro'].get('balanced_accuracy'))}** "
        f"(n {fmt.count(document['rows'])}, {fmt.day(newest.at)})."
    )
    rows = [
        {
            "judge": result.document["judge"],
            "version": result.fingerprint,
            "file": result.document["file"],
            "n": result.document["rows"],
            "failed": result.document.get("failed"),
            **{name: result.document["macro"].get(name) for name in _FILE_FIGURES},
            "rate": result.document.get("answers_per_second"),
            "at": result.at,
        }
        for result in results
    ]
    # Empty columns would push others out of a narrow window.
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
            "judge": _TEXT("Judge", width=72),
            "version": _TEXT("Version", width=130),
            "file": _TEXT("File", width=80),
            "n": _NUMBER("n", width=44),
            "failed": _NUMBER("Failed", help="Rows that could not be judged; the figures leave them out."),
            **{name: _NUMBER(label, width=width, format="%.3f") for name, (label, width) in _FILE_FIGURES.items()},
            "rate": _NUMBER("Answers/s", format="%.0f", width=74, help="On the machine that measured it."),
            "at": st.column_config.DateColumn("Measured", format="D MMM YYYY", width=88),
        },
        alt="Figures of judges on labelled files, each the mean over the file's tasks.",
    )
    st.caption("Figures are means over the file's tasks, for the class *unfaithful*; n counts labelled rows.")


tab = address.selected_tab(_TABS)
line = first_line("Judges", tabs=_TABS)
if not empty_state.has_runs():
    empty_state.no_runs("This page will compare each judge with reviewers' labels.")
elif tab == navigation.REVIEWERS:
    _draw_reviewers()
elif tab == navigation.FILES:
    series.say_all(line.what)
    _draw_files()
elif judges := list_judge_cards(opened_store.store(), series=series.in_view()):
    _draw_cards(sorted(judges, key=lambda card: -card.labelled))
else:
    st.markdown("All runs of this series are archived, so no judge is shown.")
