"""The Knowledge base page: what changed between two versions, and the claims that rest on it."""

__all__ = ["address", "card", "document_list", "document_panel", "headline", "page_data", "step_choice"]
