"""A file on the command line and on Upload: the same columns, separators and rows, and one message for what is open."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.cli.conftest import Command
from tests.formats.made_files import as_delimited, as_jsonl, as_xlsx

_ROWS = [
    ("How many members may join?", "Inboxes hold up to 20 members.", "Shared inboxes hold up to 20 members each."),
    (
        "When are invoices sent?",
        "Invoices are sent on the first day.",
        "Invoices are sent on the first day of a month.",
    ),
    ("Who may delete a folder?", "Only owners may delete a folder.", "Only owners may delete a folder and its files."),
]
_OTHER = "Parking is free for all of our guests here."


def named(*names: str, cell: str = "{}") -> list[dict[str, Any]]:
    """Rows with the question, the answer and a chunk under these names."""
    return [dict(zip(names, (asked, answer, cell.format(chunk)), strict=True)) for asked, answer, chunk in _ROWS]


def _page(path: str) -> None:
    from pathlib import Path

    import streamlit as st

    from faithview.services.dataset_files import open_dataset
    from faithview.ui.upload.column_roles import choose_columns
    from faithview.ui.upload.uploaded_file import choose_rows, choose_separator

    chosen = choose_columns(open_dataset(Path(path)), for_results=False)
    if chosen.questions:
        st.json({"asked": list(chosen.questions)})
        st.stop()
    dataset, is_settled = choose_rows(chosen.dataset)
    samples = choose_separator(dataset).read()[0] if is_settled else []
    st.json([[s.question, s.answer, [chunk.text for chunk in s.chunks]] for s in samples])


def on_upload(path: Path) -> Any:
    app = AppTest.from_function(_page, args=(str(path),), default_timeout=30).run()
    assert not app.exception
    return json.loads(app.json[0].value)


_ALIKE: dict[str, tuple[bytes, int]] = {
    "|||": (as_delimited(named("question", "answer", "context", cell="{} ||| " + _OTHER)), 2),
    "---": (as_delimited(named("question", "answer", "context", cell="{}\n---\n" + _OTHER)), 2),
    "odd names": (as_delimited(named("customer_msg", "bot_reply", "ctx_blob")), 1),
    "by content": (
        as_jsonl([{"a1": q, "b2": a, "c3": [chunk, _OTHER]} for q, a, chunk in _ROWS]),
        2,
    ),
    "German": (as_delimited(named("Frage", "Antwort", "Quellen"), delimiter=";"), 1),
    "a title above": (b"Export of the bot\n\n" + as_delimited(named("question", "answer", "context")), 1),
    "a title with cells": (b"Export,of the bot,\n" + as_delimited(named("Pregunta", "Respuesta", "Contexto")), 1),
    "one row per chunk": (
        as_delimited([{**row, "rank": rank, "context": f"{row['context']} {rank}"}
                      for row in named("question", "answer", "context") for rank in (1, 2)]),
        2,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("content", "chunks"), _ALIKE.values(), ids=_ALIKE)
def test_the_command_line_and_upload_read_a_file_alike(
    faithview: Command, tmp_path: Path, content: bytes, chunks: int
) -> None:
    path = tmp_path / "answers.dat"
    path.write_bytes(content)
    run = faithview("evaluate", path, "--judge", "lexical", "--json")
    assert run.status == 0, run.err
    out = tmp_path / "out.jsonl"
    faithview("export", run.document["run_id"], "--format", "jsonl", "-o", out)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    read = [[row["question"], row["answer"], [chunk["text"] for chunk in row["chunks"]]] for row in rows]
    assert [(asked, answer, len(texts)) for asked, answer, texts in read] == [(q, a, chunks) for q, a, _ in _ROWS]
    assert read == on_upload(path)


def test_what_was_guessed_is_named_with_the_option_that_says_otherwise(faithview: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(as_delimited(named("customer_msg", "bot_reply", "ctx_blob", cell="{} ||| " + _OTHER)))
    for more in ((), ("--preview",)):
        said = faithview("evaluate", path, "--judge", "lexical", *more).err
        assert "note: answer is read from 'bot_reply', guessed" not in said
        assert "note: answer is read from 'bot_reply', by its name and content; --map answer=COLUMN names" in said
        assert "note: Chunks are separated by '|||'; --map context_separator= keeps" in said
    whole = faithview("evaluate", path, "--judge", "lexical", "--map", "context_separator=", "--preview", "--json")
    assert [len(row["chunks"]) for row in whole.document["rows"]] == [1, 1, 1]


def test_all_that_is_open_is_asked_in_one_message_with_a_line_to_copy(
    faithview: Command, tmp_path: Path, store: Path
) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(as_delimited([{"a": "yes", "b": "no", "c": 1}, {"a": "no", "b": "yes", "c": 2}]))
    for command, fields in (("evaluate", "question answer contexts"), ("import", "question answer contexts score")):
        asked = faithview(command, path)
        assert (asked.status, asked.out, asked.err.count("\n"), store.exists()) == (2, "", 1, False)
        line = " ".join(f"--map {field}=COLUMN" for field in fields.split())
        assert f"Name them with {line} (the columns of x.csv are a, b, c)." in asked.err
        assert "question: Which column holds the question, if any?" in faithview(command, path, "--preview").err


def test_columns_that_compete_are_asked_about_with_what_is_missing(faithview: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = [{"bot_reply": a, "agent_reply": f"Well, {a}", "n": 1} for _, a, _ in _ROWS]
    path.write_bytes(as_delimited(rows))
    said = faithview("evaluate", path).err
    assert "'bot_reply' and 'agent_reply' could each be the answer." in said
    line = re.search(r"with ((?:--map \S+ ?)+)\(", said)
    assert line is not None
    assert line[1].split() == [
        "--map", "question=COLUMN", "--map", "answer=bot_reply", "--map", "contexts=COLUMN",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (
            "contexts=hits._source.body",
            "The path 'hits._source.body' for contexts matches nothing in any row of x.jsonl",
        ),
        ("contexts=hits.0.missing", "'hits.0' has _source"),
        ("answer=reply.txet", "'reply' has text"),
        ("reference=reply.gold", "for reference"),
        ("score=reply.score", "for score"),
    ],
)
def test_a_path_that_finds_nothing_in_any_row_is_refused(
    faithview: Command, tmp_path: Path, store: Path, option: str, words: str
) -> None:
    path = tmp_path / "x.jsonl"
    rows = [{"q": q, "reply": {"text": a}, "hits": [{"_source": {"text": c}}], "ok": 1} for q, a, c in _ROWS]
    path.write_bytes(as_jsonl(rows))
    maps = {"question": "q", "answer": "reply.text", "contexts": "hits._source.text", "score": "ok"}
    maps |= dict([option.split("=")])
    options = [word for field, column in maps.items() for word in ("--map", f"{field}={column}")]
    refused = faithview("import" if option.startswith("score") else "evaluate", path, *options)
    assert (refused.status, words in refused.err, store.exists()) == (2, True, False), refused.err


def test_a_path_walks_the_lists_on_its_way(faithview: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    hits = [[{"_source": {"body": c}}, {"_source": {"body": _OTHER}}] for _, _, c in _ROWS]
    rows = [{"question": q, "answer": a, "hits": found} for (q, a, _), found in zip(_ROWS, hits, strict=True)]
    path.write_bytes(as_jsonl(rows))
    shown = faithview("evaluate", path, "--map", "contexts=hits._source.body", "--preview", "--json").document
    assert [[chunk["text"] for chunk in row["chunks"]] for row in shown["rows"]] == [[c, _OTHER] for _, _, c in _ROWS]


@pytest.mark.parametrize("title", [[["Export"]], [["Export", None, None], [], ["of 2026"]], [["Export", "2026"]]])
def test_a_title_above_the_header_of_a_workbook_is_left_out(
    faithview: Command, tmp_path: Path, title: list[list[str | None]]
) -> None:
    import openpyxl

    path = tmp_path / "x.xlsx"
    path.write_bytes(as_xlsx(named("question", "answer", "context")))
    book = openpyxl.load_workbook(path)
    book.active.insert_rows(1, len(title))
    for at, cells in enumerate(title, start=1):
        for column, cell in enumerate(cells, start=1):
            book.active.cell(at, column, cell)
    book.save(path)
    shown = faithview("evaluate", path, "--preview", "--json").document
    assert [row["answer"] for row in shown["rows"]] == [a for _, a, _ in _ROWS]
    assert shown["notes"][0].startswith("Left out above the header: 'Export")
