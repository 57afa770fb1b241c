"""Columns with odd names, guessed from names and cells; and those that are asked about."""

from collections.abc import Mapping

import pytest

from faithview.formats.read import detect, open_table
from faithview.formats.readers import by_name
from faithview.formats.rows.guess_columns import ColumnGuess, guess_columns
from tests.formats.made_files import as_delimited, as_jsonl

_QUESTIONS = (
    "How many members may join an inbox?",
    "How do I close my account?",
    "When are invoices sent to us?",
    "Can I extend a link?",
    "Who may delete a folder?",
    "Is there a discount for schools?",
)
_ANSWERS = (
    "Shared inboxes hold up to 20 members.",
    "You can close your account in the settings menu.",
    "Invoices are sent on the first day of each month.",
    "Links expire after 14 days unless they are extended.",
    "Only owners may delete a folder and its documents.",
    "Schools get a discount of 30 percent on every plan.",
)
_HUMAN = (
    "It is twenty people, I think, but ask the sales team.",
    "Go to your profile page, and then write us an email.",
    "We usually post them out at the beginning of a quarter.",
    "That is not possible at the moment, sorry about that.",
    "Everybody in the workspace could do that last time.",
    "There was one in spring, it may have ended by now.",
)
_CHUNKS = tuple(
    f"{answer} Read the handbook for more on this topic. Support is open on weekdays." for answer in _ANSWERS
)
_LISTS = tuple([chunk, "Parking is free for all of our guests."] for chunk in _CHUNKS)
_AREAS = ("billing", "inbox", "billing", "links", "inbox", "billing")
_DAYS = tuple(f"2026-10-{day:02} 09:15" for day in range(11, 17))


def _guess(*columns: tuple[str, tuple[object, ...]], csv: bool = True) -> ColumnGuess:
    rows = [{name: cells[at] for name, cells in columns} for at in range(6)]
    table = open_table(as_delimited(rows) if csv else as_jsonl(rows), name="odd")
    detection = detect(table)
    return guess_columns(table.columns, table.head, detection.mapping, by_tool=detection.reader.name != by_name.SCHEMA)


def _fields(guess: ColumnGuess) -> dict[str, object]:
    mapping = guess.mapping
    fields: Mapping[str, object] = {
        "question": mapping.question,
        "answer": mapping.answer,
        "contexts": ",".join(mapping.contexts),
        "key": mapping.key,
        "segment": mapping.segment,
        "timestamp": mapping.timestamp,
        "reference": mapping.reference,
    }
    return {name: column for name, column in fields.items() if column}


# Each row: the columns with their cells, and what they are to be guessed as.
_ODD: list[tuple[str, tuple[tuple[str, tuple[object, ...]], ...], dict[str, str]]] = [
    (
        "one letter each",
        (("q", _QUESTIONS), ("ans", _ANSWERS), ("ctx", _LISTS)),
        {"question": "q", "answer": "ans", "contexts": "ctx"},
    ),
    (
        "names of a trace",
        (
            ("trace.uuid", ("a1", "b2", "c3", "d4", "e5", "f6")),
            ("userUtterance", _QUESTIONS),
            ("llmOutput", _ANSWERS),
            ("llmOutputTokens", (11, 12, 13, 11, 12, 19)),
            ("retrievedSnippets", _LISTS),
            ("latency_ms", (812, 915, 1002, 700, 655, 800)),
            ("startTime", _DAYS),
        ),
        {
            "question": "userUtterance",
            "answer": "llmOutput",
            "contexts": "retrievedSnippets",
            "timestamp": "startTime",
        },
    ),
    (
        "names that say nothing: the cells say it",
        (("col_x", _QUESTIONS), ("col_y", _ANSWERS), ("col_z", _LISTS), ("col_t", _DAYS)),
        {"question": "col_x", "answer": "col_y", "contexts": "col_z", "timestamp": "col_t"},
    ),
    (
        "numbers and scores named like an answer are none",
        (
            ("question", _QUESTIONS),
            ("response_time", (1.2, 0.8, 0.9, 1.4, 2.0, 0.7)),
            ("answer_id", ("a1", "a2", "a3", "a4", "a5", "a6")),
            ("reply_quality", ("good", "bad", "good", "good", "bad", "good")),
            ("bot_text_reply", _ANSWERS),
            ("docs_found", _LISTS),
        ),
        {"question": "question", "answer": "bot_text_reply", "contexts": "docs_found", "key": "answer_id"},
    ),
    (
        "a time that is a duration is none",
        (
            ("question", _QUESTIONS),
            ("answer", _ANSWERS),
            ("contexts", _LISTS),
            ("time", ("0.8 s", "0.9 s", "1.1 s", "0.4 s", "0.5 s", "2.0 s")),
        ),
        {"question": "question", "answer": "answer", "contexts": "contexts"},
    ),
    (
        "tags are no passages",
        (
            ("tags", tuple(["billing", "urgent"] for _ in range(6))),
            ("frage", _QUESTIONS),
            ("antwort", _ANSWERS),
            ("kb_passages_used", _LISTS),
        ),
        {"question": "frage", "answer": "antwort", "contexts": "kb_passages_used"},
    ),
]


