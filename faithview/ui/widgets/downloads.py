"""Downloads: reports, and whole runs in the shapes of other tools.

Each is built in another thread on request, so the functions here pass in everything that it needs.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import streamlit as st

from faithview.domain.run import Run
from faithview.formats.exporters import EXPORTERS
from faithview.services.exports import run_bytes
from faithview.services.reports import ReportFormat
from faithview.services.reports.run_report import ReportScope, report_run
from faithview.ui import opened_store
from faithview.wording import numbers as fmt


def report_download(make: Callable[[bool, ReportFormat], str], *, name: tuple[str, ...], key: str) -> None:
    """Draw the button for the report as HTML with texts, and next to it the menu with the others.

    Args:
        make: returns the report, with or without texts, in a format. It is called in another thread, without
            Streamlit, so it must hold the store that it needs.
        name: the parts of the file's name.
        key: the button's key, unique on the page.
    """

    def button(
        label: str,
        *,
        with_texts: bool,
        file_format: ReportFormat,
        icon: str | None = None,
        help_text: str | None = None,
    ) -> None:
        ending = _ENDINGS[file_format]
        st.download_button(
            label,
            data=lambda: make(with_texts, file_format).encode(),
            file_name=file_name(*name, ending=ending),
            mime=f"text/{file_format}",
            key=f"{key}.{'texts' if with_texts else 'figures'}.{ending}",
            on_click="ignore",
            type="tertiary",
            icon=icon,
            help=help_text,
        )

    with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall", width="content"):
        button(
            "Report",
            with_texts=True,
            file_format=ReportFormat.HTML,
            icon=":material/description:",
            help_text=_REPORT_HELP,
        )
        with (
            st.popover(":material/more_vert:", type="tertiary", key=key, help="Other reports"),
            st.container(gap=None),
        ):
            for label, with_texts, file_format in _OTHER_REPORTS:
                button(label, with_texts=with_texts, file_format=file_format)
            st.caption("To save a PDF, open the HTML file and print it.")


_REPORT_HELP = "One HTML file with questions, answers and chunks. The menu next to it has Markdown and figures only."


_ENDINGS: Mapping[ReportFormat, str] = MappingProxyType({ReportFormat.HTML: "html", ReportFormat.MARKDOWN: "md"})
_OTHER_REPORTS = (
    ("HTML, figures only", False, ReportFormat.HTML),
    ("Markdown with questions, answers and chunks", True, ReportFormat.MARKDOWN),
    ("Markdown, figures only", False, ReportFormat.MARKDOWN),
)


def run_download(run: Run) -> None:
    """Draw the download of a whole run with its claims, in FaithView's shape and in those of other tools."""
    store = opened_store.store()
    with (
        st.popover("Download", type="tertiary", icon=":material/download:", key="inspect.download"),
        st.container(gap=None),
    ):
        st.caption("The whole run with its claims and labels")
        for exporter in EXPORTERS:
            own = "FaithView, " if exporter.is_own else "For "
            st.download_button(
                fmt.literal(f"{own}{exporter.title}"),
                data=partial(run_bytes, store, run.run_id, file_format=exporter.name),
                file_name=file_name(run.name, exporter.name, ending=exporter.ending),
                key=f"inspect.run.{exporter.name}",
                on_click="ignore",
                type="tertiary",
            )


def run_report(run: Run, scope: ReportScope) -> None:
    """Draw the download of a run's report, with the answers that are in view."""
    store = opened_store.store()
    report_download(
        lambda with_texts, file_format: report_run(
            store, run.run_id, file_format=file_format, with_texts=with_texts, scope=scope
        ),
        name=(run.name, "report"),
        key="inspect.report",
    )


_LONGEST_NAME = 80


def file_name(*parts: str, ending: str) -> str:
    """Return a file name of these parts that is valid on every system: "Week 44-report.html"."""
    words = (re.sub(r"[^\w. -]+", "_", part).strip(" ._-") for part in parts)
    name = "-".join(word for word in words if word)[:_LONGEST_NAME].rstrip(" ._-")
    return f"{name or 'table'}.{ending}"
