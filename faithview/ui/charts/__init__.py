"""Plotly figures, and the same content as text for screen readers; without Streamlit."""

__all__ = ["answer_counts", "bands", "calibration", "markers", "panels", "theme", "trend_axes", "trend_figure"]
