"""The Judges page: how far each judge can be trusted."""

__all__ = [
    "benchmarks",
    "head_to_head",
    "judge_card",
    "judge_list",
    "judge_names",
    "measure_help",
    "mistakes",
    "opened_claim",
    "part_choice",
    "reviewers",
    "share_words",
]
