"""Where a change was, in words: the segments that have more of it than their share of the answers."""

from collections.abc import Sequence

from faithview.stats.paired import SegmentDifference
from faithview.stats.segment_shares import SegmentShare
from faithview.wording import numbers as fmt

_NAMED = 3


def places_words(places: Sequence[SegmentShare], *, is_won: bool) -> str:
    """Write the segments with both shares: "93% of the loss is in **Handovers** (17% of the answers)".

    Only the first three are named, so `places` must be in order.
    """
    what = "gain" if is_won else "loss"
    first, *rest = [_place(place) for place in places[:_NAMED]]
    words = f"{first[0]} of the {what} is in {first[1]} ({first[2]} of the answers)"
    named = [f"{share} in {name} ({answers})" for share, name, answers in rest]
    return fmt.listed([words, *named])


def segment_name(name: str | None) -> str:
    """Return a segment's name for Markdown."""
    return f"**{fmt.literal(name)}**" if name else "answers without a segment"


def places_of(segments: Sequence[SegmentDifference]) -> list[SegmentShare]:
    """Return the segments of a comparison that stand out, those with the most of the change first."""
    found = [
        SegmentShare(
            segment=segment.segment,
            share_of_change=segment.share_of_delta,
            share_of_answers=segment.share_of_pairs,
            p_value=segment.p_value_share,
        )
        for segment in segments
        if segment.share_of_delta is not None and segment.p_value_share is not None and segment.stands_out
    ]
    return sorted(found, key=lambda place: -place.share_of_change)


def _place(place: SegmentShare) -> tuple[str, str, str]:
    share = "all" if place.share_of_change >= 1 else fmt.percent(place.share_of_change)
    return share, segment_name(place.segment), fmt.percent(place.share_of_answers)
