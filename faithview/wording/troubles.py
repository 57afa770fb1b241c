"""What went wrong while a run was judged, in sentences."""

from collections.abc import Sequence

from faithview.domain.result import Weakness, weakness_warning
from faithview.wording import numbers as fmt

# Of what is missing from answers, more than so many kinds are not shown on a page.
SHOWN_GAPS = 3


def failed_words(failed: int, rows: int, kinds: int) -> str:
    """Write how many answers failed: "3 of 120 answers could not be judged, with 2 different errors"."""
    text = f"{fmt.count(failed)} of {fmt.plural(rows, 'answer')} could not be judged"
    return text if kinds == 1 else f"{text}, with {fmt.count(kinds)} different errors"


def repaired_words(repaired: int, repairs: Sequence[tuple[str, int]]) -> str:
    """Write in how many answers replies were repaired, and how: "in 12 answers: a value was … (12)"."""
    listed = "; ".join(f"{text} ({fmt.count(answers)})" for text, answers in repairs)
    return f"in {fmt.plural(repaired, 'answer')}: {listed}"


def gap_words(text: str, answers: int) -> str:
    """Write what is missing from judged answers: "No relevance figures: it broke. (2 answers)"."""
    return f"{text} ({fmt.plural(answers, 'answer')})"


def weak_words(weakness: Weakness, claims: int, answers: int) -> str:
    """Write how many claims of a run a reader cannot check: "In 2 answers, the words of 3 claims were not found …"."""
    sentence = weakness_warning(weakness, claims)
    return f"In {fmt.plural(answers, 'answer')}, {sentence[:1].lower()}{sentence[1:]}"


def retry_words(run_id: str) -> str:
    """Write what judges failed answers again."""
    return f"`faithview resume {run_id} --retry-failed` judges them again"


def noise_words(
    repeats: int, answers: int, claims_flipped: float | None, answers_moved: float, half_width: float
) -> str:
    """Write what judging the same answers again changed."""
    flipped = "" if claims_flipped is None else f"the support of {fmt.percent(claims_flipped)} of the claims and "
    return (
        f"{fmt.plural(answers, 'answer')} judged {repeats} times: {flipped}the score of {fmt.percent(answers_moved)} "
        "of the answers changed from one time to another. By that alone, two runs differ by up to "
        f"{fmt.fixed(half_width, 3)} in 95 of 100 cases"
    )
