"""A run in FaithView's files, which lose nothing, and in those of other tools: what these read of it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Evidence, Verdict
from faithview.domain.result import Result, State, Usage
from faithview.domain.sample import Chunk, Sample
from faithview.domain.spans import find_quote
from faithview.formats.exporters import EXPORTERS, ExportRow, exporter_named
from faithview.services.exports import export_document
from tests.factories import make_claim, make_result
from tests.formats.readers.reading import read_file

_CHUNK = "The tower is 330 m tall."
_ANSWERS: tuple[tuple[Sample, Result], ...] = (
    (
        Sample(
            answer="It is 330 m. It is red.",
            question="How tall?",
            key="a",
            segment="Height",
            reference="330 m",
            timestamp=datetime(2026, 3, 4, 5, 6, tzinfo=UTC),
            chunks=(
                Chunk(text=_CHUNK, chunk_id="c1", rank=1, score=0.5, metadata={"title": "Tower"}),
                Chunk(text="Another | one", chunk_id="c2", rank=2),
            ),
            # Names that the tools have too, and that FaithView adds.
            extra={"model": "m", "faithfulness": "high", "User Input": 1, "metadata": {"a": [1]}, "faithview_x": None},
        ),
        make_result(
            make_claim(
                "It is 330 m.",
                Verdict.SUPPORTED,
                "c1",
                confidence=0.9,
                support=0.8,
                evidence=(Evidence(chunk_id="c1", quote="330 m", span=find_quote(_CHUNK, "330 m")),),
            ),
            make_claim("It is red.", Verdict.NOT_MENTIONED, explanation="No chunk names a colour."),
            metrics={"relevancy": 0.25},
            usage=Usage(llm_calls=2, prompt_tokens=10, cost_usd=0.5),
            seconds=1.5,
        ),
    ),
    (
        # The same chunk id with another text, no question, no reference.
        Sample(answer="No.", key="b", chunks=(Chunk(text="Something else.", chunk_id="c1", rank=1),)),
        make_result(state=State.FAILED, error="The model did not answer."),
    ),
    (Sample(answer="I do not know.", question="Why?", key="c"), make_result(state=State.ABSTAINED)),
    (Sample(answer="Yes.", question="So?", key="d"), make_result(state=State.JUDGED, given_score=0.75)),
)


def _rows() -> Iterator[ExportRow]:
    for at, (sample, result) in enumerate(_ANSWERS, start=1):
        ids = tuple(f"r-{at}-{number}" for number in range(1, len(result.claims) + 1))
        yield export_document(AnswerDetail(run_id="r", position=at, sample=sample, result=result, claim_ids=ids))


def _written(name: str, folder: Path) -> Path:
    exporter = exporter_named(name)
    path = folder / f"run.{exporter.ending}"
    exporter.write(_rows(), path)
    return path


@pytest.mark.parametrize("name", [one.name for one in EXPORTERS if one.is_own])
def test_a_file_in_our_own_shape_is_read_back_as_the_same_run(name: str, tmp_path: Path) -> None:
    read = read_file(_written(name, tmp_path).read_bytes(), name="run")
    assert read.samples == [sample for sample, _ in _ANSWERS]
    assert read.results == [result for _, result in _ANSWERS]


def test_a_file_whose_chunks_somebody_changed_is_read_with_the_chunks_that_it_has(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in _written("jsonl", tmp_path).read_text(encoding="utf-8").splitlines()]
    rows[0]["chunks"] = ["Only this."]
    rows[0]["my_note"] = "new"
    read = read_file("\n".join(map(json.dumps, rows)).encode(), name="run.jsonl")
    assert [chunk.text for chunk in read.samples[0].chunks] == ["Only this."]
    assert read.samples[0].extra["my_note"] == "new"
    assert read.results[0].warnings == ("Claims name chunks that the row does not have: c1.",)


@pytest.mark.parametrize("name", ["ragas", "deepeval", "langsmith"])
def test_answers_chunks_and_scores_are_read_in_the_shape_of_another_tool(name: str, tmp_path: Path) -> None:
    read = read_file(_written(name, tmp_path).read_bytes(), name="run")
    expected = [(s.question, s.answer, [c.text for c in s.chunks], r.faithfulness) for s, r in _ANSWERS]
    found = zip(read.samples, read.results, strict=True)
    assert [(s.question, s.answer, [c.text for c in s.chunks], r.faithfulness) for s, r in found] == expected


def test_ragas_finds_its_columns_and_keeps_those_of_the_rows(tmp_path: Path) -> None:
    first, second, *_ = map(json.loads, _written("ragas", tmp_path).read_text(encoding="utf-8").splitlines())
    assert {name: first[name] for name in ("user_input", "response", "reference", "faithfulness", "model")} == {
        "user_input": "How tall?",
        "response": "It is 330 m. It is red.",
        "reference": "330 m",
        "faithfulness": 0.5,
        "model": "m",
    }
    assert first["retrieved_contexts"] == [_CHUNK, "Another | one"]
    assert [claim["verdict"] for claim in first["faithview_claims"]] == ["supported", "not_mentioned"]
    assert (second["faithfulness"], second["faithview_error"]) == (None, "The model did not answer.")


def test_langsmith_gets_examples(tmp_path: Path) -> None:
    first = json.loads(_written("langsmith", tmp_path).read_text(encoding="utf-8").splitlines()[0])
    # Anything else is refused by LangSmith's ExampleCreate.
    assert set(first) == {"inputs", "outputs", "metadata"}
    assert first["inputs"] == {"question": "How tall?"}
    assert first["outputs"] == {"answer": "It is 330 m. It is red.", "contexts": [_CHUNK, "Another | one"]}
    assert (first["metadata"]["faithfulness"], len(first["metadata"]["faithview_claims"])) == (0.5, 2)
