"""Two versions side by side with the claims of two runs: what is planted in them is found, on both engines."""

from datetime import timedelta

import pytest

from faithview import Chunk
from faithview.domain.errors import InvalidInput, NotFound
from faithview.domain.knowledge import DocumentChangeKind
from faithview.services.container import Store
from faithview.services.events import add_event
from faithview.services.knowledge.changes import (
    KnowledgeChanges,
    Outcome,
    compare_knowledge,
    compare_versions,
    list_claims,
    load_passages,
)
from faithview.services.knowledge.versions import find_runs_of_versions, list_steps, save_knowledge_base
from faithview.services.results import get_run
from tests.factories import NOW, C, N, P, S, make_chunks, make_claim, make_row, store_rows

HOURS = "The office opens at 9 am on weekdays and closes at 5 pm."
NEW_HOURS = "The office opens at 10 am on weekdays and closes at 5 pm."
PARKING = "Parking is free for all guests of the house."
DOGS = "Dogs must be kept on a lead in the garden."
POOL = "The pool is heated from May to September every year."


def _versions(services: Store) -> None:
    old = {"hours": HOURS, "park": PARKING, "dogs": DOGS}
    new = {"hours": NEW_HOURS, "park": PARKING, "pool": POOL}
    for version, chunks in (("v1", old), ("v2", new)):
        save_knowledge_base(services, version, make_chunks(chunks))


def _runs(services: Store, *, old_version: str | None = "v1", new_version: str | None = "v2") -> None:
    everything = {"hours": HOURS, "park": PARKING, "dogs": DOGS}
    now = {"hours": NEW_HOURS, "park": PARKING, "pool": POOL}
    old = [
        make_row(everything, make_claim("Opens at 9.", S, "hours"), make_claim("Free.", S, "park"), key="a"),
        make_row(
            everything, make_claim("Dogs on a lead.", S, "dogs"), make_claim("Closed Mondays.", C, "hours"), key="b"
        ),
        make_row({"park": PARKING}, make_claim("Vans too.", N), key="c", question="Vans?"),
        make_row(everything, make_claim("Opens at 10.", C, "hours"), key="d", question="Ten?"),
    ]
    new = [
        make_row(now, make_claim("Opens at 9.", C, "hours"), make_claim("Free.", P, "park"), key="a"),
        make_row(now, make_claim("Dogs on a lead.", N), make_claim("The pool is heated all year.", C, "pool"), key="b"),
        make_row({"park": PARKING}, make_claim("Vans too.", S, "park"), key="c", question="Vans?"),
        make_row(
            now,
            make_claim("Opens at 10.", S, "hours"),
            make_claim("Heated pool in winter.", N),
            key="d",
            question="Ten?",
        ),
    ]
    store_rows(services, "old", old, kb_version=old_version)
    store_rows(services, "new", new, week=1, kb_version=new_version)


def _summary(changes: KnowledgeChanges) -> dict[str, tuple[str, int, int, list[tuple[str, str]]]]:
    return {
        one.document.name: (
            one.document.kind.value,
            one.before,
            one.after,
            [(claim.key, claim.outcome.value) for claim in one.claims],
        )
        for one in changes.changed
    }


def test_planted_changes_are_found_with_the_claims_that_rest_on_them(services: Store) -> None:
    _versions(services)
    _runs(services)
    changes = compare_knowledge(services, "old", "new")
    assert changes.is_stored
    assert changes.documents.unchanged == 1
    assert _summary(changes) == {
        "hours": ("edited", 3, 2, [("a", "broke"), ("d", "fixed"), ("b", "dropped")]),
        # Cites none: its words are those of the pool.
        "pool": ("added", 0, 2, [("b", "new_unsupported"), ("d", "new_unsupported")]),
        "dogs": ("removed", 1, 0, [("b", "broke")]),
    }
    assert (changes.pairs, changes.broken, changes.all_broken) == (4, 4, 5)
    assert (changes.fixed, changes.all_fixed) == (2, 3)
    # "Free." broke on a chunk that is the same, in an answer that retrieved the new hours and the pool.
    assert changes.broken_beside == 1
    beside = {one.document.name: [(c.key, c.outcome) for c in one.beside] for one in changes.changed}
    assert beside["pool"] == beside["hours"] == [("a", Outcome.BROKE)]


