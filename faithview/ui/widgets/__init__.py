"""Blocks that several pages draw: components, tables, choices, downloads."""
