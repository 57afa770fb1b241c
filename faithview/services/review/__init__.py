"""Reviewers' labels: spot-checks, the queue, the inbox, disagreements, carried-over labels, the corrected score."""

__all__ = [
    "carry_over",
    "corrected_score",
    "disagreements",
    "inbox",
    "label_files",
    "labels",
    "notes",
    "queue",
    "spot_check_result",
    "spot_checks",
]
