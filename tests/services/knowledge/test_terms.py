"""New words for known things."""

import tomllib
from pathlib import Path

import pytest

from faithview import Chunk
from faithview.services.knowledge.terms import find_terms
from faithview.services.knowledge.versions import read_knowledge_base

_DATA = Path(__file__).parents[3] / "data"
QUEUE = (
    "Each team has a queue. Open the queue and accept a conversation.",
    "A queue shows waiting conversations. The queue is empty at night.",
    "Put a conversation into the queue of another team, with a note.",
    "The queue has up to 20 members. A member can leave the queue.",
    "Invoices are sent by e-mail on the first day of the month.",
)
BASKET = (
    "Each team has a basket. Open the basket and accept a conversation.",
    "A basket shows waiting conversations. The basket is empty at night.",
    "Put a conversation into the basket of another team, with a note.",
)
QUESTIONS = ("Who can accept a conversation from the queue?", "Is the queue of my team empty?")


def _chunks(*texts: str) -> list[Chunk]:
    return [Chunk(text=text, chunk_id=f"c{number}") for number, text in enumerate(texts)]


def test_a_new_word_is_shown_with_the_known_one_it_may_stand_for() -> None:
    (term,) = find_terms(_chunks(*QUEUE), _chunks(*QUEUE, *BASKET), QUESTIONS)
    assert (term.word, term.uses, term.passages) == ("basket", 5, 3)
    assert term.known[0].word == "queue"
    assert term.known[0].is_in_documents
    assert term.known[0].is_in_questions
    assert "basket" in term.example
    assert term.documents


def test_a_word_that_people_ask_with_is_not_new() -> None:
    assert find_terms(_chunks(*QUEUE), _chunks(*QUEUE, *BASKET), [*QUESTIONS, "Where is my basket?"]) == []


@pytest.mark.parametrize(
    ("old", "new"), [((), QUEUE), (QUEUE, QUEUE), (QUEUE, ()), (QUEUE, (*QUEUE, BASKET[0])), ((), ())]
)
def test_nothing_is_shown_without_two_versions_or_for_a_rare_word(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    assert find_terms(_chunks(*old), _chunks(*new), QUESTIONS) == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("2026-09", "2026-10", {"lane", "tray", "Relay"}),
        ("2026-10", "2026-11", set()),
        ("2026-09", "2026-09", set()),
    ],
)
def test_the_bundled_updates(before: str, after: str, words: set[str]) -> None:
    old, new = (read_knowledge_base(_DATA / "kb" / f"kb-{version}.jsonl")[0] for version in (before, after))
    questions = [
        one["q"]
        for path in sorted((_DATA / "source" / "questions").glob("*.toml"))
        for one in tomllib.loads(path.read_text(encoding="utf-8"))["question"]
    ]
    found = find_terms(old, new, questions)
    assert {term.word for term in found} == words
    assert all(term.known[0].word in {"transfer", "inbox", "handover"} for term in found)
