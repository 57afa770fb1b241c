"""The Search page: claims of all runs."""
