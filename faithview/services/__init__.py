"""Use cases: the only layer in which judges, formats, store and statistics meet."""
