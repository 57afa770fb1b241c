"""How an answer is split into claims, and that every claim stands where its span says."""

import pytest

from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.lexical.splitting.refusals import is_refusal


def texts(answer: str) -> list[str]:
    return [answer[claim.start : claim.end] for claim in split_answer(answer).claims]


def test_sentences_are_claims() -> None:
    assert texts("The sky is blue. Grass is green!  Snow is white.") == [
        "The sky is blue.",
        "Grass is green!",
        "Snow is white.",
    ]


def test_a_full_stop_inside_a_sentence_does_not_end_it() -> None:
    assert texts("Dr. Smith lives in St. Louis. He earns 3.5 million.") == [
        "Dr. Smith lives in St. Louis.",
        "He earns 3.5 million.",
    ]


def test_list_items_are_claims_without_their_markers() -> None:
    answer = (
        "Here are the steps:\n1. Open the lid of the box.\n2) Press the red button.\n"
        "- **Close** the lid again\n* Wait for an hour"
    )
    assert texts(answer) == [
        "Open the lid of the box.",
        "Press the red button.",
        "Close** the lid again",
        "Wait for an hour",
    ]


def test_clauses_with_their_own_subject_and_predicate_are_claims() -> None:
    assert texts("The hotel was built in 1950, and it has 40 rooms; breakfast is served until ten.") == [
        "The hotel was built in 1950",
        "it has 40 rooms",
        "breakfast is served until ten.",
    ]


def test_a_list_of_things_is_not_split() -> None:
    assert texts("The soup contains leeks, potatoes and cream.") == ["The soup contains leeks, potatoes and cream."]


def test_lines_of_wrapped_text_are_joined() -> None:
    assert texts("The house was built in the\nyear 1905 by an architect.") == [
        "The house was built in the\nyear 1905 by an architect."
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "Hello!",
        "Sure!",
        "Of course.",
        "Yes, you can.",
        "| Plan | Price |\n|------|-------|",
        "Here is the summary:",
        "Based on the passages, these are the steps:",
        "# Opening hours",
        "**Opening hours**",
        "What do you think?",
        "Let me know if you have more questions.",
        "I hope this helps!",
        "---",
        "🎉🎉",
    ],
)
def test_what_states_nothing_is_no_claim(statement: str) -> None:
    assert texts(statement + "\n\nThe sky is blue.") == ["The sky is blue."]


@pytest.mark.parametrize(
    "statement",
    [
        "The context does not mention the price.",
        "The provided documents don't specify who founded it.",
        "There is no information about the opening hours.",
        "I cannot answer this question based on the context.",
        "The year is not mentioned in the passages.",
        "I don't have enough information to answer.",
        "Unable to answer based on the given passages.",
        "I don't know.",
        "It is not possible to determine the date.",
        "Passage 2 does not provide any information about locking cells.",
        "Passages 3 and 4 don't specify the voltage.",
        "However, it does not provide guidance on how to store the bread.",
        "They do not say whether dogs are allowed.",
        "Passage 1 gives an overview of the car but does not address the lighter.",
        "Unfortunately, we are unable to find a phone number in the passages.",
    ],
)
def test_a_refusal_is_recognised(statement: str) -> None:
    assert is_refusal(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "The shop does not sell bread.",
        "You cannot park here at night.",
        "The company provided no guarantee for the roof.",
        "He was unable to swim.",
        "The law does not allow smoking.",
        "However, it does not provide shade.",
        "The plan covers teeth but does not include glasses.",
        "They do not mention their father at home.",
        "The power supply may be unable to provide enough power to the computer.",
        "If you are unable to find the PIN, contact the network administrator.",
    ],
)
def test_a_negative_fact_is_no_refusal(statement: str) -> None:
    assert not is_refusal(statement)


def test_repeated_sentences_each_get_their_own_place() -> None:
    answer = "It is red. It is blue. It is red. It is red."
    spans = [(claim.start, claim.end) for claim in split_answer(answer).claims]
    assert spans == [(0, 10), (11, 22), (23, 33), (34, 44)]


def test_a_sentence_without_end_is_cut_at_white_space_and_nothing_is_lost() -> None:
    answer = "word " * 1_000
    claims = texts(answer)
    assert "".join(claims).replace(" ", "") == "word" * 1_000
    assert max(map(len, claims)) <= 800


def test_text_in_other_scripts_is_split_at_its_own_marks() -> None:
    assert texts("天空是蓝色的。草是绿色的。") == ["天空是蓝色的。", "草是绿色的。"]
    assert texts("السماء زرقاء جدا. العشب أخضر دائما.") == ["السماء زرقاء جدا.", "العشب أخضر دائما."]


def test_what_follows_from_a_refusal_is_a_claim_of_its_own() -> None:
    answer = "The passages do not mention a cooking time, so you should check the fish with a fork."
    split = split_answer(answer)
    assert [answer[start:end] for start, end in split.refusals] == ["The passages do not mention a cooking time"]
    assert [answer[c.start : c.end] for c in split.claims] == ["you should check the fish with a fork."]


@pytest.mark.parametrize(
    "answer",
    [
        "The passages do not mention a price, so it cannot be determined from the text.",
        "The provided articles do not mention telephones, so I cannot tell whether they can be connected.",
    ],
)
def test_what_cannot_be_told_from_a_refusal_is_no_claim(answer: str) -> None:
    split = split_answer(answer)
    assert split.claims == ()
    assert split.refusals


def test_a_day_after_a_time_does_not_begin_a_sentence() -> None:
    answer = "It is open from 11 a.m. to 9 p.m. Sunday through Thursday. Dr. Ames owns it."
    assert [answer[c.start : c.end] for c in split_answer(answer).claims] == [
        "It is open from 11 a.m. to 9 p.m. Sunday through Thursday.",
        "Dr. Ames owns it.",
    ]


def test_a_list_of_days_is_not_cut() -> None:
    answer = "It closes at 9:30 PM, except on Fridays and Saturdays when it closes at 10 PM."
    assert [answer[c.start : c.end] for c in split_answer(answer).claims] == [answer]
