"""LLM-AggreFact: each row is a claim with its document and a label."""

from faithview.services.dataset_files import open_dataset
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES


def test_llm_aggrefact_is_about_claims() -> None:
    rows, _ = open_dataset(FILES / "llm_aggrefact.jsonl").read_labelled()
    assert [(row.claim, row.label, row.task) for row in rows] == [
        ("The tower opened in 1889.", 1, "OURS-QA"),
        ("The tower opened in 1887.", 0, "OURS-QA"),
        ("The bridge was closed.", 1, "OURS-News"),
    ]
    assert rows[0].doc == rows[1].doc != rows[2].doc
    bare = as_jsonl([{"doc": "d", "claim": "c", "label": 1}])
    assert open_dataset(bare, name="x").detection.reader.name == "llm_aggrefact"
    assert (
        open_dataset(as_jsonl([{"doc": "d", "claim": "c", "label": "maybe"}]), name="x").detection.reader.name
        == "canonical"
    )
