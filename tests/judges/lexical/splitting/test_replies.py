"""Replies of a word or two are read with their question, and state nothing without one that they answer."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.embedded.judge import judge_sample
from faithview.judges.lexical import judge as rules
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.lexical.splitting.replies import read_question

_YES = [
    *("Yes", "Yes.", "yes!", "Yeah", "Yep.", "Yup", "Correct.", "Exactly.", "Absolutely", "Definitely!", "Certainly."),
    *(
        "Of course.",
        "Sure.",
        "Indeed.",
        "That's right",
        "That is correct.",
        "that's correct.",
        "Yes, it does.",
    ),
    *(
        "It does.",
        "Yes, absolutely.",
        "Yes, of course it does!",
        "**Yes**",
        "Yes.[1]",
        "The answer is yes.",
        "Answer: Yes",
    ),
    *("Great question! Yes, it does.", "Based on the context, yes.", "Yes indeed", "I think so.", "Always."),
]
_NO = [
    *(
        "No",
        "No.",
        "Nope",
        "Nah.",
        "Never.",
        "No, it does not.",
        "No, it doesn't.",
        "It does not.",
        "It doesn’t",
        "Not really.",
    ),
    *(
        "Not at all.",
        "Absolutely not.",
        "Definitely not!",
        "Unfortunately, no.",
        "Unfortunately not.",
        "I'm afraid not.",
    ),
    *(
        "Sorry, no.",
        "No, unfortunately it does not.",
        "That's not correct.",
        "That is wrong.",
        "Incorrect.",
        "Not yet.",
    ),
    *("No way.", "Of course not.", "I don't think so.", "**No**, it doesn't.", "No.¹", "The answer is no.", "`No`"),
]


@pytest.mark.parametrize(
    "question", ["Does it support SSO?", "It supports SSO, right?", "Can you tell me if it supports SSO?"]
)
@pytest.mark.parametrize("answer", [*_YES, *_NO])
def test_a_reply_states_what_was_asked(answer: str, question: str) -> None:
    split = split_answer(answer, question)
    (claim,) = split.claims
    assert split.text_of(claim) == ("It supports SSO." if answer in _YES else "It does not support SSO.")
    assert split.refusals == ()
    (place,) = split.places()
    assert split.reading[slice(*place)] == claim.stated
    assert answer[claim.start : claim.end].strip() == answer[claim.start : claim.end] != ""


@pytest.mark.parametrize("answer", ["Yes", "No.", "Yes, it does.", "No, you cannot.", "Nope", "Absolutely", "Never."])
@pytest.mark.parametrize(
    "question", [None, "", "What is the fee?", "How do I return an item?", "Can you summarize the text?"]
)
def test_a_reply_to_nothing_that_it_answers_is_not_judged(answer: str, question: str | None) -> None:
    assert all(not claim.stated for claim in split_answer(answer, question).claims)
    if answer not in ("Nope", "Absolutely"):
        result = judge_sample(Sample.of(answer, ["The fee is 5 euros."], question=question))
        assert (result.state, result.claims) == (State.NO_CLAIMS, ())


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Can I return sale items?", "Yes, you can.", "You can return sale items."),
        ("Can I return sale items?", "No, you can't.", "You cannot return sale items."),
        ("Can I return sale items?", "Never.", "You cannot return sale items."),
        ("Can I return sale items?", "Yes, within 30 days.", "You can return sale items within 30 days."),
        ("Can I return sale items?", "Only with a receipt.", "You can return sale items only with a receipt."),
        ("Can I return sale items?", "Yes, but only if unused.", "You can return sale items only if unused."),
        ("Can I return sale items?", "Not without a receipt.", "You cannot return sale items without a receipt."),
        ("Can we call support?", "Only on weekdays.", "You can call support only on weekdays."),
        ("Is support available daily?", "No, only on weekdays.", "Support is not available daily, only on weekdays."),
        ("Does it support SSO?", "Not on the Basic plan.", "It does not support SSO on the Basic plan."),
        ("Does it support SSO?", "No, not on the Basic plan.", "It does not support SSO on the Basic plan."),
        ("Does the plan support SSO?", "The Basic plan does not.", "The Basic plan does not support SSO."),
        ("Is SSO included?", "Not included.", "SSO is not included."),
        ("Is SSO included?", "It is.", "SSO is included."),
        ("Are dogs allowed?", "They are not.", "Dogs are not allowed."),
        ("Is there a fee for late payment?", "No, there isn't.", "There is no fee for late payment."),
        ("Are there any hidden fees?", "No.", "There are no hidden fees."),
        ("Do you ship to France?", "Yes, we do.", "We ship to France."),
        ("Do you ship to France?", "No.", "We do not ship to France."),
        ("Does the return policy cover sale items?", "Yes.", "The return policy covers sale items."),
        ("Isn't the trial free?", "No.", "The trial is not free."),
        ("If I pay late, can I still return it?", "No.", "You cannot still return it if you pay late."),
        ("Is it true that the Basic plan includes SSO?", "No.", "The Basic plan does not include SSO."),
        ("True or false: refunds take 5 days.", "No.", "Refunds do not take 5 days."),
        ("Has the museum opened?", "Yes, it has.", "The museum has opened."),
        ("Was the report written by Ann Lee?", "No.", "The report was not written by Ann Lee."),
        ("Must I pay in advance?", "No.", "You do not have to pay in advance."),
        ("Are items bought on sale refundable?", "Yes.", "Items bought on sale are refundable."),
        ("Are children under 5 free?", "Yes.", "Children under 5 are free."),
        ("Hello! I have Basic. Does it support SSO?", "No.", "It does not support SSO."),
        ("does basic have sso", "yes", "Basic has sso."),
    ],
)
def test_a_reply_and_its_question_make_a_statement(question: str, answer: str, statement: str) -> None:
    split = split_answer(answer, question)
    assert [split.text_of(claim) for claim in split.claims] == [statement]
    assert [answer[claim.start : claim.end] for claim in split.claims] == [answer]


@pytest.mark.parametrize(
    ("question", "answer", "claims"),
    [
        ("Can I return it?", "Yes. You have 30 days.", ["You can return it.", "You have 30 days."]),
        ("Can I return it?", "Yes, and it is free.", ["You can return it.", "it is free."]),
        ("Does Basic include SSO?", "No, you need Pro.", ["Basic does not include SSO.", "you need Pro."]),
        ("Does Basic include SSO?", "No, Basic does not include SSO.", ["Basic does not include SSO."]),
        ("Can I return sale items?", "Yes. You can return sale items.", ["You can return sale items."]),
        (
            "Can I return sale items?",
            "No. You can return sale items.",
            ["You cannot return sale items.", "You can return sale items."],
        ),
        ("Can I park here?", "No parking is allowed.", ["No parking is allowed."]),
        ("Can I return it?", "Only members can return items.", ["Only members can return items."]),
        ("Can I return it?", "Not all items can be returned.", ["Not all items can be returned."]),
        ("Can I return it?", "You have to pay first.", ["You have to pay first."]),
        (
            "Can I undo it?",
            "As long as it is open, the sender can undo it.",
            ["As long as it is open, the sender can undo it."],
        ),
        ("Can I send it?", "When you open it you can send it.", ["When you open it you can send it."]),
        (
            "Can I send it?",
            "Yes, in the apps, open it and tap Send.",
            ["in the apps, open it and tap Send."],
        ),
        ("What does it cost?", "No, the fee is 5 euros.", ["the fee is 5 euros."]),
    ],
)
def test_what_speaks_for_itself_stays_a_claim_of_its_own(question: str, answer: str, claims: list[str]) -> None:
    split = split_answer(answer, question)
    assert [split.text_of(claim) for claim in split.claims] == claims


@pytest.mark.parametrize(
    "question", ["What is it?", "Can you explain refunds?", "Do you know what it costs?", "SSO?", "", "List all fees."]
)
def test_a_question_that_yes_does_not_answer_has_no_statement(question: str) -> None:
    assert read_question(question) is None


_HAS, _LACKS = "The product supports SSO on all plans.", "The product does not support SSO."
_TAKES_BACK, _KEEPS = "Sale items can be returned within 14 days.", "Sale items cannot be returned."


@pytest.mark.parametrize(
    ("question", "answer", "chunk", "verdict"),
    [
        ("Does it support SSO?", "No, it does not.", _HAS, Verdict.CONTRADICTED),
        ("Does it support SSO?", "No, it does not.", _LACKS, Verdict.SUPPORTED),
        ("Does it support SSO?", "Yes, it does.", _LACKS, Verdict.CONTRADICTED),
        ("Does it support SSO?", "Yes, it does.", _HAS, Verdict.SUPPORTED),
        ("Does it support SSO?", "Nope", _HAS, Verdict.CONTRADICTED),
        ("It supports SSO, right?", "Correct.", _LACKS, Verdict.CONTRADICTED),
        ("Can I return sale items?", "Yes, you can.", _KEEPS, Verdict.CONTRADICTED),
        ("Can I return sale items?", "Yes, you can.", _TAKES_BACK, Verdict.SUPPORTED),
        ("Can I return sale items?", "Never.", _TAKES_BACK, Verdict.CONTRADICTED),
        ("Can sale items be returned?", "Absolutely", _KEEPS, Verdict.CONTRADICTED),
        ("Can sale items be returned?", "No.", _KEEPS, Verdict.SUPPORTED),
        ("Are dogs allowed in the cafe?", "Yes.", _HAS, Verdict.NOT_MENTIONED),
    ],
)
@pytest.mark.parametrize("judge", [judge_sample, rules.judge_sample], ids=["embedded", "lexical"])
def test_a_reply_is_judged_as_what_it_states(
    judge: object, question: str, answer: str, chunk: str, verdict: Verdict
) -> None:
    assert callable(judge)
    (claim,) = judge(Sample.of(answer, [chunk], question=question)).claims
    assert claim.verdict is verdict
    assert claim.spans[0].of(answer) == answer
    assert all((item.start, item.end) == (0, len(answer)) for item in claim.mismatches)
