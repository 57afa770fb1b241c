"""What is removed with an unsupported claim, and that what stays still reads as it should."""

from dataclasses import replace

import pytest

from tests.factories import make_claim
from tests.services.guard.made import BAD, GOOD, claim, corrected, draft, without

A, B, C = "Ants have six legs.", "Bees dance at noon.", "Cats see ghosts."


@pytest.mark.parametrize(
    ("answer", "bad", "expected"),
    [
        (f"{A} {B} {C}", A, f"{B} {C}"),
        (f"{A} {B} {C}", B, f"{A} {C}"),
        (f"{A} {B} {C}", C, f"{A} {B}"),
        (f"{A}  {B}\t{C}", B, f"{A}  {C}"),
        (f"{A}\n\n{B}\n\n{C}", B, f"{A}\n\n{C}"),
        (f"{A}\n\n{B}\n\n{C}", C, f"{A}\n\n{B}"),
        (f"{A}\n\n{B}\n\n{C}\n", C, f"{A}\n\n{B}\n"),
        (f"{A}\r\n{B}\r\n{C}", B, f"{A}\r\n{C}"),
        (f"- {A}\n- {B}\n- {C}\n\nThat is all.", C, f"- {A}\n- {B}\n\nThat is all."),
        (f"- {A}\n- {B}\n- {C}", A, f"- {B}\n- {C}"),
        (f"1. {A}\n2. {B}\n3. {C}", B, f"1. {A}\n3. {C}"),
        (f"* **Bees:** {B}\n* {A} {C}", B, f"* {A} {C}"),
        (f"| who | what |\n|---|---|\n| a | {A} |\n| b | {B} |\n| c | {C} |", B, None),
    ],
)
def test_the_claims_sentence_goes_with_the_space_that_belongs_to_it(
    answer: str, bad: str, expected: str | None
) -> None:
    good = [text for text in (A, B, C) if text != bad]
    if expected is None:
        expected = f"| who | what |\n|---|---|\n| a | {A} |\n| c | {C} |"
    assert without(answer, good, [bad]) == expected


@pytest.mark.parametrize(
    ("answer", "good", "bad", "expected"),
    [
        # clauses
        ("Ants have six legs, and bees dance at noon.", ["Ants have six legs"], ["bees dance at noon."],
         "Ants have six legs."),
        ("Ants have six legs, and bees dance at noon.", ["bees dance at noon."], ["Ants have six legs"],
         "Bees dance at noon."),
        ("Ants have six legs; bees dance; cats see ghosts!",
         ["Ants have six legs", "cats see ghosts!"], ["bees dance"], "Ants have six legs; cats see ghosts!"),
        ("(Ants have six legs, while bees dance at noon.)", ["Ants have six legs"], ["bees dance at noon."],
         "(Ants have six legs.)"),
        # what hangs on the sentence before
        ("Yes. Bees dance at noon. Ants have six legs.", [A], [B], A),
        ("Yes, they do. Bees dance at noon. Ants have six legs.", [A], [B], A),
        (f"{A} Bees dance at noon. [1]", [A], [B], A),
        ("Sure! Bees dance at noon. Ants have six legs.", [A], [B], A),
        # what announces
        (f"There are options:\n- {B}\n- {C}\n\n{A}", [A], [B, C], A),
        (f"{A} Then there are options:\n\n- {B}\n- {C}", [A], [B, C], A),
        (f"# Ants\n\n{A}\n\n# Bees\n\n{B}\n\n# Cats\n\n{C}", [A, C], [B], f"# Ants\n\n{A}\n\n# Cats\n\n{C}"),
        (f"# Ants\n\n{A}\n\n# Bees\n\n## Dances\n\n{B}", [A], [B], f"# Ants\n\n{A}"),
        (f"**Ants**\n{A}\n\n**Bees**\n{B}\n", [A], [B], f"**Ants**\n{A}\n"),
        (f"{A}\n\n| who | what |\n|---|---|\n| b | {B} |", [A], [B], A),
        (f"- Insects:\n  - {B}\n  - {C}\n- {A}", [A], [B, C], f"- {A}"),
        # marks that belong together
        (f"{A} **{B} {C}**", [A], [B, C], A),
        (f"{A}\n\n“{B} {C}”", [A], [B, C], A),
    ],
)  # fmt: skip
def test_the_smallest_clean_part_goes(answer: str, good: list[str], bad: list[str], expected: str) -> None:
    assert without(answer, good, bad) == expected


