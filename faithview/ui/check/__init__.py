"""The check page: one pasted answer and its verdicts."""

__all__ = [
    "edit_prompt",
    "other_strictness",
    "verdict_panel",
]
