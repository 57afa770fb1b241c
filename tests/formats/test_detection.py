"""What a file is taken for, and how a person corrects it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.mapping import FIELDS
from faithview.domain.sample import Sample
from faithview.formats.read import Detection, detect, open_table
from faithview.formats.rows.mapping import Mapping, parse_mapping
from tests.formats.made_files import as_delimited, as_json, as_jsonl, read, read_one, read_samples, texts


def detected(row: dict[str, Any]) -> Detection:
    return detect(open_table(as_jsonl([row]), name="x"))


def test_a_ragas_file_is_recognised_and_its_metrics_stay_as_extra_columns() -> None:
    row = {
        "user_input": "q",
        "response": "a",
        "retrieved_contexts": ["c"],
        "reference_contexts": ["gold"],
        "retrieved_context_ids": ["d1"],
        "reference": "r",
        "faithfulness": float("nan"),
        "answer_relevancy": 0.5,
    }
    detection = detected(row)
    assert (detection.reader.name, detection.reader.title) == ("ragas", "Ragas")
    sample = read_one(row)
    assert (sample.question, sample.answer, sample.reference) == ("q", "a", "r")
    assert [(chunk.chunk_id, chunk.text) for chunk in sample.chunks] == [("d1", "c")]
    assert sample.extra == {"reference_contexts": ["gold"], "faithfulness": None, "answer_relevancy": 0.5}


def test_a_ragas_conversation_gives_its_last_question_and_is_kept_whole() -> None:
    messages = [
        {"content": "Hi", "type": "human"},
        {"content": "Hello", "type": "ai"},
        {"content": "How tall?", "type": "human"},
    ]
    sample = read_one({"user_input": messages, "response": "330 m", "retrieved_contexts": ["c"]})
    assert sample.question == "How tall?"
    assert sample.extra["user_input"] == messages


def test_reference_contexts_of_ragas_are_never_taken_for_retrieved_ones() -> None:
    row = {"user_input": "q", "response": "a", "reference_contexts": ["gold"], "contexts": ["?"], "context": "?"}
    detection = detected(row)
    assert detection.mapping.contexts == ()
    assert "not the retrieved ones" in detection.warnings[0]
    with pytest.raises(InvalidInput, match=r"without 'retrieved_contexts'.*Which column holds the retrieved chunks"):
        read(as_jsonl([row]))


def test_a_file_of_ragas_0_1_is_recognised_by_its_ground_truths() -> None:
    row = {"question": "q", "answer": "a", "contexts": ["c"], "ground_truths": ["g1", "g2"]}
    assert detected(row).reader.name == "ragas"
    assert read_one(row).reference == "g1\ng2"
    del row["ground_truths"]
    assert detected(row).reader.name == "canonical"
    assert detected({**row, "faithfulness": 0.5}).reader.name == "ragas"


@pytest.mark.parametrize(
    ("output", "retrieved", "expected"),
    [("actual_output", "retrieval_context", "expected_output"), ("actualOutput", "retrievalContext", "expectedOutput")],
    ids=["snake_case", "camelCase"],
)
def test_deepeval_test_cases_are_recognised_in_both_spellings(output: str, retrieved: str, expected: str) -> None:
    case = {"input": "q", output: "a", retrieved: ["c"], expected: "r", "context": ["gold"], "name": "case 1"}
    table = open_table(as_json([case]).replace(b"[", b'{"testCases": [', 1)[:-1] + b"]}", name="run.json")
    detection = detect(table)
    assert detection.reader.name == "deepeval"
    assert "ideal context" in detection.warnings[0]
    (sample,) = read_samples(table, detection.mapping)
    assert isinstance(sample, Sample)
    assert (sample.key, sample.question, sample.answer, texts(sample), sample.reference) == (
        "case 1", "q", "a", ["c"], "r",
    )  # fmt: skip
    assert sample.extra == {"context": ["gold"]}


def test_the_ideal_context_of_deepeval_is_never_taken_silently() -> None:
    goldens = b'{"goldens": [{"input": "q", "actual_output": "a", "context": ["gold"]}]}'
    table = open_table(goldens, name="goldens.json")
    detection = detect(table)
    assert detection.reader.name == "deepeval"
    assert detection.mapping.contexts == ()
    with pytest.raises(InvalidInput, match="'context' is the ideal context and was not used"):
        read_samples(table, detection.mapping)
    chosen = detection.mapping.override(parse_mapping(["contexts=context"], columns=table.columns))
    (sample,) = read_samples(table, chosen)
    assert texts(sample) == ["gold"]


def test_names_of_cases_that_repeat_are_no_ids() -> None:
    case = {"input": "q", "actual_output": "a", "retrieval_context": ["c"], "name": "same"}
    assert detect(open_table(as_jsonl([case, case]), name="x")).mapping.key is None


@pytest.mark.parametrize(
    ("question", "answer", "contexts", "key"),
    [
        ("question", "answer", "contexts", "id"),
        ("user_input", "response", "retrieved_contexts", "qid"),
        ("input", "actual_output", "retrieval_context", "key"),
        ("query", "response", "context", "question_id"),
        ("Query", "Response", "Passages", "ID"),
        ("prompt", "completion", "documents", "_id"),
        ("User Query", "Generated Answer", "Retrieved Documents", "Query-ID"),
        ("instruction", "modelOutput", "sourceDocuments", "exampleId"),
    ],
)
def test_columns_are_found_under_the_names_that_tools_give_them(
    question: str, answer: str, contexts: str, key: str
) -> None:
    table = open_table(
        as_delimited([{question: "q", answer: "a", contexts: "['c']", key: "7", "other": "x"}]), name="x"
    )
    mapping = detect(table).mapping
    assert (mapping.question, mapping.answer, mapping.contexts, mapping.key) == (question, answer, (contexts,), key)
    (sample,) = read_samples(table, mapping)
    assert isinstance(sample, Sample)
    assert (sample.key, sample.question, sample.answer, texts(sample)) == ("7", "q", "a", ["c"])
    assert sample.extra == {"other": "x"}


def test_a_second_column_that_could_be_the_answer_is_mentioned() -> None:
    detection = detected({"question": "q", "answer": "gold?", "response": "a", "contexts": ["c"]})
    assert detection.mapping.answer == "answer"
    assert detection.warnings == (
        "Read as the answer: 'answer'. By its name it could also be 'response'; if so, map that column.",
    )


def test_unknown_columns_are_not_guessed_at() -> None:
    detection = detected({"alpha": "x", "beta": "y"})
    assert detection.mapping == Mapping()
    with pytest.raises(
        InvalidInput,
        match=r"Which column holds the answer\? The columns of answers are alpha, beta",
    ):
        read(as_jsonl([{"alpha": "x", "beta": "y"}]))


def test_every_field_can_be_mapped_by_hand() -> None:
    row = {
        "c1": "q", "c2": "a", "c3": "claim", "c4": "chunk", "c5": "kb-1", "c6": "k", "c7": "s", "c8": "r",
        "c9": "2025-01-02",
    }  # fmt: skip
    table = open_table(as_delimited([row]), name="x.csv")
    items = [f"{field}=c{n}" for n, field in enumerate(FIELDS, start=1)]
    mapping = detect(table).mapping.override(parse_mapping(items, columns=table.columns))
    (sample,) = read_samples(table, mapping)
    assert isinstance(sample, Sample)
    assert (sample.question, sample.answer, sample.key, sample.segment, sample.reference) == (
        "q", "claim", "k", "s", "r",
    )  # fmt: skip
    assert [(chunk.chunk_id, chunk.text) for chunk in sample.chunks] == [("kb-1", "chunk")]
    assert sample.timestamp == datetime(2025, 1, 2, tzinfo=UTC)
    assert sample.extra == {"c2": "a"}


def test_a_column_mapped_by_hand_is_taken_from_where_the_detector_had_put_it() -> None:
    table = open_table(as_delimited([{"question": "q", "answer": "a", "context": "c", "id": "7"}]), name="x")
    mapping = detect(table).mapping.override(parse_mapping(["segment=id", "question="], columns=table.columns))
    assert (mapping.key, mapping.segment, mapping.question) == (None, "id", None)


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("answer", "The mapping 'answer' has no '='; write field=column, as in answer=response."),
        ("reply=answer", "There is no field 'reply' to map; the fields are question, answer, "),
        ("answer=reply", "There is no column 'reply' for answer; the columns are question, answer, a,b."),
        ("contexts=answer,nope", "There is no column 'nope' for contexts; the columns are question, answer, a,b."),
    ],
)
def test_a_mapping_of_what_does_not_exist_names_what_does(item: str, text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_mapping([item], columns=["question", "answer", "a,b"])
    assert text in str(error.value)


def test_a_field_mapped_twice_is_refused() -> None:
    with pytest.raises(InvalidInput, match="mapped twice"):
        parse_mapping(["answer=a", "answer=b"], columns=["a", "b"])


def test_a_column_whose_name_holds_a_comma_is_meant_as_it_stands() -> None:
    assert parse_mapping(["contexts=a,b"], columns=["a", "b", "a,b"]) == {"contexts": ("a,b",)}
    assert parse_mapping(["contexts=a,b"], columns=["a", "b"]) == {"contexts": ("a", "b")}


def test_only_the_first_of_very_many_columns_are_listed() -> None:
    with pytest.raises(InvalidInput, match=r"c29 and 70 more\."):
        parse_mapping(["answer=x"], columns=[f"c{n}" for n in range(100)])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_among_texts_full_of_the_others(delimiter: str) -> None:
    row = {"question": "a; b, c", "answer": "d, e; f, g | h\ti", "contexts": "j; k; l, m | n", "notes": "x"}
    (sample,), _ = read(as_delimited([row] * 3, delimiter=delimiter))[0][:1], None
    assert isinstance(sample, Sample)
    assert (sample.answer, texts(sample)) == (row["answer"], [row["contexts"]])


def test_the_separator_line_that_excel_writes_is_no_header() -> None:
    (sample,), _ = read(b"sep=;\r\nquestion;answer;contexts\r\nq;a;c\r\n")
    assert isinstance(sample, Sample)
    assert (sample.question, sample.answer, texts(sample)) == ("q", "a", ["c"])


def test_an_answer_that_is_a_message_gives_its_text_and_another_object_is_refused() -> None:
    rows: list[dict[str, Any]] = [
        {"answer": {"role": "assistant", "content": "a"}, "contexts": ["c"]},
        {"answer": {"tokens": 3}, "contexts": ["c"]},
        {"answer": ["a", "b"], "contexts": ["c"]},
    ]
    items, report = read(as_jsonl(rows))
    assert isinstance(items[0], Sample)
    assert items[0].answer == "a"
    assert [problem.reason for problem in report.problems] == [
        "the answer is an object without a text (keys: tokens)",
        "the answer is a list of 2 items instead of one text",
    ]
