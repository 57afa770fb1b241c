"""The rows of a data set on both databases: searched, tagged, held out, and written to files that read back."""

import pytest

from faithview import Chunk, Sample
from faithview.domain.dataset import NamedDataset, Part, RowFilter
from faithview.domain.errors import InvalidInput
from faithview.services import datasets
from faithview.services.container import Store
from faithview.store import datasets as stored_datasets
from tests.factories import LEXICAL, add_run

ROWS = [
    Sample.of("Twenty members.", ["A shared inbox holds up to 20 members."], question="How many?", key="r1"),
    Sample.of("Fifty.", ["ÜBER: nothing"], question="how  many?", key="r2"),
    Sample(
        answer="Ask STRASSE support.", chunks=(Chunk(text="Help desk", chunk_id="kb-1"),), key="r3", reference="ref"
    ),
    Sample(answer="100 %_", question=" ", key="r4"),
]


@pytest.fixture
def dataset(services: Store) -> NamedDataset:
    add_run(services, ROWS, "Help", judge=LEXICAL)
    return datasets.get_dataset(services, "Help")


def _keys(services: Store, dataset: NamedDataset, **filters: object) -> list[str]:
    wanted = RowFilter(**filters)  # type: ignore[arg-type]  # a test's shorthand
    version = datasets.get_version(dataset)
    found = [
        row.sample.key
        for row in stored_datasets.list_rows(services.db, dataset.dataset_id, version.version_id, wanted, limit=10)
    ]
    assert stored_datasets.count_rows(services.db, dataset.dataset_id, version.version_id, wanted) == len(found)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HOW", ["r1", "r2"]),
        ("über", ["r2"]),
        ("straße", ["r3"]),
        ("help desk", ["r3"]),
        ("ref", ["r3"]),
        ("%_", ["r4"]),
    ],
)
def test_a_search_finds_texts_of_any_case_in_questions_answers_references_and_chunks(
    services: Store, dataset: NamedDataset, text: str, expected: list[str]
) -> None:
    assert _keys(services, dataset, search=text) == expected


def test_tags_belong_to_what_is_asked_and_stay_in_later_versions(services: Store, dataset: NamedDataset) -> None:
    version = datasets.get_version(dataset)
    subjects = datasets.find_subjects(services, dataset, version, RowFilter(keys=("r1", "r3")))
    assert datasets.add_tag(services, dataset, subjects, "  hard  one", by="ada") == 2
    assert datasets.add_tag(services, dataset, subjects, "hard one", by="bob") == 0
    # r2 asks what r1 asks.
    assert _keys(services, dataset, tag="hard one") == ["r1", "r2", "r3"]
    anew = [Sample.of("Another answer.", ["new"], question="How many?", key="n1"), *ROWS[2:]]
    add_run(services, anew, "Help 2", judge=LEXICAL)
    newer = datasets.get_dataset(services, "Help")
    assert len(newer.versions) == 2
    assert _keys(services, newer, tag="hard one") == ["n1", "r3"]
    assert newer.tags == (("hard one", 2),)
    assert datasets.remove_tag(services, newer, subjects[:1], "hard one") == 1
    assert _keys(services, newer, tag="hard one") == ["r3"]
    for tag in (" ", "x" * 101, "\x00"):
        with pytest.raises(InvalidInput):
            datasets.add_tag(services, newer, subjects, tag, by="ada")


def test_held_out_rows_are_one_part_and_the_others_the_rest(services: Store, dataset: NamedDataset) -> None:
    version = datasets.get_version(dataset)
    subjects = datasets.find_subjects(services, dataset, version, RowFilter(search="twenty"))
    assert datasets.hold_out(services, dataset, subjects, by="ada") == 1
    assert _keys(services, dataset, part=Part.HELD_OUT) == ["r1", "r2"]
    assert _keys(services, dataset, part=Part.REST) == ["r3", "r4"]
    assert stored_datasets.list_held_out(services.db) == set(subjects)
    counts = datasets.count_parts(services, dataset, version)
    assert (counts.rows, counts.questions, counts.held_out_rows, counts.held_out_questions) == (4, 3, 2, 1)
    assert datasets.hold_out_share(services, dataset, version, 0.5, by="ada") == 1
    assert datasets.release(services, dataset, subjects) == 1
    assert datasets.count_parts(services, dataset, version).held_out_questions == 1
    with pytest.raises(InvalidInput, match="share"):
        datasets.hold_out_share(services, dataset, version, 1.5, by="ada")
    with pytest.raises(InvalidInput, match="no row 'r9'"):
        datasets.find_subjects(services, dataset, version, RowFilter(keys=("r1", "r9")))
    with pytest.raises(InvalidInput, match="No row"):
        datasets.find_subjects(services, dataset, version, RowFilter(search="nowhere"))


def test_rows_are_read_from_one_run_though_a_newer_one_has_them_in_another_order(
    services: Store, dataset: NamedDataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "_PAGE", 2)
    found = datasets.iterate_rows(services, dataset, datasets.get_version(dataset), RowFilter())
    keys = [next(found).sample.key]
    add_run(services, ROWS[::-1], "again", judge=LEXICAL)
    keys += [row.sample.key for row in found]
    assert keys == ["r1", "r2", "r3", "r4"]
