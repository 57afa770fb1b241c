"""Two answers side by side: matched claims share a number, and claims that moved the score come first."""

from dataclasses import replace

from faithview.domain.answer import AnswerDetail
from faithview.domain.claim import Claim, Verdict
from faithview.domain.comparison import Cause, Change, ChunkChange, ChunkPair, ClaimChange, ClaimPair, PairRule, Term
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import ReviewedAnswer, apply_labels
from faithview.services.comparison.compare import PairDetail
from faithview.services.review.key_presses import mark_claim
from faithview.ui.changes.pair_view import PairPayload, build_pair, order_claims
from tests.factories import make_claim, make_evidence, make_result

_BAD = "<img src=x onerror=alert(1)> $x$ **b**"
_NAMES = ("Week 1", "Week 2")


def _claim(answer: str, text: str, verdict: Verdict, chunk: Chunk, quote: str = "") -> Claim:
    evidence = (make_evidence(chunk, quote),) if quote else ()
    return make_claim(
        text,
        verdict,
        chunk.chunk_id,
        answer=answer,
        explanation=f"Because of {chunk.chunk_id}.",
        evidence=evidence,
    )


def _answer(run_id: str, sample: Sample, *claims: Claim) -> AnswerDetail:
    state = State.JUDGED if claims else State.FAILED
    result = make_result(*claims, state=state, error=None if claims else _BAD)
    ids = tuple(f"{run_id}-1-{number}" for number in range(1, len(claims) + 1))
    return AnswerDetail(run_id=run_id, position=1, sample=sample, result=result, claim_ids=ids)


def _nobody(found: PairDetail) -> tuple[ReviewedAnswer, ReviewedAnswer]:
    """The answers without labels."""
    return apply_labels(found.before.result.verdicts, ()), apply_labels(found.after.result.verdicts, ())


def _payload(found: PairDetail) -> PairPayload:
    return build_pair(found, names=_NAMES, reviewed=_nobody(found))


def _found() -> PairDetail:
    kept = Chunk(text="Phones ring at noon.", chunk_id="kb-2", rank=2)
    old_inbox, new_inbox = (Chunk(text=f"Inboxes hold {n} members.", chunk_id="kb-1", rank=1) for n in (20, 50))
    gone, came = Chunk(text="Gone. " + _BAD, chunk_id="kb-3", rank=3), Chunk(text="Came.", chunk_id="kb-4", rank=3)
    old = Sample(answer="Phones ring. Inboxes hold 20 members.", chunks=(old_inbox, kept, gone), question=_BAD)
    new = Sample(answer="Inboxes hold 20 members. Phones ring. Dogs bark.", chunks=(new_inbox, kept, came))
    before = _answer(
        "old",
        old,
        _claim(old.answer, "Phones ring.", Verdict.SUPPORTED, kept, "Phones ring at noon."),
        _claim(old.answer, "Inboxes hold 20 members.", Verdict.SUPPORTED, old_inbox, "20 members"),
    )
    after = _answer(
        "new",
        new,
        _claim(new.answer, "Inboxes hold 20 members.", Verdict.CONTRADICTED, new_inbox, "50 members"),
        _claim(new.answer, "Phones ring.", Verdict.SUPPORTED, kept, "Phones ring at noon."),
        _claim(new.answer, "Dogs bark.", Verdict.NOT_MENTIONED, came),
    )
    change = Change(
        key="q1",
        baseline_row=1,
        candidate_row=1,
        rule=PairRule.KEY,
        question=None,
        segment=None,
        baseline=1.0,
        candidate=1 / 3,
        baseline_state=State.JUDGED,
        candidate_state=State.JUDGED,
        answer_changed=True,
        context_changed=True,
        terms=(
            Term(baseline=None, candidate=3, value=-0.3, cause=Cause.RETRIEVED),
            Term(baseline=2, candidate=1, value=-0.4, cause=Cause.DOCUMENT_EDITED, flipped=True),
        ),
    )
    return PairDetail(
        change=change,
        before=before,
        after=after,
        claims=(
            ClaimPair(baseline=0, candidate=1, change=ClaimChange.SAME),
            ClaimPair(baseline=1, candidate=0, change=ClaimChange.SAME),
            ClaimPair(baseline=None, candidate=2, change=ClaimChange.NEW),
        ),
        chunks=(
            ChunkPair(baseline=1, candidate=1, change=ChunkChange.SAME),
            ChunkPair(baseline=0, candidate=0, change=ChunkChange.EDITED),
            ChunkPair(baseline=2, candidate=None, change=ChunkChange.REMOVED),
            ChunkPair(baseline=None, candidate=2, change=ChunkChange.ADDED),
        ),
        certainties_before=before.result.certainties,
        certainties_after=after.result.certainties,
    )


