"""The Compare page: two runs side by side."""
