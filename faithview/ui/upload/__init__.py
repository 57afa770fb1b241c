"""The Upload page: from a file to a judged run."""

__all__ = ["file_choice", "run_options", "run_progress", "run_start"]
