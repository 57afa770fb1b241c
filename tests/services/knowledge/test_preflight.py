"""What an update would break: planted changes are found, and what only looks like a change is not."""

from collections.abc import Sequence

import pytest

from faithview import Chunk, Verdict
from faithview.domain import certainty
from faithview.domain.comparison import Cause
from faithview.domain.errors import InvalidInput, JudgeUnavailable, NotFound
from faithview.domain.run import JudgeSpec, Run, RunStatus
from faithview.services.comparison.compare import compare_runs, get_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import list_broken
from faithview.services.container import Store
from faithview.services.knowledge.changes import compare_knowledge
from faithview.services.knowledge.preflight import (
    begin_preflight,
    find_run_to_check,
    list_preflights,
    plan_preflight,
)
from faithview.services.knowledge.replaced_chunks import find_replaced
from faithview.services.knowledge.versions import delete_knowledge_base, save_knowledge_base
from faithview.services.results import cancel_run, delete_run, get_progress, get_run, list_runs
from faithview.services.runs.create import judge_here
from faithview.services.trends import TrendQuery, load_trend
from faithview.store.compared_answers import StoredChunk, load_answers, load_contexts
from faithview.store.knowledge import list_version
from faithview.store.series import list_series
from tests.factories import S, add_judged_run, make_claim, make_row, store_rows
from tests.services.knowledge.preflight_cases import (
    BREAKING,
    GIFTS,
    HARMLESS,
    KNOWLEDGE,
    RETURNS,
    add_run,
    check,
    chunks_of,
    samples,
    updated,
)


def _broken(services: Store, found: Comparison) -> dict[str, Cause]:
    """Return the answers of which a claim broke, with the cause."""
    claims = list_broken(services, found, found.changes)
    return {
        change.key: claim.cause
        for change in found.changes
        for claim in claims[change.baseline_row, change.candidate_row]
        if claim.delta < 0
    }


