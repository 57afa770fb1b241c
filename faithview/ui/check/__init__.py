"""The check page: one pasted answer and its verdicts."""

__all__ = [
    "form_memory",
    "other_strictness",
    "paste_form",
    "verdict_panel",
]
