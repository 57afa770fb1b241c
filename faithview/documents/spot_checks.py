"""Spot-checks: claims drawn at random, and the results of their labels."""

from typing import ClassVar, Literal

from faithview.documents.base import Count, Document, Part, Position, Share, Time, WithOptional, entry
from faithview.documents.labels import HumanCorrected


class SpotCheckPart(Part):
    """A spot-check and how it was drawn."""

    spot_check_id: Position = entry("Its number.")
    run_ids: list[str] = entry("The runs that it is drawn from.")
    unit: Literal["claims", "answers"] = entry("The unit that was drawn.")
    design: Literal["random", "stratified", "uncertain"] = entry(
        "random: all equally likely. stratified: a share from each score range. uncertain: claims that the judge is "
        "unsure of are more likely."
    )
    seed: int | None = entry("The seed of the draw; the same seed draws the same claims.")
    name: str = entry("Its name.")
    blind: bool = entry("Whether the judge's verdict is hidden until the label is given.", "is_blind")
    created_at: Time = entry("When it was drawn.")
    created_by: str = entry("Who drew it.")
    reviewers_per_item: Position = entry("How many reviewers label each claim.")
    population: str | None = entry("The list that it is drawn from; null if it is drawn from whole runs.")


class LabelProgress(Part):
    """The progress of labelling."""

    claims: Count = entry("The claims drawn.", "progress.items")
    labelled: Count = entry("Those that are labelled.", "progress.done")
    by_reviewer: dict[str, Count] = entry("Labels by reviewer.", "progress.by_reviewer")


class DrawnItem(Part):
    """A drawn claim, without the judge's verdict."""

    claim_id: str = entry("The claim's id.")
    run_id: str = entry("Its run.", "drawn.run_id")
    key: str = entry("Its row's id.")
    inclusion_probability: Share = entry("The probability with which it was drawn.", "drawn.inclusion_probability")
    text: str = entry("The claim.")


class _Items(Part):
    items: list[DrawnItem] = entry("The claims in the order of the queue.")


class SpotCheckScore(Part):
    """The result of the labels."""

    labelled: Count = entry("Claims with an agreed label.", "labels", default=0)
    disagreements: Count = entry("Claims on which reviewers differ.", default=0)
    skipped: Count = entry("Claims that reviewers skipped.", default=0)
    human_corrected: HumanCorrected = entry("The corrected score.")
    reason: str | None = entry("Why there is no corrected score.")


class _ScoredRun(Part):
    run_id: str = entry("The run's id.")
    name: str | None = entry("Its name; null if it was deleted.")


class SpotCheckRun(SpotCheckScore, _ScoredRun):
    """The corrected score of one run."""


class _ListedClaims(Part):
    claims: Count = entry("The claims of the list.")


class ListScore(SpotCheckScore, _ListedClaims):
    """The share of a list of claims that reviewers call supported."""


class DrawnDocument(_Items, SpotCheckPart, Document):
    """A spot-check with every claim that it drew."""


class _Runs(WithOptional):
    left_out: ClassVar[frozenset[str]] = frozenset({"list_score"})

    runs: list[SpotCheckRun] = entry("The corrected score of each of its runs; empty for a list of claims.")
    list_score: ListScore | None = entry(
        "For a list of claims only: the share that reviewers call supported.", default=None
    )


class SpotCheckDocument(_Runs, LabelProgress, _Items, SpotCheckPart, Document):
    """A spot-check with its progress and the corrected scores."""


class ListedSpotCheck(LabelProgress, SpotCheckPart):
    """A spot-check in a list."""


class SpotChecksDocument(Document):
    """The spot-checks of a store."""

    spot_checks: list[ListedSpotCheck] = entry("The spot-checks, newest first.")
