"""Where a run goes wrong."""

from faithview.documents.base import Count, Difference, Document, Ends, Length, Number, Part, Position, Share, entry
from faithview.domain.answer import SliceKind, View


class SliceName(Part):
    """A slice: answers that have something in common."""

    slice_id: str = entry("The slice's id.")
    slice: str = entry("The slice in words.", "words")
    kind: SliceKind = entry("What the answers have in common.")
    field: str | None = entry("The column or the metadata's name, where the kind has one.")
    value: str | None = entry("The value, or the word; null for a range of numbers.")
    low: Number | None = entry("For a band of numbers: its lower end, included; null where it is open.")
    high: Number | None = entry("Its upper end, included; null where it is open.")


class SlicePart(SliceName):
    """A low slice within another."""

    answers: Length = entry("Its answers.", "positions")
    faithfulness: Share = entry("Their mean.", "mean")


class LowSlice(SliceName):
    """A slice that scores significantly lower than the rest of the run."""

    answers: Length = entry("Its answers.", "positions")
    questions: Count = entry("Its different questions.")
    faithfulness: Share = entry("The mean of its answers.", "mean")
    elsewhere: Share = entry("The mean of the others.")
    elsewhere_answers: Count = entry("How many others.")
    difference: Difference = entry("The mean less that of the others.")
    difference_ci: Ends = entry("Its interval, for all slices together.", "interval")
    p_value_adjusted: Share = entry("The chance of such a difference by chance, for all slices together.", "p_value")
    rows: list[Position] = entry("The rows that count.", "positions")
    without: list[str] = entry("Slices before it that hold some of its answers, which do not count here.")
    same_answers: list[SliceName] = entry("Other names of just the same answers.", "same")
    within: list[SlicePart] = entry("Other low slices within it, or nearly.", "parts")


class NoticeableDifference(Part):
    """The smallest difference that would have been found in the other answers."""

    questions: Count = entry("A number of questions.")
    difference: Difference | None = entry(
        "The difference that would usually be found with so many questions; null if none would."
    )


class SlicesDocument(Document):
    """The slices of a run that score significantly lower than the rest."""

    run_id: str = entry("The run's id.", "run.run_id")
    name: str = entry("Its name.", "run.name")
    view: View = entry("Whose verdicts count.")
    requested_view: View = entry("The view that was asked for.")
    answers: Count = entry("Answers with a score.")
    questions: Count = entry("Their different questions.")
    left_out: dict[str, Count] = entry("Answers without a score, by state.")
    tested: Count = entry("The slices looked at.")
    not_searched: list[str] = entry("Columns that hold labels or scores; no slices are made of them.")
    fewest_questions: Count = entry("The fewest questions of a slice.", "fewest")
    slices: list[LowSlice] = entry("The slices, the most certain first.")
    noticeable: list[NoticeableDifference] = entry("The differences that would have been found.")
