"""The inspect page: one run, its answers, and one answer beside its chunks."""

__all__ = [
    "ablation",
    "ablation_words",
    "answer_filters",
    "answer_list_panel",
    "answer_panel",
    "label_bar",
    "missed_claims",
    "place",
    "run_header",
    "slice_filter",
]
