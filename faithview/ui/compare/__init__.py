"""The compare page: what changed between two runs, and why."""

__all__ = [
    "address",
    "change_list",
    "changed_answers",
    "charts_panel",
    "findings",
    "pair_decisions",
    "pair_payload",
    "pair_view",
    "result_header",
    "row_figure",
    "run_choice",
    "segments_plot",
    "tables",
    "unpaired_answers",
    "waterfall",
]
