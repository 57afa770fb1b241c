"""Reports: a run, or a comparison of two, as one file that works offline."""

from enum import StrEnum


class ReportFormat(StrEnum):
    """The format of a report."""

    HTML = "html"
    MARKDOWN = "markdown"
