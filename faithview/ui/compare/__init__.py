"""The compare page: what changed between two runs, and why."""

__all__ = [
    "address",
    "change_list",
    "changed_answers",
    "charts",
    "findings",
    "pair_decisions",
    "pair_payload",
    "pair_view",
    "result_header",
    "run_choice",
    "tables",
    "unpaired_answers",
]