def test_the_largest_losses_come_first_and_the_rest_in_the_answers_order() -> None:
    assert [(pair.baseline, pair.candidate) for pair in order_claims(_found())] == [(1, 0), (None, 2), (0, 1)]
    rows = _payload(_found())["claims"]
    assert [row["number"] for row in rows] == [1, 2, 3]
    assert rows[0]["effect"] == {"value": "−0.40", "cause": "Document edited: broke", "is_won": False}
    assert rows[0]["is_flipped"]
    assert rows[1]["before"] is None
    assert rows[1]["words"] == "new claim"
    assert rows[2]["effect"] is None
    assert not rows[2]["is_flipped"]


def test_matched_claims_have_one_number_in_both_answers() -> None:
    payload = _payload(_found())
    marked = {
        side: {part["text"]: [mark["claim"] for mark in part["marks"]] for part in payload[side]["parts"]}
        for side in ("before", "after")
    }
    assert marked["before"] == {"Phones ring.": [3], " ": [], "Inboxes hold 20 members.": [1]}
    assert marked["after"]["Inboxes hold 20 members."] == [1]
    assert marked["after"]["Phones ring."] == [3]
    assert marked["after"]["Dogs bark."] == [2]


def test_chunks_that_decided_come_first_then_changed_ones() -> None:
    chunks = _payload(_found())["chunks"]
    assert [(chunk["id"], chunk["change"], chunk["rank_before"], chunk["rank_after"]) for chunk in chunks] == [
        ("kb-1", "edited", 1, 1),
        ("kb-4", "added", None, 3),
        ("kb-3", "removed", 3, None),
        ("kb-2", "same", 2, 2),
    ]
    assert chunks[0]["diff"] is not None
    assert [(part["kind"], part["text"].strip()) for part in chunks[0]["diff"]["parts"]] == [
        ("same", "Inboxes hold"),
        ("removed", "20"),
        ("added", "50"),
        ("same", "members."),
    ]
    assert (chunks[0]["cited_before"], chunks[0]["cited_after"]) == ([1], [1])
    assert chunks[3]["parts"] == [{"text": "Phones ring at noon.", "marks": [{"claim": 3, "lane": 0}]}]


def test_an_answer_without_verdicts_says_why_beside_the_other_answer() -> None:
    found = _found()
    failed = _answer("new", found.after.sample)
    lone = tuple(ClaimPair(baseline=at, candidate=None, change=ClaimChange.LOST) for at in (0, 1))
    change = replace(found.change, candidate=None, candidate_state=State.FAILED, terms=())
    payload = _payload(replace(found, after=failed, change=change, claims=lone))
    assert payload["after"]["score"] == "–"
    assert payload["after"]["sentence"] == "This answer could not be judged and has no score."
    assert payload["after"]["error"] == _BAD
    assert payload["before"]["sentence"] is None


def test_a_row_quotes_what_the_chunks_say_and_carries_the_marks_of_both_claims() -> None:
    row = _payload(_found())["claims"][0]
    assert row["before"] is not None
    assert row["after"] is not None
    assert row["before"]["quotes"] == [{"chunk_id": "kb-1", "text": "20 members"}]
    assert row["after"]["quotes"] == [{"chunk_id": "kb-1", "text": "50 members"}]
    assert row["before"]["mark"] == mark_claim("old", 1, 2, "Inboxes hold 20 members.")
    assert row["after"]["mark"] == mark_claim("new", 1, 1, "Inboxes hold 20 members.")
