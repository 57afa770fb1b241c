"""The help-desk answers hold together, and their card says what is in them."""

import gzip
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.helpdesk import DRILLS, TEXTS, HelpdeskAnswer, Part, read_answers

_SHARED = Path(__file__).parents[3] / "shared" / "bench" / "helpdesk.jsonl.gz"
_STYLES = {"extractive", "paraphrase", "summary", "terse", "chatty", "list", "table", "steps", "abstention"}


@pytest.fixture(scope="module")
def answers() -> list[HelpdeskAnswer]:
    return read_answers()


def test_every_answer_has_chunks_a_style_and_changes_that_change_something(answers: list[HelpdeskAnswer]) -> None:
    assert {answer.style for answer in answers} <= _STYLES
    for answer in answers:
        assert answer.answer
        assert answer.question
        assert answer.chunks
        for change in (*answer.errors, *answer.traps):
            words = answer.answer[change.start : change.end]
            assert words, answer.answer_id
            assert words != change.becomes, answer.answer_id


def test_ids_are_unique_and_no_document_is_in_two_parts(answers: list[HelpdeskAnswer]) -> None:
    assert len({answer.answer_id for answer in answers}) == len(answers)
    parts: dict[tuple[str, str], set[Part]] = {}
    for answer in answers:
        parts.setdefault((answer.domain, answer.doc), set()).add(answer.part)
    assert all(len(found) == 1 for found in parts.values())


def test_the_card_counts_what_is_there(answers: list[HelpdeskAnswer]) -> None:
    card = (TEXTS / "README.md").read_text(encoding="utf-8")
    for part in Part:
        own = [answer for answer in answers if answer.part is part]
        types = Counter(error.type for answer in own for error in answer.errors)
        row = re.search(rf"\| `{part}` \|([^\n]*)\|", card)
        assert row is not None
        figures = [int(cell.replace(",", "")) for cell in row[1].split("|")[:8]]
        assert figures == [
            len(own),
            len({(answer.domain, answer.doc) for answer in own}),
            sum(bool(answer.errors) for answer in own),
            *(types[name] for name in ("contradiction", "conflation", "invention", "extrapolation")),
            sum(len(answer.traps) for answer in own),
        ]
    assert f"{len(answers):,} answers" in card


def test_the_rows_are_a_labelled_file(answers: list[HelpdeskAnswer]) -> None:
    row = json.loads(json.dumps(answers[0].row()))
    assert set(row) >= {"id", "source", "task", "question", "chunks", "answer", "claim", "label", "spans"}
    wrong = next(answer for answer in answers if answer.errors)
    assert wrong.row()["label"] == 0


@pytest.mark.skipif(not _SHARED.exists(), reason="the labelled files are not beside this checkout")
def test_the_first_answers_are_those_of_the_shared_file(answers: list[HelpdeskAnswer]) -> None:
    by_text = {(answer.question, answer.answer): answer for answer in answers}
    with gzip.open(_SHARED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        answer = by_text[row["question"], row["answer"]]
        assert list(answer.chunks) == [chunk.strip() for chunk in row["chunks"]]
        assert [(e.start, e.end) for e in answer.errors] == [(s["start"], s["end"]) for s in row["spans"]]


def test_a_broken_mark_is_named_with_its_place(tmp_path: Path) -> None:
    text = "=== doc d\n--- chunk c\nText.\n--- answer terse | c\nQ: what?\nA: A ⟦b⇒c⟧ d"
    (tmp_path / "broken.txt").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.txt:4: a mark is broken"):
        read_answers(tmp_path)


def test_every_drill_has_changes_and_the_card_counts_them() -> None:
    drills = read_answers(DRILLS)
    assert all(drill.errors or drill.traps for drill in drills)
    assert all(len(drill.errors) <= 1 for drill in drills)
    documents = {(drill.domain, drill.doc) for drill in drills}
    card = (TEXTS / "README.md").read_text(encoding="utf-8")
    assert f"{len(drills):,} single statements about {len(documents)} more documents" in card
