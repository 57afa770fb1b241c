"""A stored run: what went wrong in it, and what people do with it (rename, note, archive, judge again, delete)."""

__all__ = ["archived_runs", "delete_dialog", "judge_again_dialog", "run_menu", "run_troubles", "series_form"]
