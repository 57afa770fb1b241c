"""What an update would break: planted changes are found, and what only looks like a change is not."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from faithview import Chunk, Verdict
from faithview.domain import certainty
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput, JudgeUnavailable, NotFound
from faithview.domain.preflight import EnteringPassage, Outcome, PreflightResult, Reason
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.knowledge.preflight import preflights
from faithview.services.knowledge.preflight.plan import find_run_to_check, make_plan
from faithview.services.knowledge.preflight.preflights import (
    get_preflight,
    get_progress,
    judge_preflight,
    list_preflights,
    save_plan,
    to_chunks,
)
from faithview.services.knowledge.versions import delete_knowledge_base, save_knowledge_base
from faithview.services.results import delete_run
from faithview.store.preflights import load_judged, load_plan
from tests.factories import C, N, S, add_judged_run, make_claim, make_row, say, store_rows
from tests.services.knowledge.preflight.planted import (
    ADDRESSES,
    DELIVERY,
    GIFTS,
    KNOWLEDGE,
    RETURNS,
    add_run,
    check,
    chunks_of,
    samples,
)


def _outcomes(result: PreflightResult) -> dict[str, tuple[Outcome, Reason]]:
    return {claim.key: (claim.outcome, claim.reason) for claim in result.claims}


def _updated(**texts: str | None) -> dict[str, str]:
    return {name: text for name, text in {**KNOWLEDGE, **texts}.items() if text is not None}


BREAKING: Mapping[str, tuple[dict[str, str], dict[str, tuple[Outcome, Reason]]]] = {
    "a number changes": (
        _updated(returns=RETURNS.replace("30 days", "14 days")),
        {"returns": (Outcome.BROKEN, Reason.EDITED)},
    ),
    "a document is removed": (_updated(gifts=None), {"gifts": (Outcome.BROKEN, Reason.REMOVED)}),
    "a sentence is removed": (
        _updated(addresses="One of the addresses of your account is the default address."),
        {"addresses": (Outcome.BROKEN, Reason.EDITED)},
    ),
}
HARMLESS: Mapping[str, list[Chunk]] = {
    "nothing changes": chunks_of(KNOWLEDGE),
    "documents are renamed": chunks_of(KNOWLEDGE, document="help/{name}.html"),
    "ids change": [
        Chunk(text=text, chunk_id=f"{name}-0001", metadata={"document": f"{name}.md"})
        for name, text in KNOWLEDGE.items()
    ],
    "a chunk is split in two": [
        chunk
        for name, text in KNOWLEDGE.items()
        for chunk in (
            chunks_of({name: text})
            if name != "delivery"
            else [
                Chunk(text=part, chunk_id=f"delivery-{number}", metadata={"document": f"delivery-{number}.md"})
                for number, part in enumerate(text.split(". "), start=1)
            ]
        )
    ],
    "two documents are joined": [
        *chunks_of({"addresses": ADDRESSES, "gifts": GIFTS}),
        Chunk(text=f"{RETURNS}\n\n{DELIVERY}", chunk_id="orders", metadata={"document": "orders.md"}),
    ],
    "a paragraph is reworded with the same meaning": chunks_of(
        _updated(addresses="In your account, you can store up to 5 addresses. One of these is the default address.")
    ),
    "an unrelated document is added": chunks_of(
        _updated(wifi="The shop in Basel has free wireless internet for every visitor.")
    ),
    "white space changes": chunks_of({name: text.replace(". ", ".\n\n") for name, text in KNOWLEDGE.items()}),
}


@pytest.mark.parametrize("kind", BREAKING)
def test_a_claim_breaks_whose_evidence_is_edited_or_removed(kind: str, services: Store) -> None:
    texts, expected = BREAKING[kind]
    result = check(services, add_run(services), chunks_of(texts))
    assert _outcomes(result) == expected
    (claim,) = result.claims
    assert (claim.before, claim.after) != (Verdict.SUPPORTED, Verdict.SUPPORTED)
    (passage,) = claim.passages
    assert passage.before == KNOWLEDGE[claim.key]
    assert passage.after == texts.get(claim.key)
    assert [one.document.name for one in result.documents if one.counts.broken] == [f"{claim.key}.md"]
    assert result.projection.before == 1
    assert result.projection.after == result.projection.worst == result.projection.best == 0.75
    assert [question.key for question in result.questions] == [claim.key]


@pytest.mark.parametrize("kind", HARMLESS)
def test_nothing_breaks_if_the_same_is_still_said(kind: str, services: Store) -> None:
    result = check(services, add_run(services), HARMLESS[kind])
    assert _outcomes(result) == {}
    assert result.projection.after == result.projection.before == 1
    assert result.questions == ()


@pytest.mark.parametrize("kind", ["nothing changes", "documents are renamed", "ids change", "white space changes"])
def test_an_unchanged_chunk_is_not_judged_again(kind: str, services: Store) -> None:
    result = check(services, add_run(services), HARMLESS[kind])
    assert (result.record.answers, result.counts.supported, result.pending) == (0, 0, 0)
    assert result.record.finished_at is not None


def test_only_answers_with_a_changed_chunk_are_judged_again(services: Store) -> None:
    run = add_run(services)
    result = check(services, run, chunks_of(_updated(gifts=GIFTS.replace("2 years", "3 years"))))
    # The answer about addresses retrieved the chunk about gift cards as well.
    assert [one.row for one in load_plan(services.db, result.record.preflight_id)] == [3, 4]
    assert _outcomes(result) == {"gifts": (Outcome.BROKEN, Reason.EDITED)}
    assert (result.counts.broken, result.counts.supported) == (1, 1)


def test_a_claim_is_fixed_that_the_new_version_supports(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(_updated(returns=RETURNS.replace("30 days", "14 days"))))
    texts = _updated(returns=RETURNS.replace("30 days", "14 days"))
    run = add_judged_run(services, samples(texts), kb_version="v1")
    result = check(services, run, chunks_of(KNOWLEDGE))
    assert _outcomes(result) == {"returns": (Outcome.FIXED, Reason.EDITED)}
    assert (result.projection.before, result.projection.after) == (0.75, 1)
    assert result.with_outcome(Outcome.FIXED)[0].passages[0].after == RETURNS


def test_new_passages_that_come_first_and_say_something_else_overtake_a_claim(services: Store) -> None:
    new = "Gift cards: how long are they valid? Gift cards bought after May are valid for 12 months."
    run = add_run(services)
    result = check(services, run, chunks_of({**KNOWLEDGE, "vouchers": new}))
    assert _outcomes(result) == {"gifts": (Outcome.OVERTAKEN, Reason.ADDED)}
    (claim,) = result.claims
    assert claim.passages[0].is_overtaking
    assert (claim.passages[0].document, claim.passages[0].before, claim.passages[0].after) == (
        "vouchers.md",
        GIFTS,
        new,
    )
    # With the same chunks the claim keeps its evidence; only the worst case counts it as lost.
    assert (result.projection.after, result.projection.worst) == (1, 0.75)
    (question,) = result.questions
    assert question.entering == (EnteringPassage(document="vouchers.md", chunk_id="vouchers", rank=1),)
    assert [(one.segment, one.counts.breaking, one.questions) for one in result.segments] == [
        ("Orders", 1, 1),
        ("Account", 0, 0),
    ]


def test_a_new_passage_that_says_the_same_overtakes_nothing(services: Store) -> None:
    new = "Gift cards: how long are they valid? Gift cards are valid for 2 years."
    result = check(services, add_run(services), chunks_of({**KNOWLEDGE, "vouchers": new}))
    assert result.claims == ()
    assert [question.key for question in result.questions] == ["gifts"]


def test_reviewers_verdicts_count_as_those_before(services: Store) -> None:
    run = add_run(services)
    say(services, run.run_id, 1, 1, "not_mentioned")  # the judge called it supported
    texts = chunks_of(_updated(returns=RETURNS.replace("30 days", "14 days"), gifts=None))
    result = check(services, run, texts)
    assert [claim.key for claim in result.with_outcome(Outcome.BROKEN)] == ["returns", "gifts"]
    reviewed = get_preflight(services, result.record.preflight_id, view=View.REVIEWED)
    assert [claim.key for claim in reviewed.with_outcome(Outcome.BROKEN)] == ["gifts"]
    assert reviewed.projection.before == 0.75


def test_a_corrected_verdict_stays_if_the_judge_says_the_same_again(services: Store) -> None:
    rows = [make_row({"gifts": GIFTS, "returns": RETURNS}, make_claim("Gift cards cost nothing extra.", N), key="a")]
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    run = store_rows(services, "old", rows, kb_version="v1", judge=JudgeSpec(name="lexical"))
    say(services, run.run_id, 1, 1, "supported")
    new = chunks_of(_updated(gifts=GIFTS.replace("2 years", "3 years")))
    result = check(services, run, new, judge=JudgeSpec(name="lexical"))
    reviewed = get_preflight(services, result.record.preflight_id, view=View.REVIEWED)
    assert reviewed.with_outcome(Outcome.BROKEN) == []


def test_another_judge_judges_both_sides(services: Store) -> None:
    run = add_run(services)
    new = chunks_of(_updated(returns=RETURNS.replace("30 days", "14 days")))
    result = check(services, run, new, judge=JudgeSpec(name="lexical"))
    assert not result.record.is_run_judge
    assert _outcomes(result) == {"returns": (Outcome.BROKEN, Reason.EDITED)}
    judged = load_judged(services.db, result.record.preflight_id)
    assert all(one.before for one in judged.values())


def test_an_imported_run_needs_a_judge_that_is_named(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    rows = [make_row({"gifts": GIFTS}, make_claim("Gift cards are valid for 2 years.", S, "gifts"), key="a")]
    imported = JudgeSpec(name="ragas", method="imported")
    run = store_rows(services, "old", rows, kb_version="v1", judge=imported)
    new = chunks_of(_updated(gifts=GIFTS.replace("2 years", "3 years")))
    with pytest.raises(JudgeUnavailable, match=r"were imported.*--judge embedded"):
        make_plan(services, run.run_id, new)


def test_a_claim_of_which_nothing_can_be_said_is_unknown_and_widens_the_bounds(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    lost, result = make_row({"gifts": GIFTS}, make_claim("Quite another statement.", C, "gifts"), key="lost")
    rows = [
        make_row({"gifts": GIFTS}, make_claim("Gift cards are valid for 2 years.", S, "gifts"), key="known"),
        make_row({"other": "Elsewhere."}, make_claim("Something else.", S, "other"), key="foreign"),
        (replace(lost, answer="Gift cards are valid for 2 years."), result),
    ]
    run = store_rows(services, "old", rows, kb_version="v1")
    texts = _updated(gifts="Gift cards are valid for 3 years. They can be used in every shop of the company.")
    found = check(services, run, chunks_of(texts), judge=JudgeSpec())
    assert _outcomes(found) == {
        "known": (Outcome.BROKEN, Reason.EDITED),
        "foreign": (Outcome.UNKNOWN, Reason.NOT_IN_VERSION),
        "lost": (Outcome.UNKNOWN, Reason.NOT_LISTED),
    }
    assert found.record.unplaced == 1
    projection = found.projection
    assert projection.before == pytest.approx(2 / 3)
    assert (projection.worst, projection.after, projection.best) == pytest.approx((0, 1 / 3, 2 / 3))


def test_a_claim_that_the_judge_rather_supports_in_an_edited_text_is_uncertain(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certainty, "_EVEN", 0.0)  # every verdict of the default judge leans to support
    run = add_run(services)
    new = chunks_of(
        _updated(
            returns=RETURNS.replace("30 days", "14 days"),  # a number of the claim is gone
            addresses="5 is a number. One of the addresses of your account is the default address.",
            gifts=None,
        )
    )
    result = check(services, run, new)
    assert _outcomes(result) == {
        "returns": (Outcome.BROKEN, Reason.EDITED),
        "gifts": (Outcome.BROKEN, Reason.REMOVED),
        "addresses": (Outcome.UNKNOWN, Reason.JUDGE_UNSURE),
    }
    assert (result.projection.worst, result.projection.after, result.projection.best) == (0.25, 0.5, 0.5)
    assert result.claims[-1].explanation


def test_a_stopped_preflight_continues_and_a_finished_one_is_not_done_again(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = add_run(services)
    new = chunks_of({name: text.replace(".", "!") for name, text in KNOWLEDGE.items()})
    record = save_plan(services, make_plan(services, run.run_id, new))
    seen = 0

    def stop(_judged: object) -> None:
        nonlocal seen
        seen += 1
        if seen == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge_preflight(services, record.preflight_id, concurrency=1, on_judged=stop)
    progress = get_progress(services, record.preflight_id)
    assert (progress.done, progress.total) == (2, 4)
    partial = get_preflight(services, record.preflight_id)
    assert (partial.pending, partial.counts.unknown) == (2, 2)
    again = save_plan(services, make_plan(services, run.run_id, new))
    assert again.preflight_id == record.preflight_id
    judged: list[object] = []
    judge_preflight(services, record.preflight_id, on_judged=judged.append)
    assert len(judged) == 2
    judge_preflight(services, record.preflight_id, on_judged=judged.append)
    assert len(judged) == 2
    assert [one.preflight_id for one in list_preflights(services, run_id=run.run_id)] == [record.preflight_id]
    assert get_preflight(services, record.preflight_id).pending == 0


def test_a_preflight_is_deleted_with_its_run_and_with_its_texts(services: Store) -> None:
    run = add_run(services)
    result = check(services, run, chunks_of(_updated(gifts=None)))
    preflights.delete_preflight(services, result.record.preflight_id)
    with pytest.raises(NotFound, match="no preflight"):
        get_preflight(services, result.record.preflight_id)
    check(services, run, chunks_of(_updated(gifts=None)))
    delete_run(services, run.run_id)
    assert list_preflights(services) == []


def test_bad_input_ends_in_one_sentence_that_says_what_to_do(services: Store) -> None:
    run = add_run(services)
    new = chunks_of(KNOWLEDGE)
    with pytest.raises(NotFound, match="no run 'nowhere'"):
        make_plan(services, "nowhere", new)
    with pytest.raises(InvalidInput, match="has no chunks"):
        make_plan(services, run.run_id, [])
    with pytest.raises(InvalidInput, match="used knowledge base 'v1', not 'v0'"):
        make_plan(services, run.run_id, new, kb_version="v0")
    bare = add_judged_run(services, samples(), name="bare")
    with pytest.raises(InvalidInput, match=r"does not say which version.*--kb-version"):
        make_plan(services, "bare", new)
    assert make_plan(services, "bare", new, kb_version="v1").record.kb_version == "v1"
    with pytest.raises(NotFound, match=r"'v9' is not stored.*faithview kb add"):
        make_plan(services, bare.run_id, new, kb_version="v9")
    other = [make_row({"1": "Nothing of this is stored."}, make_claim("Nothing.", S, "1"), key="a")]
    store_rows(services, "other", other, kb_version="v1")
    with pytest.raises(InvalidInput, match=r"None of the chunks that run .* retrieved is in knowledge base 'v1'"):
        make_plan(services, "other", new, judge=JudgeSpec())
    store_rows(services, "empty", [make_row({"gifts": GIFTS}, key="a")], kb_version="v1")
    with pytest.raises(InvalidInput, match="has no judged claims"):
        make_plan(services, "empty", new, judge=JudgeSpec())


def test_without_chunk_ids_texts_are_enough(services: Store) -> None:
    save_knowledge_base(services, "v1", chunks_of(KNOWLEDGE))
    run = add_judged_run(services, samples(has_ids=False), kb_version="v1")
    result = check(services, run, chunks_of(_updated(gifts=None)))
    assert _outcomes(result) == {"gifts": (Outcome.BROKEN, Reason.REMOVED)}


def test_the_run_is_the_newest_one_of_a_stored_version(services: Store) -> None:
    with pytest.raises(NotFound, match="No complete run used a stored knowledge base"):
        find_run_to_check(services)
    run = add_run(services)
    add_judged_run(services, samples(), name="later", kb_version="v2")
    assert find_run_to_check(services).run_id == run.run_id
    delete_knowledge_base(services, "v1")
    with pytest.raises(NotFound):
        find_run_to_check(services)


def test_documents_are_texts_chunks_or_dictionaries() -> None:
    chunks = to_chunks(["One.", {"id": "b", "text": "Two.", "metadata": {"document": "x"}}, Chunk(text="Three.")])
    assert [(chunk.chunk_id, chunk.text) for chunk in chunks] == [("1", "One."), ("b", "Two."), ("3", "Three.")]
