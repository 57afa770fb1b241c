"""The Upload page: from a file to a judged run."""

__all__ = [
    "column_roles",
    "file_choice",
    "reading_choices",
    "run_options",
    "run_progress",
    "run_result",
    "run_start",
    "same_application",
    "saved_mapping",
]
