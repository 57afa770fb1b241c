"""Openers, closers and placeholders are not a part of what an answer states."""

import pytest

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.embedded.judge import judge_sample
from faithview.judges.lexical.splitting.claims import split_answer

_FACT = "the plan costs 5 euros."


def texts(answer: str, question: str | None = None) -> list[str]:
    split = split_answer(answer, question)
    return [split.text_of(claim) for claim in split.claims]


@pytest.mark.parametrize(
    "opener",
    [
        "As an AI language model, I can tell you that",
        "As an AI assistant,",
        "As a helpful assistant, I can confirm that",
        "Sure!",
        "Sure,",
        "Certainly!",
        "Of course!",
        "Great question!",
        "That's a great question.",
        "Hello! Thanks for asking.",
        "Thank you for your question!",
        "Based on the provided context,",
        "Based on the context",
        "Based solely on the given documents,",
        "Based on the information provided,",
        "According to the documents,",
        "According to the provided information",
        "From the context,",
        "As stated in the documents,",
        "Given the available information,",
        "The documents state that",
        "The context says that",
        "Sure! Based on the provided context,",
        "Answer:",
        "Final answer:",
        "**Answer:**",
        "In short,",
        "To answer your question:",
        "I can confirm that",
        "I'm happy to tell you that",
        "Please note that",
        "It is worth noting that",
        "I'm sorry, but",
        "Unfortunately,",
        "Hi there! Happy to help.",
        "Okay,",
        "Here you go:",
    ],
)
def test_an_opener_is_not_a_part_of_the_claim(opener: str) -> None:
    answer = f"{opener} {_FACT}"
    split = split_answer(answer)
    assert texts(answer) == [_FACT]
    assert [answer[claim.start : claim.end] for claim in split.claims] == [_FACT]


@pytest.mark.parametrize(
    "fact",
    [
        "According to John, the plan costs 5 euros.",
        "According to the law, tenants pay monthly.",
        "Based on the weight, parcels cost 5 to 9 euros.",
        "In the documents folder, you find the invoice.",
        "Sure-fire plans cost 5 euros.",
        "From the station, take bus 5.",
        "A plan costs 5 euros.",
        "As an assistant, Ann earns 3,000 euros.",
        "Thanks to the discount, it costs 5 euros.",
        "Note 5 explains the fee.",
        "Passage 2 states that the plan costs 5 euros.",
    ],
)
def test_what_only_begins_like_an_opener_stays(fact: str) -> None:
    assert texts(fact) == [fact]


@pytest.mark.parametrize(
    "closer",
    [
        "I hope this helps!",
        "Hope that helps!",
        "Let me know if you have other questions.",
        "Please let me know if you need anything else.",
        "Feel free to ask if you have more questions.",
        "If you have any other questions, feel free to ask!",
        "Is there anything else I can help you with?",
        "Have a great day!",
        "I'm happy to help.",
        "Happy to help!",
        "I'd be happy to explain more.",
        "Don't hesitate to contact me.",
        "Thank you for your patience.",
        "Best regards",
        "For more information, please visit the website.",
    ],
)
def test_a_closer_is_not_a_claim(closer: str) -> None:
    assert texts(f"The plan costs 5 euros. {closer}") == ["The plan costs 5 euros."]


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "N/A",
            "n/a",
            "N.A.",
            "Not applicable.",
            "TBD",
            "TBA",
            "To be determined.",
            "C",
            "(C)",
            "C.",
            "B)",
            "A and C",
            "A, C",
        ),
        *(
            "Option B",
            "The answer is C.",
            "Answer: B",
            "True",
            "False.",
            "None",
            "null",
            "-",
            "...",
            "**N/A**",
            "OK",
            "👍",
            "[1]",
        ),
    ],
)
@pytest.mark.parametrize("question", [None, "Which plan is cheapest?"])
def test_a_placeholder_is_not_judged_and_the_result_says_so(answer: str, question: str | None) -> None:
    result = judge_sample(Sample.of(answer, ["The Basic plan costs 5 euros."], question=question))
    assert (result.state, result.claims, result.faithfulness, result.no_claims) == (State.NO_CLAIMS, (), None, True)


@pytest.mark.parametrize(
    "answer", ["5 euros", "Paris", "30 days.", "Vitamin C", "The C plan is cheap.", "It is true that it is free."]
)
def test_a_short_answer_with_a_word_of_its_own_is_judged(answer: str) -> None:
    assert len(texts(answer, "What is it?")) == 1
