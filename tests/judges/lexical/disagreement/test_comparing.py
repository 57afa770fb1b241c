"""Two statements of documents: when they contradict each other, in which words, and when both may be right."""

import pytest

from faithview.domain.contradiction import ContradictionKind as Kind
from faithview.judges.lexical.disagreement.comparing import find_disagreement
from faithview.judges.lexical.disagreement.documents import Source
from faithview.judges.lexical.disagreement.vocabulary import Vocabulary

# What else a knowledge base says, so that words have weights.
_REST = (
    "Open the app and choose Settings. Your profile has a picture and a name.",
    "Invoices are e-mailed to the billing contact. You can pay by card or by transfer.",
    "Our support answers on weekdays. Write to us or call the hotline.",
    "A board has columns. Each task has one assignee and a due date.",
    "Open the board and press the plus sign. The task appears at the end.",
    "Every board has a name. A task can be moved by its assignee.",
    "Share the board with your team. Write a comment below the task.",
    "Reports show how many conversations each team has closed.",
)


def _differ(one: str, other: str) -> tuple[Kind, str, str] | None:
    """Return the kind and the words of the first difference between two passages."""
    vocabulary = Vocabulary()
    passages = [Source(text).find_statements() for text in (one, other, *_REST)]
    for statements in passages:
        vocabulary.add(statements)
    for mine in passages[0]:
        for theirs in passages[1]:
            found = find_disagreement(mine, theirs, vocabulary)
            if found is not None:
                return found.kind, one[slice(*found.one)], other[slice(*found.other)]
    return None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param(
            "## Invitations\nAn invitation that isn't accepted expires after 7 days.",
            "## Inviting guests\nInvitations expire after 14 days if they aren't accepted.",
            (Kind.PERIOD, "7 days", "14 days"),
            id="period",
        ),
        pytest.param(
            "A replacement card costs €8. It comes by post.",
            "If your card is lost, call us. The replacement card costs €12.",
            (Kind.PRICE, "€8", "€12"),
            id="price",
        ),
        pytest.param(
            "Hand over up to 40 conversations at once with the button.",
            "Up to 30 conversations can be handed over at once.",
            (Kind.NUMBER, "40", "30"),
            id="number",
        ),
        pytest.param(
            "Applications for a place must be in by 15 January.",
            "Applications for a place must be in by 28 February.",
            (Kind.DATE, "15 January", "28 February"),
            id="date",
        ),
        pytest.param(
            "Days that you bought cannot be carried over to the next year.",
            "Bought days can be carried over to the next year if you do not use them.",
            (Kind.RULE, "cannot be carried", "carried"),
            id="rule",
        ),
        pytest.param(
            "Pull requests from forks never receive secrets of the project.",
            "Pull requests from forks receive the secrets of the project.",
            (Kind.RULE, "never receive", "receive"),
            id="never",
        ),
        pytest.param(
            "| Plan | Requests per second |\n| --- | --- |\n| Free | 5 |\n| Growth | 50 |\n\nLimits apply per account.",
            "On the Growth plan you may send 40 requests per second. The limits apply per account.",
            (Kind.NUMBER, "50", "40"),
            id="cell of a table",
        ),
        pytest.param(
            "The fixed part of the fee (25 cents) is kept when you refund a charge.",
            "Refunds are free, but the fixed part of the fee (30 cents) is kept.",
            (Kind.PRICE, "25 cents", "30 cents"),
            id="in brackets",
        ),
        pytest.param(
            "Drafts are deleted after 120 days. The newest ones are listed first.",
            "Don't wait, because drafts are deleted after 90 days.",
            (Kind.PERIOD, "120 days", "90 days"),
            id="in a reason",
        ),
    ],
)
def test_passages_that_say_different_things_of_the_same(one: str, other: str, expected: tuple[Kind, str, str]) -> None:
    found = _differ(one, other)
    assert found is not None
    kind, mine, theirs = found
    assert (kind, mine.rstrip("."), theirs.rstrip(".")) == expected
    back = _differ(other, one)
    assert back is not None
    assert (back[0], back[2].rstrip("."), back[1].rstrip(".")) == expected, "in the other order"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "# Inviting guests (Business plan)\nGuests can upload files of up to 250 MB each.",
            "# Inviting guests (Team plan)\nGuests can upload files of up to 25 MB each.",
            id="plans in headings",
        ),
        pytest.param(
            "## DW-360 · Filling the container\nPour in 0.9 kg of dishwasher salt through the funnel.",
            "## DW-420 · Filling the container\nPour in 1.2 kg of dishwasher salt through the funnel.",
            id="models in headings",
        ),
        pytest.param(
            "Answer the webhook with status 200 within 5 seconds, since version 1 wants it so.",
            "Students answer the survey of the library within 5 weeks.",
            id="other subjects",
        ),
        pytest.param(
            "## Notice in Graz\nThe notice period for employees is 2 months in Graz.",
            "## Notice in Cork\nThe notice period for employees is 6 weeks in Cork.",
            id="places",
        ),
        pytest.param(
            "Deleted tasks stay in the trash for 14 days and can be restored.",
            "Deleted boards stay in the trash for 30 days and can be restored.",
            id="different things",
        ),
        pytest.param(
            "Bring the form, which is valid for 4 months.",
            "Bring the form, which is valid for four months.",
            id="the same in words",
        ),
        pytest.param(
            "An invitation expires after 7 days. A reminder of the invitation is sent after 2 days.",
            "The reminder of an invitation is sent after 2 days.",
            id="said elsewhere in the passage",
        ),
        pytest.param(
            "Seats cannot be removed on yearly billing until the renewal.",
            "Seats can be removed at any time on monthly billing.",
            id="rules for different billing",
        ),
        pytest.param(
            "You do not have to enter a reason when you recall a handover.",
            "You can enter a reason when you recall a handover.",
            id="no duty is no ban",
        ),
        pytest.param(
            "How many guests can I invite? Up to 5?",
            "You can invite up to 40 guests.",
            id="a question states nothing",
        ),
    ],
)
def test_passages_that_may_both_be_right(one: str, other: str) -> None:
    assert _differ(one, other) is None
    assert _differ(other, one) is None


def test_labels_of_the_metadata_keep_passages_apart() -> None:
    texts = "Guests can upload files of up to 250 MB each.", "Guests can upload files of up to 25 MB each."
    for plans, is_found in ((("", ""), True), (("Team", "Team"), True), (("Team", "Business"), False)):
        vocabulary = Vocabulary()
        sides = [
            Source(text, labels=[("plan", plan)] if plan else []).find_statements()
            for text, plan in zip(texts, plans, strict=True)
        ]
        for statements in sides:
            vocabulary.add(statements)
        found = find_disagreement(sides[0][0], sides[1][0], vocabulary)
        assert (found is not None) == is_found, plans
