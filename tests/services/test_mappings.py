"""Mappings of columns that are saved and offered again."""

import pytest

from faithview.domain.errors import InvalidInput, NotFound
from faithview.services.container import Store
from faithview.services.dataset_files import Dataset, open_dataset
from faithview.services.mappings import (
    delete_mapping,
    find_mappings,
    get_mapping,
    remember_columns,
    run_of_mapping,
    save_mapping,
    use_mapping,
)
from faithview.store.mappings import list_all
from tests.formats.made_files import as_jsonl
from tests.ui.browser.files import csv_of

ROW = {"reply": "It is so.", "ctx": "It is so.###It is red.", "grade": "0,5", "grounded": "1", "day": "05/06/2026"}
MAPS = ["answer=reply", "contexts=ctx", "context_separator=###", "score=grade", "date_order=day-first", "timestamp=day"]


def _opened(row: dict[str, str] = ROW) -> Dataset:
    return open_dataset(as_jsonl([row]), name="x.jsonl")


def test_a_saved_mapping_is_offered_for_the_same_columns_in_any_order(services: Store) -> None:
    dataset = _opened().remap(MAPS)
    assert save_mapping(services, "  Acme   logs ", dataset, author="ann@example.com") is False
    shuffled = open_dataset(csv_of([dict(reversed(ROW.items()))]), name="other.csv")
    (found,) = find_mappings(services, shuffled)
    assert (found.name, found.saved_by) == ("Acme logs", "ann@example.com")
    mapped = use_mapping(shuffled, found)
    assert mapped.mapping == dataset.mapping
    # What was asked about is answered: `grade` and `grounded` could each have been the score.
    assert mapped.open_questions(for_results=True) == ()
    assert mapped.has_results
    samples, _ = mapped.read()
    assert [chunk.text for chunk in samples[0].chunks] == ["It is so.", "It is red."]
    assert find_mappings(services, _opened({**ROW, "more": "1"})) == []


def test_a_name_is_one_mapping(services: Store) -> None:
    save_mapping(services, "a", _opened().remap(MAPS))
    assert save_mapping(services, "a", _opened().remap([*MAPS[:3], "score=grounded"])) is True
    (kept,) = list_all(services.db)
    assert kept.fields["score"] == ("grounded",)
    with pytest.raises(InvalidInput, match="'a' is taken by a mapping for other columns"):
        save_mapping(services, "a", _opened({"answer": "x", "contexts": "y"}))
    with pytest.raises(InvalidInput, match="needs 1 to 100 characters, not 0"):
        save_mapping(services, " \n", _opened().remap(MAPS))
    with pytest.raises(InvalidInput, match="cannot be stored"):
        save_mapping(services, "a\x00", _opened().remap(MAPS))


def test_a_mapping_that_does_not_fit_is_refused(services: Store) -> None:
    save_mapping(services, "a", _opened().remap(MAPS))
    other = _opened({"reply": "It is so.", "text": "It is so."})
    with pytest.raises(InvalidInput, match=r"'a' does not fit x\.jsonl: There is no column 'ctx' for contexts"):
        use_mapping(other, get_mapping(services, "a"))


def test_a_deleted_mapping_is_gone(services: Store) -> None:
    save_mapping(services, "a", _opened().remap(MAPS))
    delete_mapping(services, "a")
    assert list_all(services.db) == []
    with pytest.raises(NotFound, match="There is no saved mapping 'a'; no mapping is saved yet"):
        delete_mapping(services, "a")


def test_a_run_leaves_its_columns_for_the_next_file(services: Store) -> None:
    first = open_dataset(b"frage_x,text_x,belege_x\nQ?,A.,C.\n", name="first.csv")
    chosen = first.override({"answer": ("text_x",), "contexts": ("belege_x",)})
    remember_columns(services, chosen, "week 1")
    remember_columns(services, chosen, "week 2")  # says the same
    second = open_dataset(b"belege_x,frage_x,text_x\nC.,Q?,A.\n", name="second.csv")
    (found,) = find_mappings(services, second)
    assert run_of_mapping(found.name) == "week 1"
    assert use_mapping(second, found).mapping.contexts == ("belege_x",)
    assert run_of_mapping("mine") is None
    remember_columns(services, first.override({"answer": ("frage_x",)}), "x" * 200)  # too long a name: nothing is saved
    assert len(find_mappings(services, second)) == 1