@pytest.mark.parametrize(
    ("answer", "good", "bad"),
    [
        ("Bees dance at noon, and they have six legs.", ["they have six legs."], ["Bees dance at noon"]),
        ("Ants and bees have six legs in summer.", ["Ants and bees have six legs"], ["in summer"]),
        ("Ants have six legs.", ["Ants have six legs."], ["six"]),
        (f"**{A} {B}**", [A], [B]),
        (f"“{A} {B}”", [A], [B]),
        (f"- {B}\n  - {A}", [A], [B]),
        (f"| who | what |\n|---|---|\n| {A} | {B} |", [A], [B]),
    ],
)
def test_what_cannot_be_separated_stays_and_is_named(answer: str, good: list[str], bad: list[str]) -> None:
    made = draft(answer, [*(claim(answer, q, GOOD) for q in good), *(claim(answer, q, BAD) for q in bad)])
    assert made.edits == ()
    assert made.notes == (f"Claim {len(good) + 1} could not be removed without removing supported words.",)


def test_code_goes_as_a_whole() -> None:
    answer = f"{A}\n\n```sh\nbees --dance\n\nbees --noon\n```\n\nMore."
    assert without(answer, [A], ["bees --noon"]) == f"{A}\n\nMore."


def test_hard_wrapped_text_is_one_sentence() -> None:
    answer = (
        "All ants that anybody has ever seen had six legs and so did\nBees in the garden of my aunt. Cats see ghosts."
    )
    bad = ["All ants that anybody has ever seen had six legs and so did", "Bees in the garden of my aunt."]
    assert without(answer, [C], bad) == C
    assert without(answer, [C, bad[1]], bad[:1]) == answer


def test_a_lead_in_that_counts_a_list_which_is_now_shorter_is_named() -> None:
    answer = f"There are three options:\n\n- {A}\n- {B}\n- {C}"
    made = draft(answer, [claim(answer, A, GOOD), claim(answer, B, BAD), claim(answer, C, GOOD)])
    assert made.notes == ("“There are three options:” may state a larger number than the list now has.",)


def test_an_answer_without_anything_supported_is_not_emptied() -> None:
    answer = f"Hello! {A} {B}"
    made = draft(answer, [claim(answer, A, BAD), claim(answer, B, BAD)])
    assert (made.edits, made.notes) == ((), ("Nothing in this answer is supported, so there is nothing to keep.",))


def test_a_refusal_may_be_all_that_is_left() -> None:
    refusal = "The context does not say what bees do."
    assert without(f"{refusal} {B}", [], [B]) == refusal


def test_a_claim_that_is_nowhere_in_the_answer_is_named() -> None:
    made = draft(A, [claim(A, A, GOOD), make_claim("Dogs fly.", BAD)])
    assert made.notes == ("Claim 2 cannot be found in the answer, so nothing was changed for it.",)
    assert made.edits == ()


def test_a_claim_said_twice_goes_twice() -> None:
    answer = f"{B} {A} {B}"
    twice = claim(answer, B, BAD)
    second = claim(answer, B, BAD, occurrence=1)
    both = replace(twice, spans=(*twice.spans, *second.spans))
    assert corrected(answer, [both, claim(answer, A, GOOD)]) == A


def test_edits_name_their_claims_and_their_reasons() -> None:
    answer = f"{A} {B}"
    (edit,) = draft(answer, [claim(answer, A, GOOD), claim(answer, B, BAD)]).edits
    assert (edit.start, edit.end, edit.replacement, edit.claim_numbers) == (len(A), len(answer), "", (2,))
    assert edit.reason == "The chunks do not mention this."
