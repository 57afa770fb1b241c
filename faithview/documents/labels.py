"""Labels by reviewers."""

from typing import Literal

from faithview.documents.base import Count, Part, Seconds, Share, Time, entry
from faithview.domain.claim import Verdict
from faithview.domain.label import LabelRole


class LabelRow(Part):
    """A label, as `faithview labels import` reads it."""

    claim_id: str = entry('The claim\'s id; it ends in "-missed" for a claim that the judge missed.')
    verdict: Verdict | Literal["not_a_claim"] = entry("The reviewer's verdict.")
    reviewer: str = entry("The reviewer's name.")
    at: Time = entry("When it was given.")
    note: str | None = entry("The reason.")
    corrected_text: str | None = entry("What the claim should say.")
    blind: bool = entry("Whether the judge's verdict was hidden until the label was given.", "is_blind")
    role: LabelRole = entry("The role in which it was given.")
    inclusion_probability: Share | None = entry(
        "The probability with which the claim was drawn; null outside a spot-check."
    )
    given_on: str | None = entry(
        "The id of the equal claim on which it was given; null if it was this one.", default=None
    )
    start: Count | None = entry("For a missed claim: where it begins in the answer.", "span.start", default=None)
    end: Count | None = entry("Where it ends; that code point is not part of it.", "span.end", default=None)
    counts: bool = entry("Whether it counts; false for a label given after a blind one.")
    seconds: Seconds | None = entry("How long the reviewer took, in seconds.")
    spot_check: str | None = entry("The spot-check that it was given in.")
