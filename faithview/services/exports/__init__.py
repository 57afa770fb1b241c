"""What leaves FaithView: JSON documents, run files and tables."""

__all__ = [
    "agreement_document",
    "comparison_document",
    "run_document",
    "run_file",
    "table_rows",
    "tables",
]
