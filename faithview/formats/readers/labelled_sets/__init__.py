"""Data sets of answers that people labelled as faithful or not, one module each, for measuring judges."""
