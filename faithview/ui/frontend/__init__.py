"""The scripts and styles that run in the browser."""
