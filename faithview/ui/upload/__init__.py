"""The page Upload: from a file to a judged run, and the data sets that its rows are kept in."""

__all__ = ["column_roles", "results_import", "run_progress", "run_start", "uploaded_file"]
