"""Plotly figures, and the same content as text for screen readers."""

__all__ = ["calibration", "small_multiples", "theme", "trend_figure"]
