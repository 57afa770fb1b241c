"""The contrast pairs: what each family of edits does to a statement, and what is shown beside it."""

import random
import re

import pytest

from tests.helpdesk import Change, HelpdeskAnswer, State
from tests.training.contrasts.edits import paraphrase, wrong_edits
from tests.training.contrasts.pairs import answers_beside_contrasts, contrast_pairs, documents, some_groups
from tests.training.contrasts.plain import without_markup
from tests.training.contrasts.words import WRONG
from tests.training.reader_pairs import Pair

_CHUNK = """## Moving plans
- An upgrade to **Teal** takes effect within 24 hours and is free of charge for all members.
- Only the owner may change the plan, unless the account is locked; requests are answered by email.

| | Wren | Teal |
|---|---|---|
| Price per month | £9 | £16 |"""


def _pairs(seed: int) -> list[Pair]:
    return list(contrast_pairs(documents([_answer(), _answer()]), random.Random(seed)))


def _answer() -> HelpdeskAnswer:
    return HelpdeskAnswer(
        answer_id="a/1",
        domain="a",
        doc="plans",
        style="terse",
        question="Who may change it?",
        chunks=(_CHUNK,),
        answer="The change is up to the admin.",
        errors=(Change(24, 29, "owner", "contradiction"),),
        traps=(),
        state=State.AGREED,
    )


@pytest.mark.parametrize(
    ("family", "text", "wrong"),
    [
        ("quantifier", "All parts are kept.", {"Not all", "Hardly any", "None of", "Nearly all"}),
        ("bound", "It takes up to 5 days.", {"at least", "more than", "from"}),
        ("order", "Pay before arrival.", {"after", "departure"}),
        ("direction", "The fee is higher.", {"lower"}),
        ("modal", "You must ring first.", {"may", "can", "need not", "should"}),
        ("negation", "Dogs are not allowed.", {"are"}),
        ("price", "Refills are free.", {"charged for", "€10"}),
        ("unit", "It takes two days.", {"weeks", "hours", "months"}),
        ("time", "Closed on Mondays.", {"Thursdays", "Saturdays", "Sundays"}),
        ("who", "The sender pays in person.", {"online"}),
        ("number word", "Bring two photos.", {"one", "three", "four", "five"}),
        ("name", "It is part of Teal now.", {"Wren"}),
        ("couple", "Ask for Teal or Wren there.", {"Wren or Teal"}),
        ("list", "Bring pens, paper and glue.", {"scissors", ", scissors"}),
    ],
)
def test_an_edit_changes_words_of_its_family_and_marks_them(family: str, text: str, wrong: set[str]) -> None:
    made = [wrong_edits(text, ("Teal", "Wren"), ("scissors",), random.Random(seed))[family] for seed in range(40)]
    for edit in made:
        assert edit.wrong is not None
        start, end = edit.wrong
        assert edit.text != text
        assert edit.text.startswith(text[:start])
        assert text.endswith(edit.text[end:])
    assert {edit.text[edit.wrong[0] : edit.wrong[1]] for edit in made if edit.wrong} == wrong


@pytest.mark.parametrize(
    ("family", "text", "left"),
    [
        ("condition", "Returns are free, unless the box is open.", "Returns are free."),
        ("condition", "If it rains, the tour takes place indoors.", "The tour takes place indoors."),
        ("only left out", "The owner may only change the plan.", "The owner may change the plan."),
        ("limit left out", "We refund up to 50 crowns.", "We refund 50 crowns."),
    ],
)
def test_a_condition_or_a_limit_that_is_left_out_is_not_marked(family: str, text: str, left: str) -> None:
    edit = wrong_edits(text, (), (), random.Random(1))[family]
    assert (edit.text, edit.wrong, edit.label, edit.reversible) == (left, None, "not_entailed", False)


def test_a_number_becomes_another_one_and_an_identifier_stays() -> None:
    text = "A room costs 1,200 on v2.1."
    made = {wrong_edits(text, (), (), random.Random(seed))["number"].text for seed in range(30)}
    assert len(made) > 3
    assert all(text.startswith("A room costs ") and text.endswith(" on v2.1.") for text in made)
    assert "A room costs 1,200 on v2.1." not in made


@pytest.mark.parametrize(
    ("text", "bounds"),
    [("Lockers cost €20 for a week.", "€"), ("Keys are kept 40 days.", " days")],
)
def test_an_amount_is_compared_to_one_that_fits_and_to_one_that_does_not(text: str, bounds: str) -> None:
    amount = int(re.sub(r"\D", "", text))
    wrong = [wrong_edits(text, (), (), random.Random(seed))["comparison"].text for seed in range(30)]
    right = [
        made for seed in range(300) if re.search("(less|more) than", made := paraphrase(text, random.Random(seed)))
    ]
    assert right
    for fits, versions in ((True, right), (False, wrong)):
        for version in versions:
            says = re.search(r"(less|more) than €?(\d+)", version)
            assert says is not None
            assert bounds in version
            assert (amount < int(says[2]) if says[1] == "less" else amount > int(says[2])) == fits


