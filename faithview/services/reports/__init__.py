"""Reports: a run, or a comparison of two, as one HTML file that works offline."""
