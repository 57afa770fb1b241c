"""How wide the interval of a spot-check will about be, told before any of its claims is labelled."""

from collections import Counter

import numpy as np

from faithview.domain.errors import FaithViewError
from faithview.domain.spot_check import SpotCheck
from faithview.services.container import Services
from faithview.services.review import queue
from faithview.services.review.spot_check_design import labels_for
from faithview.stats.precision import size_for
from faithview.stats.spot_check import Unit
from faithview.store.review import listed_claims

# Half-widths that are told; a wider interval says nothing worth telling.
_TOLD = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.12, 0.15, 0.20, 0.25, 0.30)


def expected_half_width(services: Services, check: SpotCheck) -> float | None:
    """Return about half the width of the interval that the spot-check ends with; of several runs, the widest.

    It is the narrowest of a few round figures for which as many labels, drawn at random, are enough in four
    spot-checks of five (`stats.precision.size_for`), and 0 where every claim was drawn. None where even 0.30 needs
    more, or a run is gone.
    """
    if check.population is not None:
        state = listed_claims.get_list_state(services.db, check.spot_check_id)
        if state.drawn == state.claims:
            return 0.0
        judge = np.arange(state.claims) < state.supported
        return next(
            (h for h in _TOLD if size_for(np.ones(len(judge)), judge, half_width=h).labels <= state.drawn), None
        )
    unit = Unit(str(check.design["unit"]))
    drawn = Counter(item.drawn.run_id for item in queue.list_items(services, check.spot_check_id))
    if dict(drawn) == listed_claims.count_claims_of_runs(services.db, check.run_ids):
        return 0.0
    widths = []
    for run_id, labels in drawn.items():
        try:
            width = next((h for h in _TOLD if labels_for(services, [run_id], h, unit=unit).labels <= labels), None)
        except FaithViewError:  # the run was judged anew or deleted since
            return None
        if width is None:
            return None
        widths.append(width)
    return max(widths, default=None)
