"""The tables as typed models, one module per subject."""
