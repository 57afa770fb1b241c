"""Blocks that several pages draw: components, tables, choices, downloads."""

__all__ = [
    "answer_list",
    "answer_payload",
    "answer_view",
    "carry_over",
    "claim_list",
    "corrected_score",
    "downloads",
    "empty_state",
    "first_line",
    "judge_choice",
    "judge_notes",
    "label_bar",
    "new_spot_check",
    "notes",
    "run_menu",
    "selection",
    "trend_finding",
    "verdict_table",
    "word_diff",
]
