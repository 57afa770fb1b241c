"""Downloads: reports, and the whole table behind a list, not only the page of it on screen.

Each is built in another thread on request, so the functions here pass in everything that it needs.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import streamlit as st

from faithview.domain.comparison import Change
from faithview.domain.inbox import InboxFilter
from faithview.domain.run import Run
from faithview.domain.trend import TrendLine
from faithview.domain.views import AnswerFilter, Order, View
from faithview.services.comparison.comparison import Comparison
from faithview.services.container import Services
from faithview.services.exports import table_rows
from faithview.services.exports.run_files.formats import list_formats
from faithview.services.exports.run_files.write import run_bytes
from faithview.services.exports.tables import EXPORT_FORMATS, TableRow, file_name
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.report.run import ReportScope, report_run
from faithview.services.results.runs import list_summaries
from faithview.services.review.corrected_score import correct_summaries
from faithview.ui.parts.downloads.report_download import report_download
from faithview.ui.parts.downloads.table_download import table_download
from faithview.ui.shell import app, series
from faithview.ui.shell.projects.membership import while_member
from faithview.wording import numbers as fmt


def runs_download(view: View) -> None:
    """Draw the download of all runs of the series in view with their figures."""
    services = app.services()
    table_download(lambda: _runs(services, view), name=("runs", view.value), key="overview.download")


def answers_download(run: Run, filters: AnswerFilter, order: Order, view: View) -> None:
    """Draw the download of all answers that the list shows, on all its pages, and of the whole run with its claims."""
    services = app.services()
    table_download(
        lambda: table_rows.answer_rows(services, run.run_id, filters, view=view, order=order),
        name=(run.name, "answers"),
        key="inspect.download",
        heading="The answers listed here, as a table",
        more=lambda: run_download(run, view, key="inspect.run"),
    )


def run_download(run: Run, view: View, *, key: str) -> None:
    """Draw the buttons that download a whole run with its claims, in FaithView's shape and in those of other tools."""
    services = app.services()
    exporters = list_formats()
    shown = View.REVIEWED if view is View.CORRECTED else view
    st.caption("The whole run with its claims and labels")
    for exporter in exporters.usable:
        own = "FaithView, " if exporter.name in EXPORT_FORMATS else "For "
        st.download_button(
            fmt.literal(f"{own}{exporter.title}"),
            data=while_member(partial(run_bytes, services, run.run_id, file_format=exporter.name, view=shown)),
            file_name=file_name(run.name, exporter.name, ending=exporter.ending),
            key=f"{key}.{exporter.name}",
            on_click="ignore",
            type="tertiary",
        )
    for sentence in exporters.broken:
        st.caption(fmt.literal(sentence))


def inbox_download(filters: InboxFilter) -> None:
    """Draw the download of all claims that the inbox lists, on all its pages."""
    services, in_view = app.services(), series.in_view()
    table_download(
        lambda: table_rows.inbox_rows(services, filters, series=in_view),
        name=(in_view or "all", "claims"),
        key="inbox.download",
    )


def changes_download(comparison: Comparison, changes: Sequence[Change]) -> None:
    """Draw the download of the changed answers that the list shows."""
    table_download(
        lambda: table_rows.change_rows(changes),
        name=(comparison.baseline.name, comparison.candidate.name, "changes"),
        key="compare.download",
    )


def points_download(lines: Sequence[TrendLine]) -> None:
    """Draw the download of a trend's points."""
    table_download(lambda: table_rows.point_rows(lines), name=("trend",), key="trends.download", label="Points")


def cards_download(cards: Sequence[JudgeCard]) -> None:
    """Draw the download of the judges with how far people agree with them."""
    table_download(lambda: table_rows.card_rows(cards), name=("judges",), key="judges.download")


def mistakes_download(card: JudgeCard) -> None:
    """Draw the download of a judge's mistakes."""
    table_download(
        lambda: table_rows.mistake_rows(card), name=(card.name, "mistakes"), key=f"judges.download.{card.fingerprint}"
    )


def run_report(run: Run, view: View, scope: ReportScope) -> None:
    """Draw the download of a run's report, with the answers that are in view."""
    services = app.services()
    report_download(
        lambda with_texts: report_run(services, run.run_id, view=view, with_texts=with_texts, scope=scope),
        name=(run.name, "report"),
        key="inspect.report",
    )


def _runs(services: Services, view: View) -> Iterator[TableRow]:
    in_view = series.in_view()
    if view is View.CORRECTED:
        return table_rows.run_rows(correct_summaries(services, list_summaries(services, series=in_view)), view=view)
    return table_rows.run_rows(list_summaries(services, series=in_view, view=view), view=view)
