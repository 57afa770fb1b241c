"""What the embedded judge quotes from a chunk, on the bundled sample and on the help-desk answers, stands there."""

import json
from collections.abc import Iterator

import pytest

from faithview.documents.answers import CheckDocument
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.domain.spans import find_quotations, stands_in
from faithview.judges.lexical.judge import judge_sample
from faithview.services.dataset_files import open_dataset
from faithview.services.reports.rendering import mark_evidence
from faithview.ui.reader import payload
from tests.dashboard import ROOT
from tests.helpdesk import read_answers

# Every answer of the sample counts; of the help-desk ones so many that the test takes seconds.
_EVERY_HELPDESK = 30


def _bundled() -> Iterator[Sample]:
    seen = set()
    for file in sorted((ROOT / "data" / "runs").glob("*.jsonl")):
        for sample in open_dataset(file).read()[0]:
            if (known := (sample.answer, sample.chunks and sample.chunks[0].text)) not in seen:
                seen.add(known)
                yield sample


def _helpdesk() -> Iterator[Sample]:
    for answer in read_answers()[::_EVERY_HELPDESK]:
        yield Sample.of(answer.answer, list(answer.chunks), question=answer.question)


def _false_quotations(text: str, chunks: dict[str, str]) -> list[str]:
    return [q.words for q in find_quotations(text, chunks) if not stands_in(q.words, chunks[q.chunk_id])]


def _problems(sample: Sample, result: Result) -> Iterator[tuple[str, str]]:
    chunks = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    exported = json.dumps(CheckDocument.of(result).to_dict(), ensure_ascii=False)
    assert all(json.dumps(claim.explanation, ensure_ascii=False) in exported for claim in result.claims)
    for claim, drawn in zip(result.claims, payload.answer(sample, result)["claims"], strict=True):
        assert drawn["why"] == claim.explanation
        for words in _false_quotations(claim.explanation, chunks):
            yield words, claim.explanation
        if claim.correction is not None and not any(stands_in(claim.correction, text) for text in chunks.values()):
            yield claim.correction, "correction"
        if claim.correction is not None and drawn["correction_lead"].startswith("Chunk "):
            assert stands_in(
                claim.correction, chunks[drawn["correction_lead"].removeprefix("Chunk ").split(" says")[0]]
            )
        for item in claim.evidence:
            if item.span is None or item.span.of(chunks[item.chunk_id]) != item.quote:
                yield item.quote, "evidence"
        for quoted in mark_evidence(claim, sample):
            shown = "".join(piece.text for piece in quoted.text).removeprefix("… ").removesuffix(" …")
            if shown not in chunks[quoted.chunk_id]:
                yield shown, "evidence in the report"


@pytest.mark.parametrize("samples", [_bundled, _helpdesk], ids=["bundled", "help-desk"])
def test_every_text_quoted_from_a_chunk_stands_in_that_chunk(samples: object) -> None:
    assert callable(samples)
    judged = [(sample, judge_sample(sample)) for sample in samples()]
    # As the judge gives them: `verify_claims` would take the marks from a false quotation, and this test its sense.
    quotations = sum(
        len(find_quotations(claim.explanation, {chunk.chunk_id: chunk.text for chunk in sample.chunks}))
        for sample, result in judged
        for claim in result.claims
    )
    assert quotations > 2, "The test looks at nothing."
    assert [problem for sample, result in judged for problem in _problems(sample, result)] == []
