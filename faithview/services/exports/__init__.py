"""What leaves FaithView: JSON documents, run files and tables."""

__all__ = [
    "agreement_document",
    "comparison_document",
    "knowledge_document",
    "run_document",
    "run_files",
    "slices_document",
    "spot_check_document",
    "table_rows",
    "tables",
]
