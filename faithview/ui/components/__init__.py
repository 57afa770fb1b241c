"""Custom Streamlit components: they draw data and return what the person chose, and load nothing."""

__all__ = [
    "answer_list",
    "answer_payload",
    "answer_view",
    "claim_list",
    "claim_view",
    "component_files",
    "label_buttons",
    "label_keys",
    "reviewed_payload",
    "selection",
    "verdict_styles",
    "word_diff",
]
