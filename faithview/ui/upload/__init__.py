"""The page Upload: from a file to a judged run."""

__all__ = ["column_roles", "results_import", "run_progress", "run_start", "uploaded_file"]
