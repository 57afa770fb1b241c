"""The words for verdicts, causes, numbers and findings that the command line, the dashboard and reports print."""

__all__ = [
    "causes",
    "comparison",
    "corrected_score",
    "figure_help",
    "findings",
    "knowledge",
    "live",
    "numbers",
    "palette",
    "plain_text",
    "runs",
    "trends",
    "verdict_styles",
]
