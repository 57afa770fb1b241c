"""Pairing: answers by their ids, then by questions; claims and chunks by equal texts, then by similar ones."""

from hypothesis import given
from hypothesis import strategies as st

from faithview.domain.comparison import ChunkChange, ClaimChange, PairRule
from faithview.domain.content_hashes import chunk_hash, context_hash, question_hash
from faithview.domain.pairing import AnswerIdentity, ChunkFacts, identify
from faithview.stats.pairing import match_chunks, match_claims, pair_answers

NO_CHUNKS = context_hash(())


def answer(key: str | None, question: str = "", context: str = NO_CHUNKS) -> AnswerIdentity:
    return AnswerIdentity(key, question_hash(question) if question else None, question, context)


def pairs_of(before: list[AnswerIdentity], after: list[AnswerIdentity]) -> list[tuple[int, int, PairRule]]:
    return pair_answers(before, after)[0]


def test_equal_ids_pair_whatever_the_order() -> None:
    found = pairs_of([answer("a", "How much?"), answer("b", "When?")], [answer("b", "When?"), answer("a", "How much?")])
    assert found == [(0, 1, PairRule.KEY), (1, 0, PairRule.KEY)]


def test_row_numbers_are_no_ids_so_equal_questions_pair() -> None:
    def stored(row: int, question: str) -> AnswerIdentity:
        cluster = question_hash(question)
        return identify(row=row, key=str(row), cluster=cluster, question=question, context_hash=NO_CHUNKS)

    found = pairs_of(
        [stored(1, "How much is it?"), stored(2, "When does it open?")],
        [stored(1, "when does it  open?"), stored(2, "Who runs it?")],
    )
    assert found == [(1, 0, PairRule.QUESTION)]


def test_equal_ids_of_two_different_questions_are_a_conflict_that_is_counted() -> None:
    before = [answer("a", "How do I export all my conversations?"), answer("b", "What is the price of a seat?")]
    found = pair_answers(before, [answer("a", "What is the price of a seat?")])
    assert found == ([(1, 0, PairRule.QUESTION)], 1)


def test_an_id_pairs_a_reworded_question_and_one_that_is_missing() -> None:
    asked = answer("a", "How do I export a file?")
    assert pair_answers([asked], [answer("a", "How can I export a file?")]) == ([(0, 0, PairRule.KEY)], 0)
    assert pair_answers([asked], [answer("a")]) == ([(0, 0, PairRule.KEY)], 0)


def test_of_several_answers_to_one_question_those_with_the_same_chunks_belong_together() -> None:
    found = pairs_of(
        [answer(None, "How much?", "cats"), answer(None, "How much?", "dogs"), answer(None, "How much?", "owls")],
        [answer(None, "How much?", "new"), answer(None, "How much?", "dogs"), answer(None, "How much?", "cats")],
    )
    assert [pair[:2] for pair in found] == [(0, 2), (1, 1), (2, 0)]


def test_answers_without_id_and_question_pair_by_their_chunks_and_else_stay_alone() -> None:
    before = [answer(None, "", "cats"), answer(None, "", "dogs"), answer(None)]
    assert pairs_of(before, [answer(None, "", "owls"), answer(None, "", "cats"), answer(None)]) == [
        (0, 1, PairRule.CONTEXT)
    ]


identities = st.lists(
    st.builds(
        answer,
        st.one_of(st.none(), st.sampled_from("abcde")),
        st.sampled_from(["", "How much?", "When does it open?", "Wie viel?", "いつ?"]),
        st.sampled_from([NO_CHUNKS, "cats", "dogs"]),
    ),
    max_size=12,
    unique_by=lambda one: one.key or object(),
)


@given(before=identities, after=identities)
def test_each_answer_is_paired_at_most_once_and_the_other_way_round_alike(
    before: list[AnswerIdentity], after: list[AnswerIdentity]
) -> None:
    there, back = pairs_of(before, after), pairs_of(after, before)
    assert len({i for i, _, _ in there}) == len({j for _, j, _ in there}) == len(there)
    assert len(there) == len(back)
    # Ids decide alike in both directions; several answers to one question are paired in their order.
    assert {(i, j) for i, j, rule in there if rule is PairRule.KEY} == {
        (i, j) for j, i, rule in back if rule is PairRule.KEY
    }


def test_claims_pair_by_equal_then_by_similar_text() -> None:
    found = match_claims(
        ["The Team plan costs 19 euros.", "Seats are billed monthly.", "Guests are free."],
        ["guests are  free.", "The Team plan costs 29 euros.", "Support answers by email."],
    )
    assert [(pair.baseline, pair.candidate, pair.change) for pair in found] == [
        (0, 1, ClaimChange.REWORDED),
        (1, None, ClaimChange.LOST),
        (2, 0, ClaimChange.SAME),
        (None, 2, ClaimChange.NEW),
    ]


def test_claims_of_one_pattern_on_two_subjects_are_not_the_same_claim() -> None:
    found = match_claims(["Starter costs 9 euros."], ["Team costs 19 euros a month."])
    assert [pair.change for pair in found] == [ClaimChange.LOST, ClaimChange.NEW]


def test_chunks_pair_by_text_then_by_id_then_by_similar_text() -> None:
    before = [
        ("a", "Refunds take 14 days."),
        ("b", "Open on Sundays."),
        ("1", "Guests are never billed."),
        ("c", "Gone."),
    ]
    after = [
        ("x", "Open on Sundays."),
        ("a", "Money comes back soon."),
        ("2", "Guests are never billed!"),
        ("d", "New."),
    ]
    sides = [
        [ChunkFacts(chunk_id=key, chunk_hash=chunk_hash(text), rank=rank) for rank, (key, text) in enumerate(side, 1)]
        for side in (before, after)
    ]
    found = match_chunks(*sides, texts=([text for _, text in before], [text for _, text in after]))
    assert [(pair.baseline, pair.candidate, pair.change) for pair in found] == [
        (0, 1, ChunkChange.EDITED),
        (1, 0, ChunkChange.MOVED),
        (2, 2, ChunkChange.EDITED),
        (3, None, ChunkChange.REMOVED),
        (None, 3, ChunkChange.ADDED),
    ]
