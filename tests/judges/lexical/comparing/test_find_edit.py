"""Claims that nearly repeat a sentence: the swapped word is the finding, and a paraphrase is none."""

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.comparing.comparison import EditKind, FoundEdit
from faithview.judges.lexical.comparing.edits import find_edit
from faithview.judges.lexical.judge import judge_sample


def _found(chunk: str, answer: str) -> tuple[FoundEdit, str, str] | None:
    """Return the edit with its words in the answer and in the chunk."""
    reading = read_answer(Sample.of(answer, [chunk]))
    edit = find_edit(reading.comparisons[0], reading.context)
    if edit is None:
        return None
    return edit, answer[slice(*edit.claim_span)], chunk[slice(*edit.passage_span)]


def _claim(chunk: str, answer: str) -> Claim:
    return judge_sample(Sample.of(answer, [chunk])).claims[0]


SWAPS = [
    (
        "If your ticket is lost, an operator may print it again, and an administrator can cancel it.",
        "If your ticket is lost, an administrator may print it again.",
        (EditKind.CLASS, "administrator", "operator"),
    ),
    (
        "After a power cut the pump starts again by itself after a delay of up to five minutes.",
        "After a power cut the pump starts again by itself after a delay of at least five minutes.",
        (EditKind.LIMIT, "at least", "up to"),
    ),
    (
        "If the store is full, the newest machines are left out of the next backup.",
        "If the store is full, the oldest machines are left out of the next backup.",
        (EditKind.CLASS, "oldest", "newest"),
    ),
    (
        "Invoices are sent by post before the end of the month if you ask for it.",
        "Invoices are sent by post after the end of the month if you ask for it.",
        (EditKind.CLASS, "after", "before"),
    ),
    (
        "Payment by invoice is possible from 25 seats with yearly billing.",
        "Payment by invoice is possible from 25 seats with monthly billing.",
        (EditKind.CLASS, "monthly", "yearly"),
    ),
    (
        "Above the limit every further megabyte of data costs 2 GB of your allowance.",
        "Above the limit every further gigabyte of data costs 2 GB of your allowance.",
        None,
    ),
    (
        "The brake must be checked by the dealer each spring before the first ride.",
        "The brake can be checked by the dealer each spring before the first ride.",
        (EditKind.CLASS, "can", "must"),
    ),
    (
        "The waiting period for hip problems is 6 months under Premium. There is none for those who chose Basic.",
        "The waiting period for hip problems is 6 months under Basic.",
        (EditKind.NAME, "Basic", "Premium"),
    ),
    (
        "A workspace in which nobody has signed in for nine months is frozen by the system.",
        "A workspace in which nobody has signed in for six months is frozen by the system.",
        (EditKind.VALUE, "six", "nine"),
    ),
]


@pytest.mark.parametrize(("chunk", "answer", "wanted"), SWAPS)
def test_a_swapped_word_is_found_with_the_word_in_its_place(
    chunk: str, answer: str, wanted: tuple[EditKind, str, str] | None
) -> None:
    found = _found(chunk, answer)
    sure = found if found is not None and found[0].is_sure else None
    assert wanted == (None if sure is None else (sure[0].kind, *sure[1:]))


def test_a_word_that_counts_and_is_left_out_is_found() -> None:
    found = _found(
        "Priority is given to the children of single parents in work, and then by age.",
        "Priority is given to the children of parents in work.",
    )
    assert found is not None
    assert (found[0].kind, found[0].is_sure, found[2]) == (EditKind.DROPPED, True, "single")


@pytest.mark.parametrize(
    ("chunk", "answer"),
    [
        ("Pets are not allowed in the apartment.", "Pets are forbidden in the apartment."),
        ("Roast the steaks in the centre of the oven for 20 minutes.", "Roast the steaks in the center of the oven."),
        ("Move the card to another board before you close it.", "Shift the card to another board before you close it."),
        ("Your pass is valid for 60 minutes after the start.", "Your pass is good for an hour after the start."),
        ("Brush all sides of the slices with olive oil.", "Brush both sides of the slices with olive oil."),
        ("Clean the counter top with warm water again.", "Clean the countertop with warm water again."),
        (
            "Highlight the points and do not copy the whole book.",
            "Highlight the points instead of copying the whole book.",
        ),
        ("Follow step 4 and flip the paper over again.", "Follow step 5 and flip the paper over again."),
        ("Staff may leave at noon on the last day of term.", "Employees can leave at noon on the last day of term."),
    ],
)
def test_another_way_to_say_it_is_not_accused(chunk: str, answer: str) -> None:
    found = _found(chunk, answer)
    assert found is None or not found[0].is_sure
    assert _claim(chunk, answer).verdict is not Verdict.CONTRADICTED


def test_what_an_answer_adds_to_a_list_is_recorded_and_accuses_nobody() -> None:
    found = _found(
        "Admins can see the rules under Risk in the log.", "Admins and developers can see the rules under Risk."
    )
    assert found is not None
    assert (found[0].kind, found[0].is_sure, found[1]) == (EditKind.ADDED, False, "and developers")


def test_the_explanation_names_both_words() -> None:
    claim = _claim(
        "You can use the card at once, and it is replaced free of charge if it was stolen abroad.",
        "It is replaced free of charge if it was lost abroad.",
    )
    assert claim.verdict is Verdict.CONTRADICTED
    assert claim.explanation == "Chunk 1 has “stolen” where the answer has “lost”."
    assert claim.evidence[0].quote.endswith("stolen abroad.")


def test_a_claim_that_a_chunk_repeats_word_for_word_has_no_edit() -> None:
    assert _found("The gate opens at noon. The gate opens after noon.", "The gate opens after noon.") is None
