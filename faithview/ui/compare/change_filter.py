"""Which changed answers the compare page lists: what the address asks for, in this comparison."""

from faithview.services.comparison.comparison import Comparison
from faithview.services.comparison.filters import ChangeFilter, Shown
from faithview.ui.compare import address
from faithview.ui.compare.findings import is_improvement


def default_shown(comparison: Comparison) -> Shown:
    """Return what is listed first: the answers that made the finding."""
    return Shown.IMPROVEMENTS if is_improvement(comparison) else Shown.REGRESSIONS


def current_filter(comparison: Comparison) -> ChangeFilter:
    """Return the filter in effect; a segment that these two runs do not have is none."""
    segments = {segment.segment or "" for segment in comparison.segments}
    segments |= {change.segment or "" for change in comparison.changes}
    return address.selected_filter(default=default_shown(comparison), segments=frozenset(segments))