@pytest.mark.parametrize(("columns", "fields"), [row[1:] for row in _ODD], ids=[row[0] for row in _ODD])
@pytest.mark.parametrize("csv", [True, False], ids=["csv", "jsonl"])
def test_odd_columns_are_guessed(
    columns: tuple[tuple[str, tuple[object, ...]], ...], fields: dict[str, str], csv: bool
) -> None:
    guess = _guess(*columns, csv=csv)
    assert _fields(guess) == fields
    assert guess.competing == {}


def test_a_guess_says_why_and_what_a_name_says_is_no_guess() -> None:
    guess = _guess(("question", _QUESTIONS), ("bot_reply", _ANSWERS), ("col_z", _LISTS))
    assert guess.guessed == {"bot_reply": "by its content", "col_z": "by its content"}


def test_of_two_texts_a_clearly_longer_one_has_the_chunks() -> None:
    guess = _guess(("customer_msg", _QUESTIONS), ("bot_reply", _ANSWERS), ("ctx_blob", _CHUNKS))
    assert (guess.mapping.answer, guess.mapping.contexts) == ("bot_reply", ("ctx_blob",))
    assert guess.guessed["ctx_blob"] == "by its length"


@pytest.mark.parametrize(
    ("columns", "asked"),
    [
        ((("bot_reply", _ANSWERS), ("agent_reply", _HUMAN), ("ctx", _LISTS)), {"answer": ("bot_reply", "agent_reply")}),
        ((("gold_reply", _ANSWERS), ("bot_reply", _HUMAN)), {"answer": ("gold_reply", "bot_reply")}),
        ((("answer", _ANSWERS), ("output", _HUMAN), ("ctx", _LISTS)), {"answer": ("answer", "output")}),
        (
            (("bot_reply", _ANSWERS), ("ctx_old", _LISTS), ("ctx_new", _LISTS[::-1])),
            {"contexts": ("ctx_old", "ctx_new")},
        ),
        (
            (("reply", _ANSWERS), ("ctx", _LISTS), ("col_a", _DAYS), ("col_b", _DAYS[::-1])),
            {"timestamp": ("col_a", "col_b")},
        ),
    ],
)
def test_columns_that_compete_are_asked_about(
    columns: tuple[tuple[str, tuple[object, ...]], ...], asked: dict[str, tuple[str, ...]]
) -> None:
    guess = _guess(*columns)
    assert guess.competing == asked
    assert not {column for rivals in asked.values() for column in rivals} & guess.mapping.columns


def test_a_rival_by_name_that_cannot_be_the_answer_is_none() -> None:
    guess = _guess(
        ("answer", _ANSWERS), ("result", ("pass", "fail", "pass", "pass", "fail", "pass")), ("contexts", _LISTS)
    )
    assert (guess.mapping.answer, guess.competing) == ("answer", {})


