"""What is said beside a verdict of a judge whose mistakes were counted."""

from faithview.domain.judge_errors import JudgeErrors
from faithview.wording import numbers as fmt

NOT_CORRECT = "Faithful is not the same as correct."

# Shares that have a name, and how far from it a share may be to be called so.
_NAMED = {0.25: "a quarter", 1 / 3: "a third", 0.5: "half", 2 / 3: "two thirds", 0.75: "three quarters"}
_NEAR = 0.035


def how_counted(errors: JudgeErrors) -> str:
    """Return what the figures of `often_wrong` were counted on."""
    return (
        f"Counted on {fmt.plural(errors.answers, 'answer')} about documentation whose errors are marked, and to which "
        "nothing in the judge was fitted (docs/judges.md). An error is caught if its claim is not called supported; a "
        "right claim is questioned if it is not called supported."
    )


def often_wrong(errors: JudgeErrors, *, is_default: bool) -> str:
    """Return the sentence on how often a judge is wrong on documentation, in plain text with each n.

    Args:
        errors: what was counted, with the settings that the verdict was given with.
        is_default: whether it is the default judge; otherwise it is the default judge's rules alone.
    """
    who, catches, questions = (
        ("The default judge is", "it catches", "questions")
        if is_default
        else ("The rules alone are", "they catch", "question")
    )
    return (
        f"{who} often wrong: on documentation {catches} {_of_the_errors(errors)} and {questions} "
        f"{fmt.percent(errors.alarms)} of the right claims (n {fmt.count(errors.right_claims)})."
    )


def with_source(caution: str) -> str:
    """Return such a sentence with the page of the documentation that explains it; "" stays empty."""
    return f"{caution} See docs/judges.md." if caution else ""


def _of_the_errors(errors: JudgeErrors) -> str:
    share, n = fmt.percent(errors.caught), fmt.count(errors.errors)
    named = min(_NAMED, key=lambda value: abs(value - errors.caught))
    if abs(named - errors.caught) > _NEAR:
        return f"{share} of the errors (n {n})"
    return f"about {_NAMED[named]} of the errors ({share} of {n})"
