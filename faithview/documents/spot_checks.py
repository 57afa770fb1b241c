"""Spot-checks: claims drawn at random, and the results of their labels."""

from faithview.documents.base import Count, Document, Part, Position, Share, Time, entry
from faithview.documents.labels import HumanCorrected
from faithview.domain.spot_check import Design


class SpotCheckPart(Part):
    """A spot-check and how it was drawn."""

    spot_check_id: Position = entry("Its number.")
    run_ids: list[str] = entry("The runs that it is drawn from.")
    design: Design = entry(
        "random: every answer is equally likely. balanced: half of the claims are flagged by the judge. earlier: drawn "
        "before 0.3."
    )
    seed: int | None = entry("The seed of the draw; the same seed draws the same claims.")
    name: str = entry("Its name.")
    blind: bool = entry("Whether the judge's verdict is hidden until the label is given.", "is_blind")
    created_at: Time = entry("When it was drawn.")
    created_by: str = entry("Who drew it.")
    reviewers_per_item: Position = entry("How many reviewers label each claim.")


class LabelProgress(Part):
    """The progress of labelling."""

    claims: Count = entry("The claims drawn.", "progress.items")
    labelled: Count = entry("Those that are labelled.", "progress.done")
    by_reviewer: dict[str, Count] = entry("Labels by reviewer.", "progress.by_reviewer")


class DrawnItem(Part):
    """A drawn claim, without the judge's verdict."""

    claim_id: str = entry("The claim's id.")
    run_id: str = entry("Its run.", "place.run_id")
    key: str = entry("Its row's id.")
    inclusion_probability: Share = entry("The probability with which it was drawn.")
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
    name: str | None = entry("Its name; null if there is no score.")


class SpotCheckRun(SpotCheckScore, _ScoredRun):
    """The corrected score of one run."""


class DrawnDocument(_Items, SpotCheckPart, Document):
    """A spot-check with every claim that it drew."""


class _Runs(Part):
    runs: list[SpotCheckRun] = entry("The corrected score of each of its runs.")


class SpotCheckDocument(_Runs, LabelProgress, _Items, SpotCheckPart, Document):
    """A spot-check with its progress and the corrected scores."""


class ListedSpotCheck(LabelProgress, SpotCheckPart):
    """A spot-check in a list."""


class SpotChecksDocument(Document):
    """The spot-checks of a store."""

    spot_checks: list[ListedSpotCheck] = entry("The spot-checks, newest first.")
