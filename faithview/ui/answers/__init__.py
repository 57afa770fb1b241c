"""The page Answers: one run, its answers, and one answer beside its chunks."""

__all__ = ["answer_panel", "claim_walk", "labels", "listed_answers", "run_header"]
