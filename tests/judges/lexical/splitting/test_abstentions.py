"""Which answers only say that the context does not tell, and which look like that and state a fact."""

import pytest

from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.splitting.claims import split_answer

_CHUNK = "The Basic plan costs 5 euros a month and comes with e-mail support."

_ABSTENTIONS = """
I don't know.
I do not know.
I am sorry, I do not know.
I'm sorry, but I don't know.
Sorry, I don't know the answer to that.
Unfortunately, I do not know.
I really don't know.
I honestly do not know the answer.
We do not know.
I don't know whether sale items can be returned.
I do not know about the refund fee.
I'm not sure.
I am not sure about that, sorry.
I'm not certain.
I have no idea.
No idea.
I have no information about that.
I have no information on refund fees.
I don't have that information.
I do not have enough information to answer this question.
I don't have access to that information.
I'm afraid I can't answer that.
I'm afraid I do not have an answer to your question.
I cannot answer this question.
I can't say.
I cannot tell.
I can't help with that.
I'm unable to answer this.
I was unable to find any information about refunds.
I am not able to determine the price from the given passages.
I could not find the answer in the documents.
I couldn't find anything about refunds.
I did not find any mention of a refund fee.
I found nothing about refunds in the documents.
I see no mention of a fee in the context.
Cannot be determined.
This cannot be determined from the provided context.
The answer cannot be found in the documents.
It is not possible to say from the given information.
It's impossible to tell from the context.
Hard to say.
Unknown.
Unclear.
Not mentioned.
Not specified in the documents.
Not enough information.
Insufficient information to answer.
No information available.
No answer found.
There is no information about refund fees.
There is no mention of a refund fee in the provided documents.
There isn't enough information to answer the question.
The context does not say.
The context doesn't mention a refund fee.
The documents do not mention a refund fee.
The provided documents do not contain information about refunds.
None of the documents mention a refund fee.
None of the passages say how long a refund takes.
Neither passage mentions a fee.
Nothing in the context answers this question.
The sources are silent on this point.
The context contains nothing about refunds.
The refund fee is not mentioned in the context.
The refund fee is not specified.
That is not stated in the documents.
It is not mentioned.
That information is not available.
The requested information is not included in the context.
Information about refund fees is not provided.
Your question is outside the scope of the provided documents.
This is beyond my knowledge.
As an AI language model, I do not know.
As an AI, I don't have access to that information.
Based on the provided context, I cannot answer that.
Based on the documents, it is not possible to determine the fee.
According to the documents, there is no information about refunds.
I would need more information to answer this.
More information is needed to answer the question.
My sources do not say.
I apologize, but I do not have information about that.
My apologies, I don't know.
I apologise for the inconvenience, but I could not find an answer.
I regret to say that I do not know.
Thank you for your question. Unfortunately, I do not have that information.
Great question! I'm sorry, but I don't know.
I don't know. Please contact our support team.
I'm sorry, but I couldn't find information about refunds. Please contact customer support for further assistance.
Unfortunately, the documents do not mention refund fees. You may want to check the website for more information.
I do not know. Is there anything else I can help you with?
I'm sorry, I don't know. Let me know if you have other questions.
I wish I could tell you, but I don't know.
It seems that the context does not cover this.
As far as I can see, the documents do not mention this.
The passages do not mention a price, so I can't tell.
While I would love to help, I don't have that information.
I must admit that I do not know.
I lack the information to answer this.
I am not aware of any refund fee.
The answer is not in the text.
The answer to this question is not in the context.
No passage mentions this.
The context is insufficient to answer this question.
This information is missing from the context.
The information needed to answer is not in the documents.
No relevant passages found.
Information not found.
I do not possess that information.
I was not given any information about this.
We don't have that information.
Not that I know of.
Don't know.
I've no idea.
""".strip().splitlines()