def test_where_a_tool_wrote_the_file_its_columns_stand() -> None:
    guess = _guess(
        ("user_input", _QUESTIONS), ("response", _ANSWERS), ("reference_contexts", _LISTS), ("passage_text", _CHUNKS)
    )
    assert guess.mapping.contexts == ()
    both = _guess(
        ("input", _QUESTIONS), ("actual_output", _ANSWERS), ("retrieval_context", _LISTS), ("context", _LISTS[::-1])
    )
    assert (both.mapping.contexts, both.competing) == (("retrieval_context",), {})


def _step(name: str, output: object) -> dict[str, object]:
    return {"name": name, "output": output}


@pytest.mark.parametrize(
    "cells",
    [
        [[_step("search", [chunk]), _step("reply", answer)] for chunk, answer in zip(_CHUNKS, _ANSWERS, strict=True)],
        [[_step("reply", {"text": answer})] for answer in _ANSWERS],
        [
            [{"role": "system", "content": chunk}, {"role": "assistant", "content": answer}]
            for chunk, answer in zip(_CHUNKS, _ANSWERS, strict=True)
        ],
        [[chunk, answer] for chunk, answer in zip(_CHUNKS, _ANSWERS, strict=True)],
        [f"User: {asked} Bot: {answer}" for asked, answer in zip(_QUESTIONS, _ANSWERS, strict=True)],
        list(_ANSWERS),
    ],
    ids=["steps", "steps with objects", "messages", "texts", "a conversation", "a copy"],
)
@pytest.mark.parametrize("name", ["log", "retrieval_log"])
@pytest.mark.parametrize("csv", [True, False], ids=["csv", "jsonl"])
def test_a_column_with_the_answers_own_text_is_never_taken_for_the_chunks(
    cells: list[object], name: str, csv: bool
) -> None:
    guess = _guess(("question", _QUESTIONS), ("answer", _ANSWERS), (name, tuple(cells)), csv=csv)
    assert (guess.mapping.contexts, guess.competing.get("contexts"), guess.mapping.answer) == ((), None, "answer")


def test_chunks_that_contain_the_answer_among_more_are_chunks() -> None:
    objects = tuple(
        [{"text": chunk, "metadata": {"summary": answer}}] for chunk, answer in zip(_CHUNKS, _ANSWERS, strict=True)
    )
    assert _guess(("question", _QUESTIONS), ("bot_reply", _ANSWERS), ("ctx", objects)).mapping.contexts == ("ctx",)


_HEADERS = [
    ("Frage", "Antwort", "Kontext"),
    ("FRAGE:", "ANTWORT:", "Kontexte"),
    ("Question", "Réponse", "Contexte"),
    ("Question posée", "Réponse du bot", "Extraits"),
    ("Pregunta", "Respuesta", "Fragmentos"),
    ("Pregunta del cliente", "Respuesta del bot", "Documentos recuperados"),
]


@pytest.mark.parametrize("names", _HEADERS, ids=" ".join)
def test_german_french_and_spanish_headers_are_known(names: tuple[str, str, str]) -> None:
    guess = _guess(*zip(names, (_QUESTIONS, _ANSWERS, _CHUNKS), strict=True))
    assert _fields(guess) == dict(zip(("question", "answer", "contexts"), names, strict=True))


def test_an_expected_answer_in_another_language_is_the_reference() -> None:
    for expected, answer in (
        ("Musterantwort", "Antwort"),
        ("Réponse attendue", "Réponse"),
        ("Respuesta esperada", "Respuesta"),
    ):
        guess = _guess(("Frage", _QUESTIONS), (expected, _HUMAN), (answer, _ANSWERS), ("Kontext", _LISTS))
        assert (guess.mapping.reference, guess.mapping.answer) == (expected, answer)


def test_sources_that_are_addresses_are_no_chunks() -> None:
    pages = tuple(f"https://help.example.com/{number}" for number in range(6))
    assert _guess(("Frage", _QUESTIONS), ("Antwort", _ANSWERS), ("Quellen", pages)).mapping.contexts == ()
