"""What `contexttrace verify --json` writes."""

import json

from faithview.domain.result import State
from tests.formats.made_files import as_jsonl, texts
from tests.formats.readers.reading import FILES, read_file


def test_claims_come_with_their_evidence_and_their_reasons() -> None:
    read = read_file("contexttrace-1.3.json")
    assert (read.detection.schema, read.judge) == ("contexttrace", "ContextTrace (semantic_v1_calibrated)")
    assert read.claims == [
        [
            ("supported", "The tower is 330 m tall [guide]."),
            ("contradicted", "It opened in 1887."),
            ("not_mentioned", "It has three lifts."),
        ]
    ]
    supported, contradicted, missing = read.results[0].claims
    assert (supported.confidence, supported.supporting_chunk_ids) == (0.83, ("guide",))
    assert [(item.chunk_id, item.quote) for item in contradicted.evidence] == [("history", "The tower opened in 1889.")]
    assert (missing.evidence, missing.supporting_chunk_ids) == ((), ())
    assert supported.explanation.endswith("because all required facts were matched.")
    assert "Citation: " in contradicted.explanation


def test_contexts_are_those_that_claims_name() -> None:
    read = read_file("contexttrace-1.3.json")
    (sample,) = read.samples
    assert [chunk.chunk_id for chunk in sample.chunks] == ["guide", "history"]
    assert texts(sample)[1] == "The tower opened in 1889."
    assert "has only the contexts that a claim names" in read.detection.warnings[0]
    assert {"summary", "diagnostics", "abstention", "truncation", "metadata"} <= set(sample.extra)
    assert read.results[0].suggestions[-1].startswith("Add an abstention rule")


def test_an_answer_without_claims_has_none_and_one_that_cannot_be_read_is_failed() -> None:
    document = json.loads((FILES / "contexttrace-1.3.json").read_text(encoding="utf-8"))
    odd = [{**claim, "verdict": "?"} if number else claim for number, claim in enumerate(document["claims"])]
    read = read_file(as_jsonl([document, {**document, "claims": []}, {**document, "claims": odd}]))
    judged, without, failed = read.results
    assert (judged.state, without.state, failed.state) == (State.JUDGED, State.NO_CLAIMS, State.FAILED)
    assert failed.error is not None
    assert "claim 2: the verdict '?' is not known" in failed.error
