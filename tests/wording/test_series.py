"""What the command line and Upload say of the series that a file joins."""

from faithview.domain.series import Placement
from faithview.wording.runs import placement_words, same_application_markdown

_BY_IDS = Placement(series="Help centre", joins=True, by_ids=True, share=0.98)
_BY_QUESTIONS = Placement(series="Help *centre*", joins=True, share=1.0)
_ALIKE = Placement(series="labelled", joins=False, alike="Help centre", share=0.9)


def test_the_command_line_says_which_series_a_run_is_in_and_why() -> None:
    assert placement_words(_BY_IDS) == ("Added to the series 'Help centre': 98% of the ids are also in its newest run.")
    assert placement_words(_BY_QUESTIONS).endswith("To separate them, move the run in its menu on Answers.")
    assert placement_words(_ALIKE) == (
        "Started the series 'labelled': 90% of the questions are also in 'Help centre', but the ids are not. If it is "
        "the same application, move the run in its menu on Answers."
    )


def test_upload_asks_whether_it_is_the_same_application() -> None:
    assert same_application_markdown(_ALIKE) == (
        "90% of the questions are also in *Help centre*, but the ids are not. Is it the same application?"
    )
    assert r"*Help \*centre\**, and neither has ids." in same_application_markdown(_BY_QUESTIONS)
