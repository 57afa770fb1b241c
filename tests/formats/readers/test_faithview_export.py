"""An export of FaithView read back is the same answers with the same results."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Claim, ClaimType, Severity, Verdict
from faithview.domain.result import Result
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import State
from faithview.domain.spans import find_quote
from faithview.formats.exporters import exporter_named
from faithview.services.exports import export_document
from tests.factories import make_evidence
from tests.formats.readers.reading import Read, read_file

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=30).filter(
    lambda text: bool(text.strip())
)
_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | _TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_TEXT, inner, max_size=2),
    max_leaves=4,
)


@st.composite
def answers(draw: st.DrawFn) -> tuple[Sample, Result]:
    chunks = tuple(
        Chunk(text=text, chunk_id=f"c{at}", rank=at, metadata={"page": at})
        for at, text in enumerate(draw(st.lists(_TEXT, max_size=3)), start=1)
    )
    answer = draw(_TEXT)
    sample = Sample(
        answer=answer,
        chunks=chunks,
        question=draw(st.none() | _TEXT),
        key=draw(st.text("abc123", min_size=1, max_size=5)),
        segment=draw(st.none() | _TEXT),
        reference=draw(st.none() | _TEXT),
        timestamp=draw(st.none() | st.just(datetime(2026, 3, 4, 5, 6, tzinfo=UTC))),
        extra=draw(st.dictionaries(_TEXT, _JSON, max_size=3)),
    )
    return sample, draw(_results(sample))


def _results(sample: Sample) -> st.SearchStrategy[Result]:
    whole = find_quote(sample.answer, sample.answer)
    cited = [chunk for chunk in sample.chunks if find_quote(chunk.text, chunk.text) is not None][:1]
    claims = st.lists(
        st.builds(
            Claim,
            text=_TEXT,
            verdict=st.sampled_from(Verdict),
            spans=st.just((whole,)) if whole else st.just(()),
            confidence=st.none() | st.floats(0, 1),
            explanation=st.just("") | st.just("As the first chunk says."),
            claim_type=st.none() | st.sampled_from(ClaimType),
            severity=st.none() | st.sampled_from(Severity),
            supporting_chunk_ids=st.just(tuple(chunk.chunk_id for chunk in cited)),
            evidence=st.just(tuple(make_evidence(c, c.text) for c in cited)),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple)
    judged = st.builds(
        Result,
        state=st.just(State.JUDGED),
        judge=st.just("tool 1"),
        claims=claims,
        suggestions=st.lists(_TEXT, max_size=2).map(tuple),
        metrics=st.dictionaries(st.sampled_from(["a", "b"]), st.floats(0, 1), max_size=2),
    )
    whole_score = st.builds(Result, state=st.just(State.JUDGED), judge=st.just("tool 1"), given_score=st.floats(0, 1))
    failed = st.builds(Result, state=st.just(State.FAILED), judge=st.just("tool 1"), error=_TEXT)
    none = st.builds(Result, state=st.sampled_from([State.NO_CLAIMS, State.ABSTAINED]), judge=st.just("tool 1"))
    return judged | whole_score | failed | none


def _read_back(sample: Sample, result: Result, path: Path) -> Read:
    ids = tuple(f"r-1-{number}" for number in range(1, len(result.claims) + 1))
    detail = AnswerDetail(run_id="r", position=1, sample=sample, result=result, claim_ids=ids)
    # A second answer, so that a file of one failed answer has a result too.
    other = AnswerDetail(
        run_id="r",
        position=2,
        sample=Sample(answer="x", key="other"),
        result=Result(state=State.NO_CLAIMS, judge="tool 1"),
        claim_ids=(),
    )
    exporter_named(path.suffix[1:]).write([export_document(detail), export_document(other)], path)
    return read_file(path.read_bytes(), name=path.name)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@given(answer=answers())
def test_an_export_read_back_is_the_same_run(
    tmp_path_factory: pytest.TempPathFactory, ending: str, answer: tuple[Sample, Result]
) -> None:
    sample, result = answer
    read = _read_back(sample, result, tmp_path_factory.mktemp("export") / f"run.{ending}")
    assert read.detection.reader.name == "faithview"
    assert read.samples[0] == sample
    assert read.results[0] == result
    assert read.judge == "tool 1"


def test_a_csv_read_back_has_no_apostrophes_left(tmp_path: Path) -> None:
    sample = Sample(
        answer="=1+1", question="-1?", key="a", chunks=(Chunk(text="=1+1", chunk_id="c"),), extra={"n": "+1"}
    )
    result = Result(state=State.JUDGED, judge="tool 1", given_score=0.5)
    read = _read_back(sample, result, tmp_path / "run.csv")
    assert (read.samples[0], read.results[0]) == (sample, result)
