"""Blocks that several pages draw."""

__all__ = [
    "chart_theme",
    "corrected_score",
    "downloads",
    "empty_state",
    "inherited_labels",
    "judge_choice",
    "judge_notes",
    "label_presses",
    "labels",
    "pasted",
    "run_picker",
    "sensitivity",
    "sensitivity_rows",
    "share",
    "trend",
    "verdict_table",
    "view_switch",
]
