"""A chunk's value takes the place of a wrong one where that is sure, and words go alone where that is clean."""

import pytest

from tests.services.guard.made import GOOD, PART, against, claim, corrected


@pytest.mark.parametrize(
    ("answer", "mine", "chunk", "theirs", "expected"),
    [
        ("Invitations are valid for 14 days.", "14 days", "Invitations are valid for 7 days.", "7 days",
         "Invitations are valid for 7 days."),
        # the judge names one of two
        ("It is kept for 24 months on Team and for 36 months on Scale.", "36 months",
         "It is kept for 6 months on Team and for 24 months on Scale.", "6 months",
         "It is kept for 6 months on Team and for 24 months on Scale."),
        ("The Team plan costs $19 a month.", "$19", "The Team plan costs €29 a month.", "€29",
         "The Team plan costs €29 a month."),
        ("Customer data is stored in Dublin.", "Dublin", "Customer data is stored in Frankfurt am Main.",
         "Frankfurt", "Customer data is stored in Frankfurt am Main."),
        ("The fair was on 3 May 2021 in Ghent.", "3 May 2021", "The fair was on 5 June 2022 in Ghent.", "5 June 2022",
         "The fair was on 5 June 2022 in Ghent."),
        ("Two weeks are given to answer the letter.", "Two weeks", "three weeks are given to answer the letter.",
         "three weeks", "Three weeks are given to answer the letter."),
        ("Times are measured in calendar hours by default.", "calendar",
         "Times are measured in business hours by default.", "business",
         "Times are measured in business hours by default."),
        # a record: the only value of its kind in the claim
        ("The shop opens at 9 am.", "9 am", '{"hours": {"Monday": "11:0-22:0"}}', "11:0", "The shop opens at 11 am."),
    ],
)  # fmt: skip
def test_the_chunks_value_takes_the_place_of_a_wrong_one(
    answer: str, mine: str, chunk: str, theirs: str, expected: str
) -> None:
    assert corrected(answer, [against(answer, answer, mine, chunk, theirs)], chunk) == expected


@pytest.mark.parametrize(
    ("answer", "mine", "chunk", "theirs"),
    [
        # which of the chunk's values it is, nobody knows
        ("You can have 12 seats.", "12", "Starter has 5 seats for small firms, Team has 50 of them.", "5"),
        # the words do not fit the sentence
        ("Colleagues still see it in Open.", "still", "Colleagues do not see it in Open.", "do not"),
        ("It takes 3 hours to clear.", "3 hours", "It takes ages to clear.", "ages"),
        ("It holds 1 inbox on Team.", "1", "It holds 10 inboxes on Team.", "10"),
        ("It needs a manager on duty.", "manager", "It needs an Owner on duty.", "Owner"),
    ],
)
def test_where_that_is_not_sure_the_sentence_goes(answer: str, mine: str, chunk: str, theirs: str) -> None:
    whole = f"{answer} That is so."
    good = claim(whole, "That is so.", GOOD)
    assert corrected(whole, [against(whole, answer, mine, chunk, theirs), good], chunk) == "That is so."


_LANGUAGES = "It is available in English, German, French and Italian."
_OXFORD = "It is available in English, German, French, and Italian."


@pytest.mark.parametrize(
    ("answer", "word", "expected"),
    [
        (_LANGUAGES, "German", "It is available in English, French and Italian."),
        (_LANGUAGES, "French", "It is available in English, German and Italian."),
        (_LANGUAGES, "Italian", "It is available in English, German and French."),
        (_OXFORD, "French", "It is available in English, German, and Italian."),
        (_OXFORD, "Italian", "It is available in English, German, and French."),
        ("It takes English and Italian.", "Italian", "It takes English."),
        ("You can archive, mute and delete.", "delete", "You can archive and mute."),
        ("English, Dutch and Italian are supported.", "Dutch", "English and Italian are supported."),
        ("Team (formerly Pro) costs €19.", "Pro", "Team costs €19."),
    ],
)
def test_an_element_of_a_list_goes_alone(answer: str, word: str, expected: str) -> None:
    assert corrected(answer, [claim(answer, answer, PART, words=[word])]) == expected


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (_LANGUAGES, ["English"]),  # what stands before the first element may belong to it
        ("English, Dutch and Italian are supported.", ["Italian"]),
        ("Choose between card and PayPal.", ["PayPal"]),
        ("Brindlepost, which works offline, supports Dutch and Italian.", ["Italian"]),
        ("It exports CSV, JSON or XML files.", ["XML"]),
        ("Passwords expire after 180 days.", ["180 days"]),
        ("It is available in English and German.", ["available", "German"]),
    ],
)
def test_other_words_do_not_go_alone(answer: str, words: list[str]) -> None:
    assert corrected(f"{answer} Fine.", [claim(answer, answer, PART, words=words)]) == f"{answer} Fine."
