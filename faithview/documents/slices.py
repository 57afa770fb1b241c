"""Where a run scores low."""

from faithview.documents.base import Count, Difference, Document, Ends, Length, Number, Part, Position, Share, entry
from faithview.domain.answer import SliceKind, View


class SliceName(Part):
    """A slice: answers that have something in common."""

    slice_id: str = entry("The slice's id.")
    slice: str = entry("The slice in words.", "words")
    kind: SliceKind = entry("What the answers have in common.")
    field: str | None = entry("The name of the column or metadata, if the kind has one.")
    value: str | None = entry("Its value, or the word; null for a range of numbers.")
    low: Number | None = entry("For a range of numbers: its lower end, inclusive; null if open.")
    high: Number | None = entry("Its upper end, inclusive; null if open.")


class SlicePart(SliceName):
    """A low slice within another."""

    answers: Length = entry("Its answers.", "positions")
    faithfulness: Share = entry("Their mean.", "mean")


class LowSlice(SliceName):
    """A slice that scores significantly lower than the rest."""

    answers: Length = entry("Its answers.", "positions")
    questions: Count = entry("Its different questions.")
    faithfulness: Share = entry("The mean of its answers.", "mean")
    elsewhere: Share = entry("The mean of the other answers.")
    elsewhere_answers: Count = entry("How many other answers there are.")
    difference: Difference = entry("The mean minus that of the other answers.")
    difference_ci: Ends = entry("Its 95% interval, adjusted for all slices.", "interval")
    p_value_adjusted: Share = entry("The p-value of the difference, adjusted for all slices.", "p_value")
    rows: list[Position] = entry("The rows that count.", "positions")
    without: list[str] = entry("Earlier slices that contain some of its answers; those answers do not count here.")
    same_answers: list[SliceName] = entry("Other slices with exactly the same answers.", "same")
    within: list[SlicePart] = entry("Other low slices within it, or nearly.", "parts")


class NoticeableDifference(Part):
    """The smallest difference that would have been found among the answers outside these slices."""

    questions: Count = entry("The number of questions in such a slice.")
    difference: Difference | None = entry(
        "The smallest difference that would be found 80% of the time; null if none would."
    )


class SlicesDocument(Document):
    """The slices of a run that score significantly lower than the rest."""

    run_id: str = entry("The run's id.", "run.run_id")
    name: str = entry("Its name.", "run.name")
    view: View = entry("Whose verdicts count.")
    requested_view: View = entry("The requested view.")
    answers: Count = entry("Answers with a score.")
    questions: Count = entry("Their different questions.")
    left_out: dict[str, Count] = entry("Answers without a score, by state.")
    tested: Count = entry("The slices looked at.")
    not_searched: list[str] = entry("Columns that contain labels or scores; no slices are made from them.")
    fewest_questions: Count = entry("The fewest questions of a slice.", "fewest")
    slices: list[LowSlice] = entry("The slices, the most certain first.")
    noticeable: list[NoticeableDifference] = entry("The smallest differences that would have been found.")
