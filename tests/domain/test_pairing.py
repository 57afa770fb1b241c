"""Pairing: ids first, then questions, then what a person says; nothing is dropped."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn

from faithview.domain import pairing
from faithview.domain.comparison import PairRule
from faithview.domain.pairing import Answer
from faithview.stats.text_matching import TokenSortSimilarity

pair_answers = partial(pairing.pair_answers, similarity=TokenSortSimilarity())


def _answer(row: int, key: str = "", question: str | None = None, context: str = "", *ids: str) -> Answer:
    return Answer(row=row, key=key or str(row), question=question, context_hash=context, external_ids=frozenset(ids))


def test_equal_ids_pair_whatever_the_order() -> None:
    found = pair_answers(
        [_answer(1, "a", "How much?"), _answer(2, "b", "When?")],
        [_answer(1, "b", "When?"), _answer(2, "a", "How much?")],
    )
    assert found.pairs == ((1, 2, PairRule.KEY), (2, 1, PairRule.KEY))
    assert found.only_in_baseline == found.only_in_candidate == ()


def test_row_numbers_are_no_ids() -> None:
    found = pair_answers(
        [_answer(1, question="How much is it?"), _answer(2, question="When does it open?")],
        [_answer(1, question="when does it  open?"), _answer(2, question="Who runs it?")],
    )
    assert found.pairs == ((2, 1, PairRule.QUESTION),)
    assert (found.only_in_baseline, found.only_in_candidate, found.key_conflicts) == ((1,), (2,), 0)


def test_rows_without_id_and_question_pair_by_their_number_for_there_is_nothing_else() -> None:
    assert pair_answers([_answer(1)], [_answer(1)]).pairs == ((1, 1, PairRule.KEY),)


def test_equal_ids_of_two_different_questions_are_a_conflict_that_is_counted() -> None:
    found = pair_answers(
        [_answer(1, "a", "How do I export all my conversations?")], [_answer(1, "a", "What is the price of a seat?")]
    )
    assert found.pairs == ()
    assert (found.only_in_baseline, found.only_in_candidate, found.key_conflicts) == ((1,), (1,), 1)


def test_slightly_reworded_question_with_the_same_id_is_the_same_question() -> None:
    found = pair_answers([_answer(1, "a", "How do I export a file?")], [_answer(1, "a", "How can I export a file?")])
    assert found.pairs == ((1, 1, PairRule.KEY),)


def test_id_in_another_column_pairs_unless_several_rows_share_it() -> None:
    found = pair_answers([_answer(1, "x-1", None, "", "q-7")], [_answer(1, "q-7")])
    assert found.pairs == ((1, 1, PairRule.EXTERNAL_ID),)
    shared = pair_answers(
        [_answer(1, "x-1", "Why?", "", "session"), _answer(2, "x-2", "Who?", "", "session")],
        [_answer(1, "y-1", "What?", "", "session")],
    )
    assert shared.pairs == ()


def test_of_several_answers_to_one_question_those_with_the_same_chunks_belong_together() -> None:
    ask = "Summarise the article."
    found = pair_answers(
        [_answer(1, "", ask, "cats"), _answer(2, "", ask, "dogs")],
        [_answer(1, "", ask, "dogs"), _answer(2, "", ask, "cats")],
    )
    # Row numbers are equal too, but the question alone does not say which article.
    assert found.pairs == ((1, 2, PairRule.QUESTION), (2, 1, PairRule.QUESTION))


def test_many_answers_to_one_question_on_other_chunks_stay_alone() -> None:
    ask = "Summarise the article."
    found = pair_answers(
        [_answer(row, f"a{row}", ask, f"old {row}") for row in range(1, 6)],
        [_answer(row, f"b{row}", ask, f"new {row}") for row in range(1, 6)],
    )
    assert found.pairs == ()
    assert len(found.only_in_baseline) == len(found.only_in_candidate) == 5


def test_like_questions_are_suggested_and_paired_once_a_person_confirms() -> None:
    baseline = [_answer(1, "a", "How many seats does the Team plan have?")]
    candidate = [_answer(1, "b", "How many seats has the Team plan?"), _answer(2, "c", "Where is my invoice?")]
    (suggestion,) = pair_answers(baseline, candidate).suggestions
    assert (suggestion.baseline_row, suggestion.candidate_row) == (1, 1)
    assert suggestion.similarity >= 0.8
    assert suggestion.baseline_question == "How many seats does the Team plan have?"
    assert suggestion.candidate_question == "How many seats has the Team plan?"
    confirmed = pair_answers(baseline, candidate, choices={(1, 1): True})
    assert confirmed.pairs == ((1, 1, PairRule.CONFIRMED),)
    refused = pair_answers(baseline, candidate, choices={(1, 1): False})
    assert (refused.pairs, refused.suggestions) == ((), ())


def test_a_person_s_no_takes_equal_ids_apart() -> None:
    answers = [_answer(1, "a", "When?")]
    found = pair_answers(answers, [replace(answers[0])], choices={(1, 1): False})
    assert (found.pairs, found.only_in_baseline, found.only_in_candidate) == ((), (1,), (1,))


def test_answers_without_a_question_pair_by_their_chunks_where_each_is_alone() -> None:
    found = pair_answers(
        [_answer(1, "x/a", None, "cats"), _answer(2, "y/a", None, "dogs"), _answer(3, "z/a", None, "dogs")],
        [_answer(1, "x/b", None, "cats"), _answer(2, "y/b", None, "dogs")],
    )
    assert found.pairs == ((1, 1, PairRule.CONTEXT),)
    assert (found.only_in_baseline, found.only_in_candidate) == ((2, 3), (2,))


def test_of_two_people_s_words_on_one_answer_the_newer_counts() -> None:
    baseline, candidate = [_answer(1, "a", "Why?")], [_answer(1, "b", "Who?"), _answer(2, "c", "How?")]
    assert pair_answers(baseline, candidate, choices={(1, 2): True, (1, 1): True}).pairs == (
        (1, 1, PairRule.CONFIRMED),
    )
    assert pair_answers(baseline, candidate, choices={(1, 1): True, (1, 2): True}).pairs == (
        (1, 2, PairRule.CONFIRMED),
    )


def test_thousands_of_templated_questions_are_suggested_quickly() -> None:
    baseline = [
        _answer(n, f"a{n}", f"What is the price of product number {10_000 + n} in the shop?") for n in range(1, 1001)
    ]
    candidate = [
        _answer(n, f"b{n}", f"What is the price of product number {20_000 + n} in the shop?") for n in range(1, 1001)
    ]
    found = pair_answers(baseline, candidate)
    assert len({one.baseline_row for one in found.suggestions}) == len(found.suggestions) > 500


def test_an_id_pairs_a_row_with_a_question_and_one_without() -> None:
    found = pair_answers([_answer(1, "a", "How much is a seat?")], [_answer(1, "a")])
    assert (found.pairs, found.key_conflicts) == (((1, 1, PairRule.KEY),), 0)


def test_an_id_that_looks_like_the_number_of_another_row_is_none_of_it() -> None:
    found = pair_answers([_answer(5, "1", "How much?")], [_answer(1, question="How much?")])
    assert found.pairs == ((5, 1, PairRule.QUESTION),)


def test_a_row_number_does_not_pair_a_row_with_a_question_and_one_without() -> None:
    assert pair_answers([_answer(1, question="How much?")], [_answer(1)]).pairs == ()


def test_questions_half_alike_may_share_an_id() -> None:
    class Half(TokenSortSimilarity):
        def compare(self, first: str, second: str) -> float:
            return 0.5

    one, other = _answer(1, "a", "How much?"), _answer(1, "a", "Why so?")
    assert pairing.may_share_question(one, other, Half())
    assert pairing.pair_answers([one], [other], similarity=Half()).pairs == ((1, 1, PairRule.KEY),)


def test_each_row_is_suggested_once_for_what_it_is_most_like() -> None:
    many = ["How many seats has the Team plan got?", "How many seats has the Team plan?"]
    before = [_answer(n, f"a{n}", question) for n, question in enumerate(many, start=1)]
    after = [_answer(1, "b", "How many seats has the Team plan now?")]
    for baseline, candidate in ((before, after), (after, before)):
        (suggestion,) = pair_answers(baseline, candidate).suggestions
        rows = {suggestion.baseline_row, suggestion.candidate_row}
        assert rows == {1, 2}


def test_questions_of_one_run_alone_suggest_nothing_and_are_not_compared() -> None:
    class Nothing(TokenSortSimilarity):
        def find_similar(self, before: Sequence[str], after: Sequence[str], *, floor: float, best: int) -> NoReturn:
            raise AssertionError("There is nothing to compare.")

    one = [_answer(1, "a", "How much?")]
    assert pairing.pair_answers(one, [], similarity=Nothing()).suggestions == ()
    assert pairing.pair_answers([], one, similarity=Nothing()).suggestions == ()


def test_up_to_three_answers_to_one_question_are_paired_in_their_order() -> None:
    def run(name: str, number: int) -> list[Answer]:
        return [_answer(row, f"{name}{row}", "How much?", f"{name} {row}") for row in range(1, number + 1)]

    assert [pair[:2] for pair in pair_answers(run("a", 3), run("b", 3)).pairs] == [(1, 1), (2, 2), (3, 3)]
    assert pair_answers(run("a", 4), run("b", 4)).pairs == ()
