"""Judges decide whether claims are supported. Importing this package imports no judge."""
