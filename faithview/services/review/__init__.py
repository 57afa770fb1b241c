"""People's labels: spot-checks, the queue, disagreements, carried-over labels and the corrected score."""

__all__ = [
    "carry_over",
    "corrected_score",
    "disagreements",
    "inherited_labels",
    "label_export",
    "label_import",
    "labels",
    "queue",
    "reveals",
    "spot_check_design",
]