@pytest.mark.parametrize("answer", _ABSTENTIONS)
def test_an_answer_that_only_says_that_it_does_not_know_abstains(answer: str) -> None:
    result = judge_sample(Sample.of(answer, [_CHUNK], question="What is the refund fee?"))
    assert (result.state, result.claims) == (State.ABSTAINED, ())


@pytest.mark.parametrize(
    "answer",
    """
The plan does not include SSO.
You cannot return sale items.
Sale items cannot be returned.
We do not know your password.
We do not know what you buy.
We cannot give refunds for this item.
We cannot provide refunds for sale items.
We do not offer refunds.
The policy does not cover water damage.
The policy does not cover accidental damage in this case.
Breakage is not covered by the policy.
The guide does not include maps.
Our website does not offer refunds.
The page does not show prices.
The listing does not include parking.
Breakfast is not included.
SSO is not available.
It is not included in the Basic plan.
SSO is not included in the package content.
Parking is not provided.
There is no refund fee.
There is no fee for this.
There is no information desk at the airport.
There are no hidden costs.
No data is stored on our servers.
No refunds are given.
No answer sheets are handed out.
The app does not have a dark mode.
You can't verify your account without this code.
You cannot find the option in the menu.
If you do not know your password, click Reset.
If you cannot find the answer in the documentation, contact support.
Contact support if you don't know your order number.
Support cannot answer questions about taxes.
The bank cannot give this information by phone.
The customer does not know the price in advance.
Nobody knows the password but you.
The driver does not know the address before he accepts.
The seller is not responsible for this.
The file cannot be found on the server.
The cause of the fire could not be determined.
Unknown callers are blocked.
It does not require a receipt.
It does not cost anything.
They do not ship to France.
She did not say anything to him.
The author never mentions his father by name.
The warranty does not apply to this.
The device is unable to connect.
The device cannot be repaired.
Customers are unable to cancel after 30 days.
Not all plans include SSO.
The Basic plan lacks SSO.
Nothing is free.
None of the plans include SSO.
Neither plan includes SSO.
You need more storage to upgrade.
Further details are on the invoice.
This is beyond the warranty period.
It is not possible to return sale items.
It is impossible to cancel after shipping.
You do not have to give a reason.
There is no evidence that coffee causes cancer.
Without a receipt we are unable to accept returns.
There are no details to enter.
There is not enough data to restore the backup.
We do not have any stock left.
No information is shared with advertisers.
This article is not available.
The system does not store information about visitors.
""".strip().splitlines(),
)
def test_a_negative_fact_is_a_claim(answer: str) -> None:
    split = split_answer(answer, "What is the refund fee?")
    assert len(split.claims) == 1
    assert split.refusals == ()


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("I don't know about refunds, but the Basic plan costs 5 euros.", ["the Basic plan costs 5 euros."]),
        ("I'm not sure about refunds, however the plan costs 5 euros.", ["the plan costs 5 euros."]),
        ("I do not know the fee; the plan itself costs 5 euros.", ["the plan itself costs 5 euros."]),
        ("The plan costs 5 euros, but I don't know the refund fee.", ["The plan costs 5 euros"]),
        ("The plan costs 5 euros, although the documents do not mention a refund fee.", ["The plan costs 5 euros"]),
        ("While the context does not mention refunds, the plan costs 5 euros.", ["the plan costs 5 euros."]),
        ("Although I do not know the fee, it is paid monthly.", ["it is paid monthly."]),
        ("I'm sorry, but the plan does not include SSO.", ["the plan does not include SSO."]),
        ("I don't know. The plan costs 5 euros.", ["The plan costs 5 euros."]),
        ("I don't know. Please call 555-0100.", ["Please call 555-0100."]),
    ],
)
def test_what_is_said_beside_an_abstention_is_a_claim(answer: str, claims: list[str]) -> None:
    split = split_answer(answer)
    assert [split.text_of(claim) for claim in split.claims] == claims
    assert bool(split.refusals) == ("sorry" not in answer)
