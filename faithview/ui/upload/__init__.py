"""The page Upload: from a file to a judged run."""

__all__ = ["column_roles", "run_progress", "run_start", "uploaded_file"]
