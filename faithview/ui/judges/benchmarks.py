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
        alt="Figures of judges on labelled files, the mean of the file's tasks.",
    )
    table_download(lambda: rows, name=("benches",), key="judges.benches.download")
    st.caption("Each figure is the mean of the file's tasks, for the class *unfaithful*, as the judge ships.")


_FIGURES = {
    "balanced_accuracy": (
        "Balanced accuracy",
        120,
        "The mean of two shares: faithful rows and unfaithful rows that the judge gets right.",
    ),
    "f1_unfaithful": ("F1", 50, "The harmonic mean of precision and recall."),
    "precision_unfaithful": ("Precision", 64, "Of what the judge flags, the share that is labelled unfaithful."),
    "recall_unfaithful": ("Recall", 54, "Of what is labelled unfaithful, the share that the judge flags."),
    "auroc": ("AUROC", 60, "The chance that an unfaithful answer gets a lower score than a faithful one."),
    "claim_auroc": ("Claim AUROC", 88, "The same for claims that overlap a labelled span, where the file has spans."),
    "span_f1": ("Span F1", 60, "F1 over the characters of the answers, where the file has spans."),
}