def test_a_document_opens_with_both_texts_and_its_claims_with_both_verdicts(services: Store) -> None:
    _versions(services)
    _runs(services)
    changes = compare_knowledge(services, "old", "new")
    hours = next(one for one in changes.changed if one.document.name == "hours")
    (passage,) = load_passages(services, hours.document)
    assert (passage.before, passage.after) == (HOURS, NEW_HOURS)
    first, *_ = list_claims(services, hours.claims)
    assert first.before is not None
    assert first.after is not None
    assert (first.before.text, first.before.verdict) == ("Opens at 9.", S)
    assert (first.after.text, first.after.verdict) == ("Opens at 9.", C)


@pytest.mark.parametrize("versions", [("v1", "v2"), (None, None)])
def test_without_stored_versions_it_is_what_answers_retrieved(
    services: Store, versions: tuple[str | None, str | None]
) -> None:
    _runs(services, old_version=versions[0], new_version=versions[1])
    changes = compare_knowledge(services, "old", "new")
    assert not changes.is_stored
    assert {name: kind for name, (kind, *_) in _summary(changes).items()} == {
        "hours": "edited",
        "pool": "added",
        "dogs": "removed",
    }
    assert changes.foreign == 0


def test_a_version_stored_later_takes_the_place_of_what_was_seen(services: Store) -> None:
    _runs(services)
    assert not compare_knowledge(services, "old", "new").is_stored
    _versions(services)
    assert compare_knowledge(services, "old", "new").is_stored


def test_parts_of_stored_documents_belong_to_them_where_the_part_itself_changed(services: Store) -> None:
    save_knowledge_base(services, "v1", [Chunk(text=f"{PARKING}\n{HOURS}", chunk_id="guide")])
    save_knowledge_base(services, "v2", [Chunk(text=f"{PARKING}\n{NEW_HOURS}", chunk_id="guide")])
    before = [
        make_row({"1": HOURS, "2": PARKING}, make_claim("Opens at 9.", S, "1"), make_claim("Free.", S, "2"), key="a")
    ]
    after = [
        make_row(
            {"1": NEW_HOURS, "2": PARKING, "3": "Nobody stored this."},
            make_claim("Opens at 9.", C, "1"),
            make_claim("Free.", P, "2"),
            key="a",
        )
    ]
    store_rows(services, "old", before, kb_version="v1")
    store_rows(services, "new", after, week=1, kb_version="v2")
    changes = compare_knowledge(services, "old", "new")
    (guide,) = changes.changed
    (claim,) = list_claims(services, guide.claims)
    assert (claim.claim.outcome, claim.before and claim.before.number) == (Outcome.BROKE, 1)
    assert changes.foreign == 1


def test_versions_are_compared_without_runs_and_a_missing_one_is_named(services: Store) -> None:
    _versions(services)
    found = compare_versions(services, "v1", "v2")
    assert {one.name: one.kind for one in found.changed} == {
        "hours": DocumentChangeKind.EDITED,
        "pool": DocumentChangeKind.ADDED,
        "dogs": DocumentChangeKind.REMOVED,
    }
    with pytest.raises(NotFound, match="Knowledge base 'v3' is not stored"):
        compare_versions(services, "v1", "v3")
    _runs(services)
    with pytest.raises(InvalidInput, match="cannot be compared with itself"):
        compare_knowledge(services, "old", "old")


def test_the_runs_around_an_update_are_found(services: Store) -> None:
    _versions(services)
    _runs(services)
    event = add_event(services, "Hours changed", at=NOW + timedelta(days=2), kb_version="v2")
    (step,) = list_steps(services, series=get_run(services, "new").series)
    assert (step.event.label, step.baseline.run_id, step.candidate.run_id) == (event.label, "old", "new")
    runs = find_runs_of_versions(services, "v1", "v2")
    assert runs is not None
    assert [run.run_id for run in runs] == ["old", "new"]
    assert find_runs_of_versions(services, "v2", "v1") is None
