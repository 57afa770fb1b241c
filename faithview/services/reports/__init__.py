"""Reports: a run, or a comparison of two, as one HTML file that works offline."""

__all__ = ["comparison_report", "notebook", "rendering", "run_report"]
