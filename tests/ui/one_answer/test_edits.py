"""The lines that say what was changed in an answer."""

import pytest

from faithview import FaithfulnessGuard
from faithview.services.guard.edits import Edit
from faithview.ui.one_answer.guard import edit_line


@pytest.mark.parametrize(
    ("claims", "replacement", "line"),
    [
        ((1,), "", "**Claim 1:** “Cats” was removed. Why"),
        ((1, 2), "Dogs", "**Claims 1 and 2:** “Cats” became “Dogs”. Why"),
        ((), "", "“Cats” was removed. Why"),
    ],
)
def test_an_edit_names_its_claims_if_it_has_any(claims: tuple[int, ...], replacement: str, line: str) -> None:
    edit = Edit(start=0, end=4, replacement=replacement, claim_numbers=claims, reason="Why")
    assert edit_line(edit, "Cats are free.") == line


def test_every_edit_of_an_answer_with_announcements_has_a_line() -> None:
    answer = (
        "The office opens at 9 am. We also offer the following:\n\n- A sauna is open until midnight.\n# Pool\n"
        "The pool is open daily."
    )
    with FaithfulnessGuard("lexical") as guard:
        edits = guard.correct(answer=answer, context="The office opens at 9 am.").edits
    assert [edit.claim_numbers for edit in edits] == [(), (2,)]
    assert edit_line(edits[0], answer).startswith("“We also offer the following")
