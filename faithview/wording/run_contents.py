"""What goes with a deleted run, in words."""

from faithview.domain.run import RunContents
from faithview.wording import numbers as fmt


def contents_words(contents: RunContents) -> str:
    """Return what is deleted with a run as a list in plain text: "12 answers, 40 claims and 7 labels by Ada"."""
    parts = [fmt.plural(contents.answers, "answer"), fmt.plural(contents.claims, "claim")]
    if contents.labels:
        given = sum(contents.labels.values())
        parts.append(f"{fmt.plural(given, 'label')} by {fmt.listed(list(contents.labels))}")
    if contents.spot_checks:
        noun = "the spot-check" if len(contents.spot_checks) == 1 else "the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.spot_checks])}")
    if contents.shortened_spot_checks:
        noun = "part of the spot-check" if len(contents.shortened_spot_checks) == 1 else "parts of the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.shortened_spot_checks])}")
    return fmt.listed(parts)
