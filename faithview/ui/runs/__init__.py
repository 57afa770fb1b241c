"""What people do with a stored run: rename it, note on it, archive it, judge it again, delete it."""

__all__ = ["archived_runs", "delete_dialog", "judge_again_dialog", "run_menu", "series_form"]
