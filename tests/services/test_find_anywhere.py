"""A few words find runs, chunks, answers and claims, a few of each."""

from faithview import Sample
from faithview.services.container import Store
from faithview.services.find_anywhere import MOST_OF_A_KIND, HitKind, find_anywhere
from tests.factories import HOSTILE, add_judged_run, make_chunks

_CHUNKS = make_chunks({"kb-1": "Trays hold 40 conversations."})


def _sample(number: int) -> Sample:
    return Sample(
        answer=f"Trays hold 50 conversations in team {number}.",
        question=f"How many in tray {number}?",
        chunks=_CHUNKS,
        key=f"t{number}",
    )


def test_words_find_runs_answers_and_claims_with_their_places(services: Store) -> None:
    run = add_judged_run(services, [_sample(1)], "Tray week")
    found = find_anywhere(services, "  TRAY ", within=run)
    assert [(hit.kind, hit.key) for hit in found] == [
        (HitKind.RUN, None),
        (HitKind.ANSWER, "t1"),
        (HitKind.CLAIM, "t1"),
    ]
    claims = find_anywhere(services, "conversations team", within=None)
    assert [(hit.kind, hit.run_id, hit.key, hit.claim_number) for hit in claims] == [
        (HitKind.CLAIM, run.run_id, "t1", 1)
    ]


def test_a_chunk_is_found_by_its_whole_id(services: Store) -> None:
    run = add_judged_run(services, [Sample(answer="Trays hold 40 conversations.", chunks=_CHUNKS, key="t")], "week")
    assert [(hit.kind, hit.key, hit.note) for hit in find_anywhere(services, "kb-1", within=run)] == [
        (HitKind.CHUNK, "kb-1", "cited in 1 answer of week")
    ]
    assert find_anywhere(services, "kb-", within=run) == []


def test_of_each_kind_a_few_are_listed(services: Store) -> None:
    run = add_judged_run(services, [_sample(number) for number in range(9)], "week")
    kinds = [hit.kind for hit in find_anywhere(services, "team", within=run)]
    assert [kinds.count(kind) for kind in (HitKind.ANSWER, HitKind.CLAIM)] == [MOST_OF_A_KIND, MOST_OF_A_KIND]


def test_nothing_is_found_for_no_words_or_for_what_no_store_can_hold(services: Store) -> None:
    run = add_judged_run(services, [_sample(1)], "week")
    for words in ("", "  ", "\x00", "%", "zebra", HOSTILE):
        assert find_anywhere(services, words, within=run) == [], words
