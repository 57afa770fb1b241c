"""The check page: one pasted answer and its verdicts."""

__all__ = [
    "paste_form",
    "verdict_panel",
]
