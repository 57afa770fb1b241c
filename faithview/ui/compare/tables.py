"""The figures behind the charts of a comparison, as tables."""

import pandas as pd
import streamlit as st

from faithview.services.comparison.comparison import Comparison
from faithview.services.exports.tables import TableRow
from faithview.ui.parts.downloads.table_download import table_download
from faithview.wording import figure_help
from faithview.wording.causes import CAUSE_WORDS

_POINTS = "%+.4f"


def tables(comparison: Comparison) -> None:
    """Draw causes and segments as tables, folded away: every figure behind the charts."""
    box = st.expander("Causes and segments as tables", icon=":material/table:", key="compare.tables", on_change="rerun")
    if not box.open:
        return
    number = st.column_config.NumberColumn
    with box:
        st.dataframe(
            cause_rows(comparison),
            key="compare.causes.table",
            hide_index=True,
            column_config={
                "cause": "Cause",
                "lost": number("Lost", format=_POINTS, help=figure_help.LOST),
                "won": number("Won", format=_POINTS, help=figure_help.WON),
                "total": number("Total", format=_POINTS, help=figure_help.TOTAL),
                "broken": number("Claims broken", help=figure_help.CLAIMS_BROKEN),
                "fixed": number("Claims fixed", help=figure_help.CLAIMS_FIXED),
                "answers": number("Answers", help=figure_help.ANSWERS_OF_CAUSE),
            },
            alt="What each cause lost and won; the totals add up to the difference.",
        )
        names = (comparison.baseline.name, comparison.candidate.name)
        causes, segments = cause_rows(comparison), segment_rows(comparison)
        table_download(lambda: _records(causes), name=(*names, "causes"), key="compare.causes.download")
        st.dataframe(
            segment_rows(comparison),
            key="compare.segments.table",
            hide_index=True,
            placeholder="–",
            column_config={
                "segment": "Segment",
                "rows": number("n", help=figure_help.PAIRS),
                "baseline": number("Before", format="%.3f", help=figure_help.BEFORE),
                "candidate": number("Now", format="%.3f", help=figure_help.NOW),
                "difference": number("Difference", format="%+.3f", help=figure_help.DIFFERENCE),
                "low": number("from", format="%+.3f", help="The 95 % interval's lower end."),
                "high": number("to", format="%+.3f", help="The 95 % interval's upper end."),
                "p_value": number("p", format="%.4f", help=figure_help.P_VALUE),
                "p_value_adjusted": number("Adjusted p", format="%.4f", help=figure_help.ADJUSTED_P),
                "contribution": number("Points", format=_POINTS, help=figure_help.POINTS),
                "share": number("Share", format="percent", help=figure_help.SHARE_OF_DIFFERENCE),
            },
            alt="Each segment's scores before and now, their difference, its interval, its test and what it adds.",
        )
        table_download(lambda: _records(segments), name=(*names, "segments"), key="compare.segments.download")


def cause_rows(comparison: Comparison) -> pd.DataFrame:
    """Return the causes as a table, the largest loss first."""
    return pd.DataFrame(
        [
            {
                "cause": CAUSE_WORDS[share.cause].topic,
                "lost": share.lost,
                "won": share.won,
                "total": share.total,
                "broken": share.broken,
                "fixed": share.fixed,
                "answers": share.answers,
            }
            for share in comparison.causes
        ]
    )


def segment_rows(comparison: Comparison) -> pd.DataFrame:
    """Return the segments as a table, the largest loss first."""
    return pd.DataFrame(
        [
            {
                "segment": segment.segment or "(no segment)",
                "rows": segment.rows,
                "baseline": segment.baseline,
                "candidate": segment.candidate,
                "difference": segment.difference,
                "low": None if segment.interval is None else segment.interval.low,
                "high": None if segment.interval is None else segment.interval.high,
                "p_value": segment.p_value,
                "p_value_adjusted": segment.p_value_adjusted,
                "contribution": segment.contribution,
                "share": segment.share_of_delta,
            }
            for segment in sorted(comparison.segments, key=lambda segment: segment.contribution)
        ]
    )


def _records(frame: pd.DataFrame) -> list[TableRow]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]
