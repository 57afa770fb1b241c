"""What a labelled data set says of an answer stays with it where a judge judges it, and counts in no score."""

from dataclasses import replace
from typing import Any

import pytest

from faithview.domain.answer import AnswerDetail, View
from faithview.domain.claim import Verdict
from faithview.domain.sample import Json, Sample
from faithview.domain.spans import Span
from faithview.services.container import Store
from faithview.services.dataset_files import open_dataset
from faithview.services.given_labels import COLUMN, Mark, given_label_of
from faithview.services.results import get_answer_at, get_summary
from faithview.services.review.labels import claim_history
from faithview.ui.answers.answer_panel import mark_line, whole_line
from tests.factories import LEXICAL, add_judged_run, make_claim, make_result
from tests.formats.made_files import as_jsonl
from tests.formats.readers.reading import FILES


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_a_judged_data_set_has_peoples_marks_and_no_labels(services: Store) -> None:
    dataset = open_dataset(FILES / "ragtruth" / "response.jsonl")
    run = add_judged_run(services, dataset.read()[0], "r", judge=LEXICAL, use_cache=False)
    first = get_answer_at(services, run.run_id, 1)
    given = given_label_of(first.sample)
    assert given is not None
    assert (given.by, given.is_faithful) == ("RAGTruth", False)
    assert [mark.verdict for mark in given.marks or ()] == [Verdict.CONTRADICTED, Verdict.NOT_MENTIONED]
    assert claim_history(services, run.run_id, 1) == []
    judge, reviewed = (get_summary(services, run.run_id, view=view).score for view in (View.JUDGE, View.REVIEWED))
    assert judge == reviewed


def test_a_label_that_cannot_be_read_is_named_and_one_that_is_missing_is_nothing() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "chunks": ["c"], "answer": "It is.", "label": 0, "spans": [{"start": 0, "end": 99}]},
        {"id": "b", "chunks": ["c"], "answer": "It is.", "label": 1, "spans": None},
    ]
    first, second = (given_label_of(sample) for sample in open_dataset(as_jsonl(rows), name="x").read()[0])
    assert first is not None
    assert second is not None
    assert whole_line(first) == (
        "Labelled benchmark file: the label of this answer cannot be read: "
        r"the span \[0\, 99\) is not within the text\'s 6 characters."
    )
    assert (second.is_faithful, second.marks) == (True, None)
    assert whole_line(second) == "Labelled benchmark file: labelled **faithful**"


@pytest.mark.parametrize(
    "found",
    ["x", {"by": 3}, {"by": "x"}, {"by": "x", "is_faithful": "yes"}],
    ids=["text", "nobody", "no label", "a word"],
)
def test_a_column_of_that_name_that_holds_something_else_is_nothing(found: Json) -> None:
    assert given_label_of(Sample(answer="It is.", extra={COLUMN: found})) is None


@pytest.mark.parametrize("wrong", [{"end": 7}, {"end": 0}, {"start": -1}, {"verdict": "so so"}])
def test_a_label_with_a_mark_outside_the_answer_is_nothing(wrong: dict[str, Json]) -> None:
    mark: dict[str, Json] = {"start": 0, "end": 2, "verdict": "contradicted", "note": ""}
    for change, count in (({}, 1), (wrong, 0)):
        label: dict[str, Json] = {"by": "x", "is_faithful": False, "marks": [{**mark, **change}]}
        given = given_label_of(Sample(answer="It is.", extra={COLUMN: label}))
        assert len((given.marks if given else None) or ()) == count


def test_a_mark_names_the_claims_that_stand_there() -> None:
    claims = (
        make_claim("It is.", Verdict.SUPPORTED, spans=(Span(start=0, end=6),)),
        make_claim("It was.", Verdict.CONTRADICTED, spans=(Span(start=7, end=14),)),
    )
    detail = AnswerDetail(
        run_id="r",
        position=1,
        sample=Sample(answer="It is. It was.", key="a"),
        result=make_result(*claims),
        claim_ids=("r-1-1", "r-1-2"),
    )
    mark = Mark(start=10, end=13, verdict=Verdict.NOT_MENTIONED, note="Baseless: *new*")
    assert mark_line(mark, detail) == (
        r"marked **not mentioned** · Baseless\: \*new\* · claim 2: contradicted by the judge"
    )
    without = replace(detail, result=replace(detail.result, claims=()))
    assert mark_line(mark, without).endswith(" · not part of any claim that the judge found")
