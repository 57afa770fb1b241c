"""How many of the claims that broke touch a changed document, in words."""

import pytest

from faithview.wording.knowledge import broken_sentence, fixed_sentence


@pytest.mark.parametrize(
    ("touching", "resting", "all_broken", "words"),
    [
        (25, 12, 26, "25 of 26 broken claims touch a changed document (12 are based on one)."),
        (1, 0, 2, "1 of 2 broken claims touches a changed document (none is based on one)."),
        (25, None, 26, "25 of 26 broken claims touch a changed document."),
        (1, None, 1, "The only broken claim touches a changed document."),
        (2, 2, 3, "2 of 3 broken claims are based on a changed document."),
        (0, 0, 3, "None of the 3 broken claims touches a changed document."),
        (1, 1, 1, "The only broken claim is based on a changed document."),
        (1, 0, 1, "The only broken claim touches a changed document."),
        (0, 0, 1, "The only broken claim does not touch a changed document."),
        (0, 0, 0, "No claim broke."),
    ],
)
def test_the_event_has_one_number(touching: int, resting: int | None, all_broken: int, words: str) -> None:
    assert broken_sentence(touching=touching, resting=resting, all_broken=all_broken) == words


def test_fixed_claims_are_counted_the_same_way() -> None:
    assert fixed_sentence(fixed=16, all_fixed=31) == "16 of 31 fixed claims are based on a changed document."
    assert fixed_sentence(fixed=0, all_fixed=1) == "The only fixed claim is not based on a changed document."
    assert fixed_sentence(fixed=0, all_fixed=0) == ""
