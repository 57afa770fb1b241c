"""Each kind of edit that decides: the swapped word makes a claim contradicted, and the right ways to say it do not."""

import pytest

from faithview.domain.claim import Claim, Verdict
from faithview.domain.sample import Sample
from faithview.judges.lexical.analysis import read_answer
from faithview.judges.lexical.comparing.comparison import EditKind
from faithview.judges.lexical.comparing.edits import find_edit
from faithview.judges.lexical.judge import judge_sample

PUMP = "After a power cut the pump starts again by itself after a delay of up to five minutes."
BLOCKS = "The leave may be split into no more than three blocks of at least two months each."
FROZEN = "A workspace in which nobody has signed in for nine months is frozen by the system."
KEY = "The key is kept in the safe at the front desk and handed out at night by the guard."
NIGHT = "The side gate cannot be opened by the guard at night during the summer months."
HIP = "The waiting period for hip problems is 6 months under Premium. There is none for those who chose Basic."
BRAKE = "The brake must be checked by the dealer each spring before the first ride."
FORM = "Please send the form and the photo by post to the office in Harbour Street before you travel."
PARENTS = "Priority is given to the children of single parents in work, and then by age."
FEE = "You pay half the fee for the second child in the same group of the nursery."

# What the edit is, a chunk, an answer with the edit, and what the explanation says of it.
ERRORS = [
    (EditKind.VALUE, FROZEN, FROZEN.replace("nine", "six"), "“nine months”"),
    (EditKind.LIMIT, PUMP, PUMP.replace("up to", "at least"), "“up to”"),
    (EditKind.LIMIT, BLOCKS, "It may be split into no more than three blocks of up to two months each.", "“at least”"),
    (EditKind.NEGATION, NIGHT, NIGHT.replace("cannot", "can"), "“cannot”"),
    (EditKind.CLASS, BRAKE, BRAKE.replace("must", "can"), "“must”"),
    (EditKind.CLASS, BRAKE, BRAKE.replace("before", "after"), "“before”"),
    (EditKind.CLASS, FORM, FORM.replace("and", "or"), "“and”"),
    (EditKind.NAME, HIP, "The waiting period for hip problems is 6 months under Basic.", "“Premium”"),
    (EditKind.DROPPED, PARENTS, "Priority is given to the children of parents in work.", "“single”"),
    (EditKind.DROPPED, FEE, "You pay the fee for the second child in the same group of the nursery.", "“half"),
]


def _claim(chunk: str, answer: str) -> Claim:
    return judge_sample(Sample.of(answer, [chunk])).claims[0]


def _sure_kind(chunk: str, answer: str) -> EditKind | None:
    reading = read_answer(Sample.of(answer, [chunk]))
    edit = find_edit(reading.comparisons[0], reading.context)
    return edit.kind if edit is not None and edit.is_sure else None


@pytest.mark.parametrize(("kind", "chunk", "answer", "named"), ERRORS)
def test_an_edit_that_changes_what_is_said_contradicts(kind: EditKind, chunk: str, answer: str, named: str) -> None:
    claim = _claim(chunk, answer)
    assert _sure_kind(chunk, answer) is kind
    assert claim.verdict is Verdict.CONTRADICTED
    assert named in claim.explanation


@pytest.mark.parametrize(
    ("chunk", "answer"),
    [
        (FROZEN, "A workspace in which nobody has signed in for 9 months is frozen by the system."),
        (FROZEN, "A workspace in which no one has logged in for nine months is frozen by the system."),
        (PUMP, PUMP.replace("up to", "at most")),
        (PUMP, PUMP.replace("up to", "no more than")),
        (BLOCKS, "It may be split into at most three blocks, none shorter than two months."),
        (BLOCKS, "It may be split into no more than three blocks, each not under two months."),
        (NIGHT, NIGHT.replace("cannot", "can't")),
        (NIGHT, NIGHT.replace("cannot be", "may not be")),
        (BRAKE, BRAKE.replace("must be", "has to be")),
        (BRAKE, BRAKE.replace("each", "every")),
        (BRAKE, BRAKE.replace("each spring before", "in spring ahead of")),
        (FORM, FORM.replace("and", "as well as")),
        (HIP, "The waiting period for hip problems is 6 months if you have Premium."),
        (HIP, "The waiting period for hip problems is half a year under Premium."),
        (PARENTS, "Priority is given to the children of lone parents in work."),
        (PARENTS, "Priority goes to children of single parents who work."),
        (FEE, "You pay 50 % of the fee for the second child in the same group of the nursery."),
        (KEY, KEY.replace("kept", "stored").replace("handed out", "given out")),
    ],
)
def test_a_right_way_to_say_the_same_is_not_accused(chunk: str, answer: str) -> None:
    assert _sure_kind(chunk, answer) is None
    assert _claim(chunk, answer).verdict is not Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("kind", "chunk", "answer"),
    [
        (EditKind.WORDS, KEY, KEY.replace("safe", "drawer")),
        (EditKind.ADDED, NIGHT, NIGHT.replace("the guard", "the guard and the cleaner")),
    ],
)
def test_other_words_and_added_ones_are_found_and_do_not_decide(kind: EditKind, chunk: str, answer: str) -> None:
    reading = read_answer(Sample.of(answer, [chunk]))
    edit = find_edit(reading.comparisons[0], reading.context)
    assert edit is not None
    assert (edit.kind, edit.is_sure) == (kind, False)
    assert _claim(chunk, answer).verdict is not Verdict.CONTRADICTED
