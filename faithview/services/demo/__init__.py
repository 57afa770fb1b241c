"""The bundled sample: weekly runs over an invented help centre, two reviewers' spot-checks of them, and examples."""

__all__ = ["examples", "sample", "sample_reviews", "sample_runs"]
