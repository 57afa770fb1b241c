"""Citations, Markdown and lists of sources are not a part of claims, and end sentences where they follow one."""

import pytest

from faithview.domain.claim import Verdict
from faithview.domain.sample import Sample
from faithview.judges.embedded.judge import judge_sample
from faithview.judges.lexical.splitting.claims import split_answer

_TWO = ["You can return an item within 30 days.", "Sale items can be returned."]


def texts(answer: str) -> list[str]:
    split = split_answer(answer)
    return [split.text_of(claim) for claim in split.claims]


@pytest.mark.parametrize(
    "mark",
    [
        *(
            "[1]",
            " [1]",
            "[1][2]",
            "[^1]",
            "¹",
            "²³",
            "【1】",
            "【4:0†source】",
            " [doc1]",
            " (2)",
            " (see returns.md)",
        ),
        *(
            " (Source: returns.md)",
            "[[1]](https://x.y)",
            "<sup>1</sup>",
            " 🎉",
            "✅",
            "👍🏽",
            "<br>",
            "\n\n",
            " [returns.md]",
        ),
    ],
)
def test_a_mark_ends_a_sentence(mark: str) -> None:
    answer = f"You can return an item within 30 days.{mark} Sale items can be returned.{mark}"
    split = split_answer(answer)
    assert texts(answer) == _TWO
    assert [answer[claim.start : claim.end] for claim in split.claims] == _TWO


def test_an_emoji_ends_a_sentence_without_a_full_stop() -> None:
    assert texts("You can return an item 🎉 Sale items are final 😀") == [
        "You can return an item",
        "Sale items are final",
    ]
    assert texts("I ❤️ Rome.") == ["I ❤️ Rome."]


def test_a_citation_between_two_sentences_does_not_hide_a_wrong_one() -> None:
    answer = "You can return an item within 30 days.[1] Sale items can be returned.[2]"
    chunks = ["You can return an item within 30 days.", "Sale items cannot be returned."]
    claims = judge_sample(Sample.of(answer, chunks, question="What can I return?")).claims
    assert [claim.verdict for claim in claims] == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    assert [claim.text for claim in claims] == _TWO


@pytest.mark.parametrize(
    "ending",
    [
        "[1][2]",
        "(2)",
        "(Source: returns.md)",
        "Source: returns.md",
        "Sources: returns.md, faq.md",
        "Sources: [1], [2]",
        "**Sources:**\n- returns.md\n- faq.md",
        "**Sources:**\n\n1. Returns policy\n2. Help page",
        "Sources:\nReturns policy\nHelp page",
        "## References\n- [1] Returns policy, section 2\n- [2] FAQ",
        "**References**:\n[1] Returns policy\n[2] https://x.y/faq",
        "Citations:\n* https://x.y/returns\n* https://x.y/faq",
        "[^1]: Returns policy, page 3.\n[^2]: Sale items are in section 4.",
        "[1]: https://x.y/returns",
        "[1] Returns policy",
        "¹ returns.md",
        "https://x.y/returns",
        "See https://x.y/returns.",
        "(see returns.md)",
        "Learn more: https://x.y/returns",
        "---\n*Sources: returns.md*",
        "Works cited\n- Returns policy",
    ],
)
def test_sources_are_not_claims(ending: str) -> None:
    assert texts("\n".join([*_TWO, "", ending])) == _TWO


def test_what_follows_a_list_of_sources_is_a_claim() -> None:
    answer = "**Sources:**\n- returns.md\n\nYou can return an item within 30 days."
    assert texts(answer) == ["You can return an item within 30 days."]
    assert texts("Source: returns.md\nSale items can be returned.") == ["Sale items can be returned."]
    assert texts("[1] Sale items can be returned") == ["Sale items can be returned"]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("You can **return** an item within `30 days`.", ["You can return an item within 30 days."]),
        ("- **Price**: 5 euros\n- [Support](https://x.y) is free", ["Price: 5 euros", "Support is free"]),
        ("1. Open the [menu](https://x.y).\n2. Press *Save*.", ["Open the menu.", "Press Save."]),
        ("> The plan costs **5 euros**.", ["The plan costs 5 euros."]),
        ("- [x] The plan includes SSO.", ["The plan includes SSO."]),
        ("# Prices\nThe plan costs 5 euros.", ["The plan costs 5 euros."]),
        ("Prices\n======\nThe plan costs 5 euros.", ["The plan costs 5 euros."]),
        ("<h2>Prices</h2><p>The plan costs 5 euros.</p>", ["The plan costs 5 euros."]),
        ("The plan costs 5 euros.<br>It includes SSO.", ["The plan costs 5 euros.", "It includes SSO."]),
        ("The plan costs 5 euros<br/>Support is free", ["The plan costs 5 euros", "Support is free"]),
        ("<ul><li>Support is free</li><li>SSO is included</li></ul>", ["Support is free", "SSO is included"]),
        ("| Plan | Price |\n|---|---|\n| **Basic** | `5 euros` |", ["Basic | 5 euros"]),
        ("```text\nThe plan costs 5 euros.\n```", ["The plan costs 5 euros."]),
        ("**The plan costs 5 euros.**", ["The plan costs 5 euros."]),
        ("**30 days**", ["30 days"]),
        ("**Prices**\n\nThe plan costs 5 euros.", ["The plan costs 5 euros."]),
        ("1️⃣ The plan costs 5 euros", ["The plan costs 5 euros"]),
        ("The plan costs ~~7~~ 5 euros.", ["The plan costs 5 euros."]),
        ("✅ The plan includes SSO.", ["The plan includes SSO."]),
        ("Go to https://x.y/pay to pay.", ["Go to https://x.y/pay to pay."]),
    ],
)
def test_no_mark_enters_a_claim(answer: str, claims: list[str]) -> None:
    assert texts(answer) == claims


def test_the_claims_of_a_marked_answer_are_judged_as_those_of_a_bare_one() -> None:
    chunks = ["You can return an item within 30 days.", "The Basic plan costs 5 euros a month and includes support."]
    bare = "You can return an item within 30 days. The Basic plan costs 7 euros a month."
    marked = (
        "You can **return** an item within `30 days`.[1] The [Basic plan](https://x.y) costs **7 euros** a month【2】."
    )
    one, other = (judge_sample(Sample.of(answer, chunks, question="What?")).claims for answer in (bare, marked))
    assert [claim.text for claim in one] == [claim.text for claim in other]
    assert (
        [claim.verdict for claim in one]
        == [claim.verdict for claim in other]
        == [Verdict.SUPPORTED, Verdict.CONTRADICTED]
    )
