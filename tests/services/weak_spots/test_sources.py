"""The board of the worst chunks."""

from dataclasses import replace

import pytest

from faithview import Chunk, Sample
from faithview.domain.answer import View
from faithview.services.container import Store
from faithview.services.results import list_runs
from faithview.services.weak_spots.sources import (
    ChunkFault,
    ChunkPart,
    Fault,
    chunk_texts,
    list_citations,
    load_board,
)
from tests.factories import C, N, P, S, add_judged_run, make_claim, make_row, say, store_rows

HOURS = "The office opens at 9 am on weekdays."
PARKING = "Parking is free for all guests of the house."
DOGS = "Dogs must be kept on a lead in the garden."


def _board(
    services: Store, run_id: str, fault: Fault, *, by_document: bool = False
) -> list[tuple[str, int, float | None]]:
    found = load_board(services, run_id, by_document=by_document).faults[fault]
    return [(item.name, item.count, item.share) for item in found]


@pytest.fixture
def stored(services: Store) -> Store:
    both = {"hours": HOURS, "park": PARKING}
    rows = [
        make_row(both, make_claim("Opens at 10.", C, "hours"), make_claim("Free.", S, "park"), key="a"),
        make_row(
            {**both, "dogs": DOGS}, make_claim("Opens at 9.", S, "hours"), make_claim("Vans too.", P, "park"), key="b"
        ),
        make_row({"dogs": DOGS}, make_claim("Cats.", N), key="c"),
    ]
    store_rows(services, "run", rows)
    return services


def test_board_names_the_chunks_that_claims_cite_in_vain(stored: Store) -> None:
    assert _board(stored, "run", Fault.CONTRADICTED) == [("hours", 1, 0.5)]
    assert _board(stored, "run", Fault.NOT_SUPPORTING) == [("park", 1, 0.5)]
    assert _board(stored, "run", Fault.UNUSED) == [("dogs", 2, None)]
    assert load_board(stored, "run").faults[Fault.UNUSED][0].text == DOGS


def test_board_follows_people_s_verdicts_where_they_are_asked_for(stored: Store) -> None:
    say(stored, "run", 1, 1, "supported")
    say(stored, "run", 2, 2, "not_a_claim")
    reviewed = load_board(stored, "run", view=View.REVIEWED).faults
    assert reviewed[Fault.CONTRADICTED] == reviewed[Fault.NOT_SUPPORTING] == ()
    assert _board(stored, "run", Fault.CONTRADICTED) == [("hours", 1, 0.5)]


def test_documents_sum_their_chunks(services: Store) -> None:
    chunks = tuple(
        Chunk(text=text, chunk_id=name, metadata={"source": "guide.md"})
        for name, text in (("g1", HOURS), ("g2", PARKING))
    )
    sample, result = make_row({"g1": HOURS, "g2": PARKING}, make_claim("At 10.", C, "g1"), make_claim("No.", C, "g2"))
    store_rows(services, "run", [(Sample(answer=sample.answer, chunks=chunks, key="a"), result)])
    assert _board(services, "run", Fault.CONTRADICTED, by_document=True) == [("guide.md", 2, 1.0)]


@pytest.fixture
def judged(services: Store) -> Store:
    sample = Sample(
        answer="The office opens at 9 am on weekdays. Parking is free for all guests of the house.",
        chunks=(
            Chunk(text=HOURS, chunk_id="hours"),
            Chunk(text=PARKING, chunk_id="park"),
            Chunk(text=f"Good to know: {PARKING}", chunk_id="more"),
        ),
        key="a",
    )
    add_judged_run(services, [sample])
    return services


def test_board_says_what_it_rests_on_and_what_it_leaves_out(stored: Store) -> None:
    board = load_board(stored, "run", limit=1)
    assert (board.retrieved, board.cited, board.claims, board.citing, board.undocumented) == (3, 2, 5, 4, 3)
    assert board.totals == {
        Fault.CONTRADICTED: 1,
        Fault.NOT_SUPPORTING: 1,
        Fault.UNUSED: 1,
    }


def test_claims_that_cite_a_chunk_come_gravest_first_by_the_view(stored: Store) -> None:
    (item,) = load_board(stored, "run").faults[Fault.CONTRADICTED]
    found = list_citations(stored, "run", item, Fault.CONTRADICTED)
    assert [(one.key, one.number, one.text, one.verdict) for one in found] == [
        ("a", 1, "Opens at 10.", C),
        ("b", 1, "Opens at 9.", S),
    ]
    say(stored, "run", 1, 1, "not_a_claim")
    reviewed = list_citations(stored, "run", item, Fault.CONTRADICTED, view=View.REVIEWED)
    assert [(one.key, one.verdict) for one in reviewed] == [("b", S)]


