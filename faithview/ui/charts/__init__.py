"""Plotly figures, and the same content as text for screen readers."""

__all__ = ["chart_colours", "finding_figure", "row_figure", "small_multiples", "trend_figure"]
