"""Judges: what decides whether a claim is supported. Importing this package imports no judge."""
