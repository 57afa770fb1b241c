"""How good judges are: by people's labels, on labelled files and beside each other; training the embedded judge."""

__all__ = [
    "ablation",
    "agreement",
    "benchmark",
    "head_to_head",
    "judged_labels",
    "scorecards",
    "training",
    "training_data",
    "training_pooling",
]
