"""Downloads: reports, and the whole table behind a list, not only the page of it on screen.

Each is built in another thread on request, so the functions here pass in everything that it needs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.answer import AnswerFilter, Order, View
from faithview.domain.comparison import Change
from faithview.domain.inbox import InboxFilter
from faithview.domain.run import Run
from faithview.domain.trend import TrendLine
from faithview.formats.exporters.registry import EXPORTERS
from faithview.formats.write import EXPORT_FORMATS, ExportFormat, TableRow
from faithview.services import tables
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.exports import run_bytes
from faithview.services.judge_quality.scorecards import JudgeCard
from faithview.services.reports.markdown import to_markdown
from faithview.services.reports.run_report import ReportScope, report_run
from faithview.services.results import list_summaries
from faithview.services.review.corrected_score import correct_summaries
from faithview.services.tables import MIME_TYPES, file_name, write_table
from faithview.ui import opened_store, series
from faithview.ui.membership import while_member
from faithview.wording import numbers as fmt


def report_download(make: Callable[[bool], str], *, name: tuple[str, ...], key: str) -> None:
    """Draw the button for the report as HTML with texts, and next to it the menu with the others.

    Args:
        make: returns the report as HTML, with or without texts; Markdown is made of it. It is called in another
            thread, without Streamlit, so it must hold the store that it needs.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
    """

    def button(
        label: str, *, with_texts: bool, ending: str, icon: str | None = None, help_text: str | None = None
    ) -> None:
        st.download_button(
            label,
            data=while_member(partial(_bytes, make, with_texts, ending)),
            file_name=file_name(*name, ending=ending),
            mime=_REPORT_TYPES[ending],
            key=f"{key}.{'texts' if with_texts else 'figures'}.{ending}",
            on_click="ignore",
            type="tertiary",
            icon=icon,
            help=help_text,
        )

    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
        button("Report", with_texts=True, ending="html", icon=":material/description:", help_text=_REPORT_HELP)
        with (
            st.popover(":material/more_vert:", type="tertiary", key=key, help="Other reports"),
            st.container(gap=None),
        ):
            for label, with_texts, ending in _OTHER_REPORTS:
                button(label, with_texts=with_texts, ending=ending)
            st.caption("To save a PDF, open the HTML file and print it.")


_REPORT_HELP = "One HTML file with questions, answers and chunks. The menu next to it has Markdown and figures only."


_REPORT_TYPES: Mapping[str, str] = MappingProxyType({"html": "text/html", "md": "text/markdown"})
_OTHER_REPORTS = (
    ("HTML, figures only", False, "html"),
    ("Markdown with questions, answers and chunks", True, "md"),
    ("Markdown, figures only", False, "md"),
)


def _bytes(make: Callable[[bool], str], with_texts: bool, ending: str) -> bytes:
    report = make(with_texts)
    return (to_markdown(report) if ending == "md" else report).encode()


_WORDS: Mapping[ExportFormat, str] = MappingProxyType(
    {"csv": "CSV, for a spreadsheet", "jsonl": "JSON Lines", "parquet": "Parquet"}
)
_ORDER: tuple[ExportFormat, ...] = tuple(sorted(EXPORT_FORMATS, key=list(_WORDS).index))


def table_download(
    rows: Callable[[], Iterable[TableRow]],
    *,
    name: tuple[str, ...],
    key: str,
    label: str = "Download",
    heading: str = "",
    more: Callable[[], None] | None = None,
) -> None:
    """Draw the button.

    Args:
        rows: returns the table. It is called in another thread, without Streamlit, so it must hold the store that
            it needs.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
        label: the words on the button.
        heading: says what the table is, where there is `more`.
        more: draws further buttons below.
    """
    with st.popover(label, type="tertiary", icon=":material/download:", key=key), st.container(gap=None):
        if heading:
            st.caption(heading)
        for file_format in _ORDER:
            st.download_button(
                _WORDS[file_format],
                data=while_member(partial(_write, rows, file_format)),
                file_name=file_name(*name, ending=file_format),
                mime=MIME_TYPES[file_format],
                key=f"{key}.{file_format}",
                on_click="ignore",
                type="tertiary",
            )
        if more is not None:
            more()


def _write(rows: Callable[[], Iterable[TableRow]], file_format: ExportFormat) -> bytes:
    return write_table(rows(), file_format=file_format)


def runs_download(view: View) -> None:
    """Draw the download of all runs of the series in view with their figures."""
    store = opened_store.store()
    table_download(lambda: _runs(store, view), name=("runs", view.value), key="overview.download")


def answers_download(run: Run, filters: AnswerFilter, order: Order, view: View) -> None:
    """Draw the download of all answers that the list shows, on all its pages, and of the whole run with its claims."""
    store = opened_store.store()
    table_download(
        lambda: tables.answer_rows(store, run.run_id, filters, view=view, order=order),
        name=(run.name, "answers"),
        key="inspect.download",
        heading="The answers listed here, as a table",
        more=lambda: run_download(run, view, key="inspect.run"),
    )


def run_download(run: Run, view: View, *, key: str) -> None:
    """Draw the buttons that download a whole run with its claims, in FaithView's shape and in those of other tools."""
    store = opened_store.store()
    shown = View.REVIEWED if view is View.CORRECTED else view
    st.caption("The whole run with its claims and labels")
    for exporter in EXPORTERS:
        own = "FaithView, " if exporter.name in EXPORT_FORMATS else "For "
        st.download_button(
            fmt.literal(f"{own}{exporter.title}"),
            data=while_member(partial(run_bytes, store, run.run_id, file_format=exporter.name, view=shown)),
            file_name=file_name(run.name, exporter.name, ending=exporter.ending),
            key=f"{key}.{exporter.name}",
            on_click="ignore",
            type="tertiary",
        )


