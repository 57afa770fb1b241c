"""How good judges are: by people's labels, on labelled files and beside each other; training the embedded judge."""

__all__ = ["ablation", "benchmarks", "fit", "head_to_head", "scorecards"]