@pytest.mark.parametrize("kind", BREAKING)
def test_a_claim_breaks_whose_evidence_is_edited_or_removed(kind: str, services: Store) -> None:
    texts, key, cause = BREAKING[kind]
    found = check(services, add_run(services), chunks_of(texts))
    assert found is not None
    assert _broken(services, found) == {key: cause}
    assert (found.difference.pairs, found.difference.baseline, found.difference.candidate) == (2, 1, 0.5)
    documents = compare_knowledge(services, found.baseline.run_id, found.candidate.run_id).changed
    assert [one.document.name for one in documents if one.broken] == [f"{key}.md"]
    change = next(one for one in found.changes if one.key == key)
    pair = get_pair(services, found, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    assert pair.before.sample.chunks[0].text == KNOWLEDGE[key]
    assert texts.get(key, pair.after.sample.chunks[0].text) == pair.after.sample.chunks[0].text


@pytest.mark.parametrize("kind", HARMLESS)
def test_nothing_breaks_if_the_same_is_still_said(kind: str, services: Store) -> None:
    found = check(services, add_run(services), HARMLESS[kind])
    is_unchanged = kind in ("nothing changes", "documents are renamed", "ids change", "white space changes")
    assert (found is None) or not is_unchanged
    assert found is None or _broken(services, found) == {}


def test_without_chunk_ids_texts_are_enough(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    rows = [*samples(has_ids=False)]
    for at, row in enumerate(rows, start=1):
        object.__setattr__(row, "key", str(at))  # numbers identify nothing
        object.__setattr__(row, "question", None)
    run = add_judged_run(services, rows, kb_version="v1")
    found = check(services, run, chunks_of(updated(gifts=None, delivery="All of it is written in other words now.")))
    assert found is not None
    assert _broken(services, found) == {"4": Cause.DOCUMENT_REMOVED, "2": Cause.DOCUMENT_EDITED}
    assert found.pairing.only_in_baseline == found.pairing.only_in_candidate == ()


def test_an_answer_without_any_chunk_left_breaks(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    rows = [make_row({"gifts": GIFTS}, make_claim("Gift cards are valid for 2 years.", S, "gifts"), key="a")]
    run = store_rows(services, "old", rows, kb_version="v1")
    found = check(services, run, chunks_of(updated(gifts=None)))
    assert found is not None
    assert _broken(services, found) == {"a": Cause.DOCUMENT_REMOVED}
    assert found.difference.candidate == 0


def test_a_claim_is_fixed_that_the_new_version_supports(services: Store) -> None:
    texts = updated(returns=RETURNS.replace("30 days", "14 days"))
    save_knowledge_base(services, "v1", chunks_of(texts))
    run = add_judged_run(services, samples(texts), kb_version="v1")
    found = check(services, run, chunks_of(KNOWLEDGE))
    assert found is not None
    assert (found.difference.improved, found.difference.regressed) == (1, 0)
    assert [(cause.cause, cause.fixed) for cause in found.causes] == [(Cause.DOCUMENT_EDITED, 1)]


def test_a_claim_that_the_judge_only_doubts_stays_if_its_numbers_are_there(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certainty, "_EVEN", 0.0)  # every verdict of the default judge leans to support
    new = updated(
        returns=RETURNS.replace("30 days", "14 days"),  # a number of the claim is gone
        addresses="5 is a number. One of the addresses of your account is the default address.",
        gifts=None,
    )
    found = check(services, add_run(services), chunks_of(new))
    assert found is not None
    assert set(_broken(services, found)) == {"returns", "gifts"}


def test_another_judge_judges_the_answers_with_both_versions(services: Store) -> None:
    run = add_run(services)
    new = chunks_of(updated(returns=RETURNS.replace("30 days", "14 days")))
    plan = plan_preflight(services, run.run_id, new, judge=JudgeSpec(name="lexical"))
    pair = begin_preflight(services, plan)
    assert pair is not None
    assert [one.status for one in pair] == [RunStatus.PENDING, RunStatus.PENDING]
    judge_here(services, pair[1])
    found = compare_runs(services, pair[0].run_id, pair[1].run_id)
    assert [one.judge.name for one in (found.baseline, found.candidate)] == ["lexical", "lexical"]
    assert found.cautions == ()
    assert set(_broken(services, found)) == {"returns"}


def test_the_runs_of_a_preflight_are_in_no_list_and_go_with_their_run(services: Store) -> None:
    run = add_run(services)
    series = list_series(services.db)
    found = check(services, run, chunks_of(updated(gifts=None)), new_version="v2")
    assert found is not None
    assert (found.baseline.name, found.candidate.name) == (f"{run.name}, affected answers", f"{run.name} on v2")
    for archived in (False, True, None):
        assert {one.run_id for one in list_runs(services, archived=archived)} <= {run.run_id}
    assert list_series(services.db) == series
    assert [len(line.points) for line in load_trend(services, TrendQuery()).lines] == [1]
    assert [pair[1].run_id for pair in list_preflights(services)] == [found.candidate.run_id]
    delete_run(services, found.baseline.run_id)
    assert list_preflights(services) == []
    again = check(services, run, chunks_of(updated(gifts=None)))
    assert again is not None
    delete_run(services, run.run_id)
    for gone in (run, again.baseline, again.candidate):
        with pytest.raises(NotFound):
            get_run(services, gone.run_id)


def test_a_stopped_preflight_continues_and_a_finished_one_is_not_done_again(services: Store) -> None:
    run = add_run(services)
    new = chunks_of({name: text.replace(".", "!") for name, text in KNOWLEDGE.items()})
    pair = begin_preflight(services, plan_preflight(services, run.run_id, new))
    assert pair is not None
    after = pair[1]
    judge_here(services, after, concurrency=1, on_judged=lambda *_: cancel_run(services, after.run_id))
    progress = get_progress(services, pair[1].run_id)
    assert 1 <= progress.done <= progress.total == 4
    again = begin_preflight(services, plan_preflight(services, run.run_id, new))
    assert again is not None
    assert [one.run_id for one in again] == [one.run_id for one in pair]
    judged: list[int] = []
    judge_here(services, again[1], on_judged=lambda row, _: judged.append(row))
    assert len(judged) == 4 - progress.done
    assert len(list_preflights(services)) == 1


def test_bad_input_ends_in_one_sentence_that_says_what_to_do(services: Store) -> None:
    run = add_run(services)
    new = chunks_of(KNOWLEDGE)

    def refuses(run_id: str, words: str, error: type[Exception] = InvalidInput, **options: object) -> None:
        with pytest.raises(error, match=words):
            plan_preflight(services, run_id, new, **options)  # type: ignore[arg-type]  # its options, by name

    refuses("nowhere", "no run 'nowhere'", NotFound)
    refuses(run.run_id, "used knowledge base 'v1', not 'v0'", kb_version="v0")
    with pytest.raises(InvalidInput, match="has no chunks"):
        plan_preflight(services, run.run_id, [])
    bare = add_judged_run(services, samples(), name="bare")
    refuses("bare", r"does not say which version.*--kb-version")
    assert plan_preflight(services, "bare", new, kb_version="v1").kb_version == "v1"
    refuses(bare.run_id, r"'v9' is not stored.*faithview kb add", NotFound, kb_version="v9")
    other = [make_row({"1": "Nothing of this is stored."}, make_claim("Nothing.", S, "1"), key="a")]
    store_rows(services, "other", other, kb_version="v1")
    refuses("other", r"None of the chunks that run .* retrieved is in knowledge base 'v1'")
    store_rows(services, "empty", [make_row({"gifts": GIFTS}, key="a")], kb_version="v1")
    refuses("empty", "has no judged claims")
    rows = [make_row({"gifts": GIFTS}, make_claim("Gift cards are valid for 2 years.", S, "gifts"), key="a")]
    store_rows(services, "imported", rows, kb_version="v1", judge=JudgeSpec(name="ragas", method="imported"))
    refuses("imported", r"were imported.*--judge embedded", JudgeUnavailable)


def test_the_run_is_the_newest_one_of_a_stored_version(services: Store) -> None:
    with pytest.raises(NotFound, match="No complete run used a stored knowledge base"):
        find_run_to_check(services)
    run = add_run(services)
    add_judged_run(services, samples(), name="later", kb_version="v2")
    check(services, run, chunks_of(updated(gifts=None)), new_version="v1")  # its runs are never the newest
    assert find_run_to_check(services).run_id == run.run_id
    delete_knowledge_base(services, "v1")
    with pytest.raises(NotFound):
        find_run_to_check(services)


FIRST = "Items can be returned within 30 days of delivery, if they are unused and in their packaging."
SECOND = "The refund is paid to the card that was used for the order, within 5 working days."
THIRD = "Delivery costs 5 euros and takes 3 working days, and it is free of charge from 100 euros."
OTHER = "Gift cards are valid for 2 years and can be used in every shop of the company."
CHEAPER = THIRD.replace("5 euros", "7 euros")
STAYS, FOREIGN = "stays", "foreign"


def _chunk(text: str, chunk_id: str, document: str = "a.md") -> Chunk:
    return Chunk(text=text, chunk_id=chunk_id, metadata={"document": document})


OLD = (_chunk(f"{FIRST} {SECOND}", "a-1"), _chunk(THIRD, "a-2"), _chunk(OTHER, "b-1", "b.md"))


def _find(services: Store, new: Sequence[Chunk], retrieved: str, *, chunk_id: str = "1") -> str | None:
    """Return the text that takes the place of a retrieved one; None if nothing does."""
    save_knowledge_base(services, "v1", OLD)
    run = _retrieving(services, retrieved, chunk_id)
    (answer,) = load_answers(services.db, run.run_id)
    (chunk,) = load_contexts(services.db, [answer.sample_id])[answer.sample_id]
    chunks: dict[str, StoredChunk] = {chunk.chunk_hash: chunk}
    found = find_replaced(services, list_version(services.db, "v1"), new, chunks)
    if found.foreign:
        return FOREIGN
    if not found.changed:
        return STAYS
    _, now = found.found[chunk.chunk_hash]
    return None if now is None else now.text


def _retrieving(services: Store, text: str, chunk_id: str) -> Run:
    row = make_row({chunk_id: text}, make_claim("So it is.", Verdict.NOT_MENTIONED), key="a")
    return store_rows(services, "run", [row], kb_version="v1")


NEW = (OLD[0], _chunk(CHEAPER, "a-2"), OLD[2])


@pytest.mark.parametrize(
    ("new", "retrieved", "chunk_id", "expected"),
    [
        ((_chunk(OTHER, "z-9", "z.md"), OLD[1], OLD[0]), OTHER, "1", STAYS),
        (NEW, THIRD, "1", CHEAPER),
        (NEW, "Delivery: 5 euros, 3 days.", "a-2", CHEAPER),
        (OLD, "Delivery: 5 euros, 3 days.", "a-2", STAYS),
        (NEW, "Delivery: 5 euros, 3 days.", "2", FOREIGN),  # numbers identify nothing
        (OLD[:2], OTHER, "1", None),
        ((_chunk(FIRST, "a-1"), _chunk(SECOND, "a-1b"), *OLD[1:]), OLD[0].text, "1", f"{FIRST}\n\n{SECOND}"),
        ((_chunk(FIRST, "a-1"), _chunk(SECOND, "n", "n.md"), *OLD[1:]), OLD[0].text, "1", f"{FIRST}\n\n{SECOND}"),
        ((_chunk(f"{OLD[0].text}\n\n{THIRD}", "a-1"), OLD[2]), THIRD, "1", f"{OLD[0].text}\n\n{THIRD}"),
        ((_chunk(f"{FIRST} It is paid out.", "a-1"), *OLD[1:]), FIRST, "1", STAYS),
        ((_chunk(f"{FIRST} It is paid out.", "a-1"), *OLD[1:]), SECOND, "1", f"{FIRST} It is paid out."),
        (NEW, f"A title\n\n{OLD[0].text}\n\n{THIRD}", "1", f"{OLD[0].text}\n\n{CHEAPER}"),
        (OLD, f"A title\n\n{OLD[0].text}\n\n{THIRD}", "1", STAYS),
        (OLD, "Nothing of the kind is stored.", "1", FOREIGN),
    ],
)
def test_a_retrieved_chunk_is_found_in_the_new_version(
    new: Sequence[Chunk], retrieved: str, chunk_id: str, expected: str | None, services: Store
) -> None:
    assert _find(services, new, retrieved, chunk_id=chunk_id) == expected