def inbox_download(filters: InboxFilter) -> None:
    """Draw the download of all claims that the inbox lists, on all its pages."""
    store, in_view = opened_store.store(), series.in_view()
    table_download(
        lambda: tables.inbox_rows(store, filters, series=in_view),
        name=(in_view or "all", "claims"),
        key="inbox.download",
    )


def changes_download(comparison: Comparison, changes: Sequence[Change]) -> None:
    """Draw the download of the changed answers that the list shows."""
    table_download(
        lambda: tables.change_rows(changes),
        name=(comparison.baseline.name, comparison.candidate.name, "changes"),
        key="compare.download",
    )


def points_download(lines: Sequence[TrendLine]) -> None:
    """Draw the download of a trend's points."""
    table_download(lambda: tables.point_rows(lines), name=("trend",), key="trends.download", label="Points")


def cards_download(cards: Sequence[JudgeCard]) -> None:
    """Draw the download of the judges with how far reviewers agree with them."""
    table_download(lambda: tables.card_rows(cards), name=("judges",), key="judges.download")


def mistakes_download(card: JudgeCard) -> None:
    """Draw the download of a judge's mistakes."""
    table_download(
        lambda: tables.mistake_rows(card), name=(card.name, "mistakes"), key=f"judges.download.{card.fingerprint}"
    )


def run_report(run: Run, view: View, scope: ReportScope) -> None:
    """Draw the download of a run's report, with the answers that are in view."""
    store = opened_store.store()
    report_download(
        lambda with_texts: report_run(store, run.run_id, view=view, with_texts=with_texts, scope=scope),
        name=(run.name, "report"),
        key="inspect.report",
    )


def _runs(store: Store, view: View) -> Iterator[TableRow]:
    in_view = series.in_view()
    if view is View.CORRECTED:
        return tables.run_rows(correct_summaries(store, list_summaries(store, series=in_view)), view=view)
    return tables.run_rows(list_summaries(store, series=in_view, view=view), view=view)
