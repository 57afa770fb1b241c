"""Why a run is in its series, in words."""

from faithview.domain.series import Placement
from faithview.wording import numbers as fmt


def placement_words(placement: Placement, run_id: str) -> str:
    """Return which series a new run joined or began, why, and how to change that; plain text for a terminal."""
    share = fmt.percent(placement.share)
    if placement.by_ids:
        return f"Added to the series {placement.series!r}: {share} of the ids are also in its newest run."
    if placement.joins:
        return (
            f"Added to the series {placement.series!r}: {share} of the questions are also in its newest run, and "
            f"neither has ids. To separate them: `faithview series move {run_id} NAME`."
        )
    return (
        f"Started the series {placement.series!r}: {share} of the questions are also in {placement.alike!r}, but the "
        f"ids are not. If it is the same application: `faithview series move {run_id} {placement.alike!r}`."
    )


def same_application_markdown(placement: Placement) -> str:
    """Return the question, in Markdown, whether a file belongs to a series over the same questions."""
    name = f"*{fmt.literal(placement.series if placement.joins else placement.alike or '')}*"
    why = "and neither has ids" if placement.joins else "but the ids are not"
    return f"{fmt.percent(placement.share)} of the questions are also in {name}, {why}. Is it the same application?"