def test_a_monthly_price_is_given_for_a_year() -> None:
    text = "Storage costs €9 a month."
    assert "Storage costs €108 a year." in {paraphrase(text, random.Random(seed)) for seed in range(300)}
    wrong = {wrong_edits(text, (), (), random.Random(seed))["comparison"].text for seed in range(60)}
    assert "Storage costs €99 a year." in wrong
    assert "Storage costs €108 a year." not in wrong


def test_what_nobody_said_is_added_before_the_full_stop() -> None:
    edits = wrong_edits("Dogs stay outside.", (), (), random.Random(2))
    for family in ("reason", "added"):
        assert edits[family].label == "neutral"
        assert edits[family].text.startswith("Dogs stay outside ")
        assert edits[family].text.endswith(".")


def test_a_paraphrase_keeps_numbers_and_names() -> None:
    text = "If you cancel up to 2 days before the start, Teal returns most of the fee."
    made = {paraphrase(text, random.Random(seed)) for seed in range(200)}
    assert "Teal returns most of the fee if you cancel up to 2 days before the start." in made
    assert "If you cancel up to two days before the start, Teal returns most of the fee." in made
    assert all("Teal" in version and ("2" in version or "two" in version) for version in made)


def test_no_word_for_a_wrong_edit_is_its_own_replacement() -> None:
    for swaps in WRONG.values():
        for swap in swaps:
            assert not any(swap.pattern.fullmatch(word) for word in swap.becomes if "\\" not in word)


def test_markup_goes_and_words_stay() -> None:
    assert without_markup(_CHUNK) == (
        "Moving plans\n"
        "An upgrade to Teal takes effect within 24 hours and is free of charge for all members.\n"
        "Only the owner may change the plan, unless the account is locked; requests are answered by email.\n"
        "\n"
        "Wren, Teal\n"
        "Price per month, £9, £16"
    )


def test_every_statement_is_there_right_and_wrong_and_the_same_seed_gives_the_same() -> None:
    pairs = _pairs(4)
    assert pairs == _pairs(4)
    assert pairs != _pairs(5)
    labels: dict[str, set[bool]] = {}
    for pair in pairs:
        labels.setdefault(pair.group, set()).add(pair.label == "entailed")
    assert len(labels) == 3
    assert all(both == {True, False} for both in labels.values())


def test_the_document_is_shown_short_and_whole_marked_up_and_plain_and_changed() -> None:
    shown = {pair.passages for seed in range(40) for pair in _pairs(seed)}
    assert any("**Teal**" in passages for passages in shown)
    assert any("|" in passages for passages in shown)
    assert any("upgrade to Teal" in passages for passages in shown)
    assert any("\n" not in passages for passages in shown)
    assert any("upgrade" in passages and "owner" in passages for passages in shown)
    assert any("upgrade" in passages and "24 hours" not in passages for passages in shown)


def test_a_cell_of_a_table_is_mixed_up_with_the_next_column() -> None:
    wrong = [pair.claim for seed in range(20) for pair in _pairs(seed) if pair.label != "entailed"]
    assert any("Teal" in claim and "£9" in claim for claim in wrong)


def test_a_right_claim_of_an_answer_is_beside_its_sentence_and_wrong_versions_of_both() -> None:
    copied = freely_wrong = copied_wrong = 0
    for seed in range(8):
        first, *others = answers_beside_contrasts([_answer()], random.Random(seed))
        assert (first.claim, first.label, first.wrong) == ("The change is up to the owner.", "entailed", ())
        right = [pair for pair in others if pair.label == "entailed"]
        wrong = [pair for pair in others if pair.label != "entailed"]
        assert {pair.group for pair in others} == {first.group}
        assert len({first.claim, *(pair.claim for pair in right)}) == 1 + len(right)
        assert len(wrong) >= 2
        for pair in wrong:
            assert pair.claim not in _CHUNK
            assert {"the", "account", "change", "owner"} & set(re.findall(r"\w+", pair.claim.lower()))
        copied += any(pair.claim in _CHUNK for pair in right)
        freely_wrong += any("up to" in pair.claim for pair in wrong)
        copied_wrong += any("up to" not in pair.claim for pair in wrong)
    assert copied
    assert freely_wrong
    assert copied_wrong == 8


def test_versions_are_drawn_together() -> None:
    pairs = _pairs(4)
    drawn = some_groups(pairs, 1 / 3, random.Random(1))
    assert drawn == [pair for pair in pairs if pair.group == drawn[0].group]
    assert some_groups(pairs, 0, random.Random(1)) == []
