"""The Python API: what `from faithview import ...` gives, one module per subject."""
