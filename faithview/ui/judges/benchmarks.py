"""The results of judges on labelled files."""

import pandas as pd
import streamlit as st

from faithview.store.benchmarks import list_benchmarks
from faithview.ui import opened_store
from faithview.ui.widgets.downloads import table_download
from faithview.wording import figure_help
from faithview.wording import numbers as fmt


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
        f"Measured last: {fmt.code(document['judge'])} ({fmt.literal(newest.fingerprint)}) on *{file}*, "
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
    st.dataframe(
        pd.DataFrame(rows),
        key="judges.benches",
        hide_index=True,
        placeholder="–",
        column_config={
            "judge": "Judge",
            "version": st.column_config.TextColumn("Version", width=130),
            "file": "File",
            "n": number("n", help="Labelled rows."),
            "failed": number("Failed", help="Rows that could not be judged; the figures leave them out."),
            **{name: number(label, format="%.3f", help=help_) for name, (label, help_) in _FIGURES.items()},
            "rate": number("Answers/s", format="%.0f", help=figure_help.SPEED),
            "at": st.column_config.DateColumn("Measured", format="D MMM YYYY"),
        },
        alt="Figures of judges on labelled files, each the mean over the file's tasks.",
    )
    table_download(lambda: rows, name=("benches",), key="judges.benches.download")
    st.caption("Each figure is the mean over the file's tasks, for the class *unfaithful*, of the judge as shipped.")


_FIGURES = {
    "balanced_accuracy": (
        "Balanced accuracy",
        "The mean of two shares: faithful rows and unfaithful rows that the judge gets right.",
    ),
    "f1_unfaithful": ("F1", "The harmonic mean of precision and recall."),
    "precision_unfaithful": (
        "Precision",
        "Of the answers that the judge flags, the share labelled unfaithful.",
    ),
    "recall_unfaithful": ("Recall", "Of the answers labelled unfaithful, the share that the judge flags."),
    "auroc": ("AUROC", "The chance that an unfaithful answer gets a lower score than a faithful one."),
    "claim_auroc": ("Claim AUROC", "The same for claims that overlap a labelled span, where the file has spans."),
    "span_f1": ("Span F1", "F1 over the characters of the answers, where the file has spans."),
}
