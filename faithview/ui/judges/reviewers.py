"""How far reviewers agree with each other."""

import pandas as pd
import streamlit as st

from faithview.services.judge_quality.scorecards import RunAgreement, list_labelled_runs, measure_agreement
from faithview.stats.agreement import Agreement
from faithview.stats.shares import Share
from faithview.ui import address, navigation, opened_store, series
from faithview.wording import figure_help
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import VERDICT_LABELS


def share_text(share: Share) -> str:
    """Write a share with its interval and n: "0.87 (0.80–0.92, n 60)"; never 1.00 where a label says otherwise."""
    if share.value is None or share.interval is None:
        return f"{fmt.inner_share(share.value)} (n {fmt.count(share.labels)})"
    return f"{fmt.inner_share(share.value)} ({fmt.ends(share.interval)}, n {fmt.count(share.labels)})"


def reviewers() -> None:
    """Draw the agreement among the reviewers of one run, by verdict and by pair, and the judge's influence."""
    runs = {run.run_id: run for run in list_labelled_runs(opened_store.store(), series=series.in_view())}
    if not runs:
        st.markdown(
            "No claim has a label yet. Once two reviewers label the same claims, this shows how far they agree."
        )
        return
    wanted = address.selected_run()
    ids = list(runs)
    chosen = st.selectbox(
        "Run",
        ids,
        index=ids.index(wanted) if wanted in runs else 0,
        format_func=lambda run_id: f"{runs[run_id].name}   {fmt.run_line(runs[run_id])}",
        key="judges.run",
        width=420,
    )
    agreement = measure_agreement(opened_store.store(), chosen or ids[0])
    _finding(agreement)
    with st.container(key="compare_pair_reviewers"):  # below each other on a narrow page
        left, right = st.columns(2, gap="large")
    with left:
        _table(
            "Pairs of reviewers",
            {" and ".join(pair): kappa for pair, kappa in agreement.pairs.items()},
            "Cohen's kappa",
            key="judges.pairs",
        )
    with right:
        _table(
            "Each verdict against all others",
            {VERDICT_LABELS[v]: alpha for v, alpha in agreement.verdicts.items()},
            "Krippendorff's alpha",
            key="judges.verdicts",
        )


def _finding(agreement: RunAgreement) -> None:
    alpha = agreement.alpha
    if not alpha.claims:
        text = "No claim of this run has labels by two reviewers, so it is unknown how far they agree."
    elif alpha.value is None:
        text = "All labels are the same, so agreement beyond chance is not defined."
    else:
        less = "less often than by chance:" if alpha.value < 0 else "at"
        figure = fmt.agreement(alpha.value, alpha.interval, alpha.claims)
        text = (
            f"Reviewers agree with each other {less} alpha **{figure}**, "
            f"with the same verdict in {fmt.percent(alpha.observed)} of the pairs"
        )
        judge = agreement.judge
        text += f"; with the judge at kappa **{fmt.agreement(judge.value, judge.interval, judge.claims)}**."
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(text, help=_HELP, width="content")
        if agreement.disagreements and st.button(
            f"Settle {fmt.plural(len(agreement.disagreements), 'disagreement')}",
            icon=":material/gavel:",
            key="judges.settle",
        ):
            st.switch_page(navigation.REVIEW, query_params={"part": "Disagreements"})


def _table(title: str, rows: dict[str, Agreement], measure: str, *, key: str) -> None:
    st.markdown(f":small[:gray[{title}: {measure}]]")
    if not rows:
        st.markdown(":gray[None yet.]")
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "what": name,
                    "value": fmt.agreement(agreement.value, agreement.interval, agreement.claims),
                    "same": fmt.percent(agreement.observed),
                }
                for name, agreement in rows.items()
            ]
        ),
        key=key,
        hide_index=True,
        column_config={
            "what": st.column_config.TextColumn("", width=170),
            "value": st.column_config.TextColumn(measure, width=190, help=_HELP),
            "same": st.column_config.TextColumn(
                "Same verdict", width=100, alignment="right", help=figure_help.SAME_VERDICT
            ),
        },
        alt=f"{title}: {measure} with its interval and the number of claims.",
    )


_HELP = (
    "Alpha (Krippendorff, nominal) and kappa (Cohen 1960) are agreement beyond chance: 0 is chance, 1 is perfect. "
    "Intervals are bootstraps over answers. n counts claims with labels by two or more reviewers."
)
