"""Plotly figures, and the same content as text for screen readers."""
