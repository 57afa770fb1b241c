"""Contradictions inside a knowledge base, on small bases, on the bundled ones and on planted passages."""

from pathlib import Path

import pytest

from faithview import Chunk
from faithview.domain.contradiction import ContradictionKind
from faithview.services.knowledge.contradictions import find_contradictions
from faithview.services.knowledge.versions import read_knowledge_base
from tests.planted import Found, read_planted

_KB = Path(__file__).parents[3] / "data" / "kb"
HANDING = "Hand over up to 40 conversations at once with the button Move."
LIMITS = "# Limits\n\nUp to 30 conversations can be handed over at once."


def _chunks(*texts: str) -> list[Chunk]:
    return [Chunk(text=text, chunk_id=f"c{number}") for number, text in enumerate(texts)]


def test_both_passages_are_given_with_the_words_in_their_texts() -> None:
    (found,) = find_contradictions(
        [
            Chunk(text=HANDING, chunk_id="move", metadata={"title": "Moving", "url": "kb/move"}),
            Chunk(text=LIMITS, chunk_id="limits"),
        ]
    )
    assert found.kind is ContradictionKind.NUMBER
    assert 0 < found.closeness <= 1
    assert [(side.chunk_id, side.words.of(side.text)) for side in (found.one, found.other)] == [
        ("move", "40"),
        ("limits", "30"),
    ]
    assert found.one.title == "Moving"
    assert found.other.statement.of(found.other.text) == "Up to 30 conversations can be handed over at once."
    assert found.one.text == HANDING, "the passage is given as it is"


def test_the_order_of_chunks_changes_neither_what_is_found_nor_its_id() -> None:
    texts = (HANDING, "Reports are sent every Monday.", LIMITS, "A workspace has one owner.")
    forth, back = find_contradictions(_chunks(*texts)), find_contradictions(_chunks(*texts[::-1]))
    assert [one.key for one in forth] == [one.key for one in back]
    assert len({one.key for one in forth}) == 1


def test_equal_passages_are_compared_once() -> None:
    assert len(find_contradictions(_chunks(HANDING, LIMITS, HANDING, LIMITS))) == 1


def test_passages_with_other_plans_in_their_metadata_are_no_contradiction() -> None:
    chunks = [
        Chunk(text=text, chunk_id=plan, metadata={"plan": plan})
        for text, plan in ((HANDING, "team"), (LIMITS, "scale"))
    ]
    assert find_contradictions(chunks) == []


@pytest.mark.parametrize("texts", [(), ("",), ("One.",), ("…", "\n\n", "12", "| a |\n| --- |"), (HANDING,)])
def test_bases_with_nothing_to_compare(texts: tuple[str, ...]) -> None:
    assert find_contradictions(_chunks(*texts)) == []


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    find_contradictions(_chunks(HANDING, LIMITS), on_progress=lambda *what: told.append(what))
    assert [what for what, _, _ in told] == ["Reading chunks", "Comparing statements"]
    assert all(0 <= done <= total for _, done, total in told)


@pytest.mark.parametrize(
    ("version", "parties"), [("2026-09", []), ("2026-10", ["kb-056-1", "kb-060-1"]), ("2026-11", [])]
)
def test_the_bundled_versions(version: str, parties: list[str]) -> None:
    chunks, _ = read_knowledge_base(_KB / f"kb-{version}.jsonl")
    assert [side.chunk_id for one in find_contradictions(chunks) for side in (one.one, one.other)] == parties


def test_most_planted_contradictions_are_found_and_few_others() -> None:
    found = Found()
    for base in read_planted("", ["saas", "telecom", "hrhandbook"]):
        found.add(base, find_contradictions(base.chunks))
    planted = len(found.found) + len(found.missed)
    assert len(found.found) >= 0.7 * planted, [one.name for one in found.missed]
    assert len(found.others) <= 0.2 * len(found.found), [one.key for one in found.others]