def test_the_gravest_claims_of_a_document_are_found_among_all_its_chunks(services: Store) -> None:
    rows, grave = 1_100, {7: N, 600: C, 1_050: P}  # more chunks than a statement asks for at once, in several orders
    stored = []
    for at in range(rows):
        names = {f"c{at}": f"Chunk {at}.", f"d{at}": f"Other {at}."}
        claims = [make_claim(f"Claim {at}.", grave.get(at, S), *names)]
        sample, result = make_row(names, *claims, key=f"k{at}")
        chunks = tuple(replace(chunk, metadata={"source": "wiki"}) for chunk in sample.chunks)
        stored.append((replace(sample, chunks=chunks), result))
    store_rows(services, "run", stored)
    (item,) = load_board(services, "run", by_document=True).faults[Fault.CONTRADICTED]
    assert (item.name, item.chunks) == ("wiki", 2 * rows)
    found = list_citations(services, "run", item, Fault.CONTRADICTED, limit=5)
    assert [(one.key, one.verdict) for one in found] == [
        ("k600", C),
        ("k7", N),
        ("k1050", P),
        ("k0", S),
        ("k1", S),
    ]
    answers = list_citations(services, "run", item, Fault.UNUSED, limit=3)
    assert [one.row for one in answers] == [1, 2, 3]
    assert len(chunk_texts(services, item)) == 2 * rows
    assert len(chunk_texts(services, item, limit=2)) == 2


def test_a_chunk_that_no_claim_cites_leads_to_the_answers_that_retrieved_it(stored: Store) -> None:
    (item,) = load_board(stored, "run").faults[Fault.UNUSED]
    found = list_citations(stored, "run", item, Fault.UNUSED)
    assert [(one.row, one.key, one.number) for one in found] == [(2, "b", None), (3, "c", None)]
    assert [one.key for one in list_citations(stored, "run", item, Fault.UNUSED, limit=1)] == ["b"]


def test_chunks_without_ids_are_called_by_their_first_words_and_kept_apart(services: Store) -> None:
    rows = [
        make_row({"1": HOURS, "2": PARKING}, make_claim("Opens at 10.", C, "1"), key="a"),
        make_row({"1": DOGS, "2": HOURS}, make_claim("Cats too.", C, "1"), key="b"),
    ]
    store_rows(services, "run", rows)
    for by_document in (False, True):
        found = load_board(services, "run", by_document=by_document)
        assert {item.name for item in found.faults[Fault.CONTRADICTED]} == {HOURS, "Dogs must be kept on a lead in…"}
        assert (found.retrieved, found.cited) == (3, 2)


def test_claims_come_with_the_sentences_that_they_rest_on(judged: Store) -> None:
    run_id = list_runs(judged)[0].run_id
    everything = ChunkFault(
        name="",
        document=None,
        count=0,
        share=None,
        retrieved=0,
        cited=0,
        chunks=3,
        text_id=None,
        parts=tuple(ChunkPart(f"{at}", at) for at in (1, 2, 3)),
    )
    cited = list_citations(judged, run_id, everything, Fault.CONTRADICTED)
    assert {words for one in cited for _, words in one.quotes} >= {HOURS, PARKING}


def test_a_source_is_found_where_its_claims_are_supported_less_often_than_chance_allows(services: Store) -> None:
    both = {"hours": HOURS, "park": PARKING}
    rows = [
        make_row(
            both,
            make_claim(f"Opens at {at}.", C if at < 8 else S, "hours"),
            make_claim(f"Free for {at}.", S if at else C, "park"),
            key=f"k{at}",
            question=f"Number {at}?",
        )
        for at in range(20)
    ]
    store_rows(services, "run", rows)
    board = load_board(services, "run")
    assert board.tested == 2
    assert board.lowest is not None
    fault, item, figures = board.lowest
    assert (fault, item.name, item.count, item.cited) == (Fault.CONTRADICTED, "hours", 8, 20)
    assert (figures.mean, figures.elsewhere, figures.questions) == (0.6, 0.95, 20)
    store_rows(services, "few", rows[:2])
    few = load_board(services, "few")
    assert (few.tested, few.lowest) == (0, None)
