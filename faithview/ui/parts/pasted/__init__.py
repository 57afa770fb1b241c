"""The form for one answer with its chunks, which the pages that look at one answer share."""

__all__ = ["form_memory", "paste_form"]
