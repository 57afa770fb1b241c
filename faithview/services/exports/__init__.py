"""Results as documents, files and tables for other programs."""
