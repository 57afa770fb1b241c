"""What the new version has in place of a retrieved chunk: found by text, by id, as a part, or in several parts."""

from collections.abc import Sequence

import pytest

from faithview import Chunk
from faithview.domain.pairing import ChunkFacts
from faithview.domain.preflight import ChunkState
from faithview.services.container import Store
from faithview.services.knowledge.preflight.counterparts import Counterparts
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.store.knowledge import list_version

FIRST = "Items can be returned within 30 days of delivery, if they are unused and in their packaging."
SECOND = "The refund is paid to the card that was used for the order, within 5 working days."
THIRD = "Delivery costs 5 euros and takes 3 working days, and it is free of charge from 100 euros."
OTHER = "Gift cards are valid for 2 years and can be used in every shop of the company."


def _chunk(text: str, chunk_id: str, document: str = "a.md") -> Chunk:
    return Chunk(text=text, chunk_id=chunk_id, metadata={"document": document})


OLD = (
    _chunk(f"{FIRST} {SECOND}", "a-1"),
    _chunk(THIRD, "a-2"),
    _chunk(OTHER, "b-1", "b.md"),
)


def _find(
    services: Store, new: Sequence[Chunk], retrieved: str, *, chunk_id: str = "1", old: Sequence[Chunk] = OLD
) -> tuple[str, list[str]] | None:
    """Return the state of a retrieved text and what takes its place; None if it stays."""
    save_knowledge_base(services, "v1", old)
    counterparts = Counterparts(services, list_version(services.db, "v1"), new)
    chunk = Chunk(text=retrieved, chunk_id=chunk_id)
    facts = ChunkFacts(chunk_id=chunk_id, chunk_hash=chunk.chunk_hash, rank=1)
    found = counterparts.find_all([facts], {chunk.chunk_hash: retrieved})[chunk.chunk_hash]
    return None if found is None else (found.state.value, [new[at].text for at in found.new])


def test_an_unchanged_text_stays_wherever_it_is(services: Store) -> None:
    moved = (_chunk(OTHER, "z-9", "z.md"), _chunk(THIRD, "a-2"), _chunk(f"{FIRST} {SECOND}", "a-1"))
    assert _find(services, moved, OTHER) is None


def test_an_edited_text_is_replaced_by_its_new_form(services: Store) -> None:
    edited = THIRD.replace("5 euros", "7 euros")
    new = (OLD[0], _chunk(edited, "a-2"), OLD[2])
    assert _find(services, new, THIRD) == ("edited", [edited])


def test_a_chunk_with_another_text_is_found_by_its_own_id(services: Store) -> None:
    edited = THIRD.replace("5 euros", "7 euros")
    new = (OLD[0], _chunk(edited, "a-2"), OLD[2])
    assert _find(services, new, "Delivery: 5 euros, 3 days.", chunk_id="a-2") == ("edited", [edited])
    assert _find(services, OLD, "Delivery: 5 euros, 3 days.", chunk_id="a-2") is None
    # Numbers identify nothing.
    assert _find(services, new, "Delivery: 5 euros, 3 days.", chunk_id="2") == ("foreign", [])


def test_a_removed_text_has_no_counterpart(services: Store) -> None:
    assert _find(services, OLD[:2], OTHER) == ("removed", [])


@pytest.mark.parametrize("document", ["a.md", "a-2.md"])
def test_a_text_that_was_split_is_replaced_by_its_parts(document: str, services: Store) -> None:
    new = (_chunk(FIRST, "a-1"), _chunk(SECOND, "a-1b", document), *OLD[1:])
    assert _find(services, new, OLD[0].text) == ("edited", [FIRST, SECOND])


def test_a_text_that_was_joined_with_another_is_replaced_by_the_whole(services: Store) -> None:
    whole = f"{OLD[0].text}\n\n{THIRD}"
    new = (_chunk(whole, "a-1"), OLD[2])
    assert _find(services, new, THIRD) == ("edited", [whole])


def test_a_text_worded_alike_in_another_document_is_not_a_part(services: Store) -> None:
    old = [_chunk(f"The {name} plan includes {n} mailboxes for every team.", name, f"{name}.md") for name, n in PLANS]
    new = [*old[1:], _chunk("The Nova plan includes 9 mailboxes for every team.", "nova", "nova-and-more.md")]
    new.append(_chunk(OTHER, "nova-2", "nova-and-more.md"))
    assert _find(services, new, old[0].text, old=old) == ("removed", [])


PLANS = (("Solo", 2), ("Duo", 4), ("Trio", 8))


def test_a_part_of_a_passage_stays_if_the_new_form_has_it(services: Store) -> None:
    edited = f"{FIRST} The refund is paid to your account, within 5 working days."
    new = (_chunk(edited, "a-1"), *OLD[1:])
    assert _find(services, new, FIRST) is None
    assert _find(services, new, SECOND) == ("edited", [edited])
    assert _find(services, OLD, FIRST) is None


def test_a_chunk_that_contains_passages_gets_the_new_form_of_all_of_them(services: Store) -> None:
    edited = THIRD.replace("5 euros", "7 euros")
    new = (OLD[0], _chunk(edited, "a-2"), OLD[2])
    both = f"Title of the page\n\n{OLD[0].text}\n\n{THIRD}"
    assert _find(services, new, both) == ("edited", [OLD[0].text, edited])
    assert _find(services, OLD, both) is None


def test_a_text_that_the_stored_version_lacks_is_foreign(services: Store) -> None:
    assert _find(services, OLD, "Nothing of the kind is stored.") == (ChunkState.FOREIGN.value, [])
    assert _find(services, OLD, "") == (ChunkState.FOREIGN.value, [])


def test_new_passages_are_those_whose_texts_are_new(services: Store) -> None:
    save_knowledge_base(services, "v1", OLD)
    new = (*OLD, _chunk("Something new is written here.", "c-1", "c.md"), _chunk(OTHER, "d-1", "d.md"))
    counterparts = Counterparts(services, list_version(services.db, "v1"), new)
    assert [new[at].text for at in counterparts.new_passages] == ["Something new is written here."]
