"""The check page: one pasted answer and its verdicts."""

__all__ = [
    "form_memory",
    "paste_form",
    "verdict_panel",
]
