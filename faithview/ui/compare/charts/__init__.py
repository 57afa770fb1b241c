"""The charts of the compare page: what each cause explains, and where the difference is."""

__all__ = ["charts_panel", "row_figure", "segments_plot", "waterfall"]
