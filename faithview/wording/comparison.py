"""Two runs compared, in one line of plain text; and what a gate says that passes."""

from collections.abc import Sequence
from itertools import takewhile

from faithview.domain.comparison import Pairing
from faithview.stats.decomposition import SegmentShare
from faithview.stats.paired import PairedDifference, SegmentDifference
from faithview.wording import numbers as fmt

# Two decimals are shown, and a fall of 0.00 would be none.
_LEAST_SHOWN = 0.01


def no_fall_words(difference: PairedDifference, baseline: str) -> str:
    """Return the sentence of a gate that passes: how the runs compare, and which fall would have been noticed.

    A gate also passes if its pairs are too few to show anything, so the sentence says how much they could show.

    Args:
        difference: the comparison; it has pairs.
        baseline: the name of the run that was compared with.
    """
    return (
        f"No regression since {baseline}: faithfulness {fmt.share(difference.baseline)} -> "
        f"{fmt.share(difference.candidate)}, {fmt.signed_measure(difference.mean or 0.0, difference.interval)}, "
        f"{fmt.p_value(difference.p_value)}, n {fmt.plural(difference.pairs, 'pair')}; {_noticed(difference)}."
    )


def compared_words(difference: PairedDifference, baseline: str, candidate: str) -> str:
    """Return in one line how two runs, by their names, differ on the answers that both have."""
    lead = f"{baseline} -> {candidate}: "
    if difference.mean is None:
        return f"{lead}nothing to compare, because no pair of answers has a score in both runs"
    decimals = fmt.decimals_to_tell(difference.baseline or 0.0, difference.candidate or 0.0, difference.mean)
    moved = fmt.signed_measure(difference.mean, difference.interval, decimals=decimals)
    return (
        f"{lead}faithfulness {fmt.fixed(difference.baseline, decimals)} -> "
        f"{fmt.fixed(difference.candidate, decimals)}, {moved}, {fmt.p_value(difference.p_value)}, "
        f"n {fmt.plural(difference.pairs, 'pair')}; {fmt.count(difference.regressed)} worse, "
        f"{fmt.count(difference.improved)} better, {fmt.count(difference.unchanged)} unchanged"
    )


def left_out_words(pairing: Pairing) -> str:
    """Return what of two runs is in no figure of their comparison."""
    return (
        f"{len(pairing.only_in_baseline)} only in the baseline, {len(pairing.only_in_candidate)} only in the "
        f"candidate, {fmt.plural(sum(pairing.unscored.values()), 'pair')} without a score in both runs"
    )


def _noticed(difference: PairedDifference) -> str:
    """Return, as a clause, which fall would have been noticed; if that is not known, which one is not ruled out."""
    least, interval = difference.detectable, difference.interval
    if least is not None and least <= (difference.baseline or 0.0):
        return f"a fall of {fmt.fixed(max(least, _LEAST_SHOWN), 2)} would have been noticed 80% of the time"
    if least is not None or interval is None:
        return "with so few pairs even a fall to 0 might not have been noticed"
    if interval.low >= 0:
        return "a fall is ruled out with 95% confidence"
    return f"a fall of up to {fmt.fixed(max(-interval.low, _LEAST_SHOWN), 2)} is not ruled out"


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


_IN_WORDS = "_([{<«“„‘\"'"


def short_names(names: Sequence[str]) -> list[str]:
    """Return the names without their common first words, which would take the room of the numbers."""
    common = [letters[0] for letters in takewhile(lambda them: len(set(them)) == 1, zip(*names, strict=False))]
    # Back to where a word begins: "2026-w42" and "2026-w43" are "w42" and "w43", not "2" and "3"; "run_a" is one word,
    # and so is "(2)".
    start = max((at + 1 for at, c in enumerate(common) if not c.isalnum() and c not in _IN_WORDS), default=0)
    short = [name[start:] for name in names]
    return short if all(short) else list(names)
