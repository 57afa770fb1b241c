"""Tables with one row per retrieved chunk: put together, asked about, or read as they are."""

from typing import Any

import pytest

from faithview.domain.errors import InvalidInput
from faithview.services.dataset_files import Dataset, open_dataset
from tests.formats.made_files import WRITERS, as_delimited, as_jsonl, texts

_TOLD = (("How tall is it?", "It is 330 m tall."), ("When did it open?", "It opened in 1889."))


def rows(**more: Any) -> list[dict[str, Any]]:
    """Two answers with three chunks each; a value of `more` that can be called takes the row's number."""
    return [
        {
            "question": asked,
            "answer": answer,
            "passage": f"Chunk {number} of {asked}",
            **{name: value(3 * at + number) if callable(value) else value for name, value in more.items()},
        }
        for at, (asked, answer) in enumerate(_TOLD)
        for number in range(3)
    ]


def guessed(content: bytes, *maps: str) -> Dataset:
    return open_dataset(content, name="x").remap(list(maps)).as_guessed()


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
@pytest.mark.parametrize("order", ["as written", "by rank", "merged cells"])
def test_rows_of_one_answer_are_put_together(write: Any, order: str) -> None:
    table = rows(rank=lambda n: n % 3 + 1, chunk_id=lambda n: f"c{n}", topic="towers")
    if order == "by rank":
        table.sort(key=lambda row: row["rank"])
    if order == "merged cells":
        table = [row if row["rank"] == 1 else {**row, "question": None, "answer": None} for row in table]
    samples, report = guessed(write(table)).read()
    assert [(sample.question, sample.answer) for sample in samples] == list(_TOLD)
    assert texts(samples[1]) == [f"Chunk {n} of When did it open?" for n in range(3)]
    assert [chunk.chunk_id for chunk in samples[1].chunks] == ["c3", "c4", "c5"]
    assert (samples[0].segment, report.rows, report.usable) == ("towers", 2, 2)


def test_an_id_per_question_is_the_answers() -> None:
    samples, _ = guessed(as_jsonl(rows(question_id=lambda n: f"q{n // 3}"))).read()
    assert [sample.key for sample in samples] == ["q0", "q1"]


@pytest.mark.parametrize(
    "more",
    [{"model": lambda n: f"m{n}"}, {"id": lambda n: n}, {"question": None}],
    ids=["models", "ids", "no question"],
)
def test_rows_that_may_be_several_answers_are_asked_about(more: dict[str, Any]) -> None:
    content = as_delimited(rows(**more))
    with pytest.raises(InvalidInput, match="--map one_row_per=chunk or --map one_row_per=answer"):
        guessed(content).check_answered(for_results=False)
    for unit, answers in (("chunk", 2), ("answer", 6)):
        dataset = guessed(content, f"one_row_per={unit}")
        dataset.check_answered(for_results=False)
        assert len(dataset.read()[0]) == answers
    with pytest.raises(InvalidInput, match="answer or chunk, not 'page'"):
        guessed(content, "one_row_per=page")


def test_equal_rows_and_lists_of_chunks_are_read_as_they_are() -> None:
    same = [{**row, "passage": "The same."} for row in rows()]
    lists = [{**row, "passage": [row["passage"], "More."]} for row in rows()]
    for table in (same, lists):
        dataset = guessed(as_jsonl(table))
        assert (dataset.mapping.one_row_per, len(dataset.read()[0])) == (None, 6)


def test_what_only_some_rows_have_is_kept_with_their_chunk() -> None:
    table = rows(rank=lambda n: n % 3)
    table[4]["page"] = 7
    samples, _ = guessed(as_jsonl(table)).read()
    assert [chunk.metadata.get("page") for sample in samples for chunk in sample.chunks] == [None] * 4 + [7, None]
    table[4]["model"] = "m"
    table[5]["model"] = "n"
    assert guessed(as_jsonl(table)).has_chunk_rows() is None


def test_rows_far_down_are_joined_with_their_answer() -> None:
    table = [
        {"question": f"Question {n}?", "answer": "It is so.", "passage": f"Chunk {n}-{k}."}
        for n in range(20)
        for k in range(2)
    ]
    samples, report = guessed(as_delimited([*table, {**table[0], "passage": "A late one."}])).read()
    assert (len(samples), len(samples[0].chunks), report.problem_count) == (20, 3, 0)
