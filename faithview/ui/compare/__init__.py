"""The compare page: what changed between two runs, and why."""

__all__ = [
    "address",
    "change_filter",
    "change_list",
    "changed_answers",
    "charts",
    "findings",
    "page_layout",
    "pair",
    "pair_decisions",
    "result_header",
    "run_choice",
    "tables",
    "unpaired_answers",
]
