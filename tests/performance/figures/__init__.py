"""Is each figure the same everywhere, and is each sentence true? See README.md of the folder above."""
