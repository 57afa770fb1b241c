"""In which order the claims of a spot-check over several runs are handed out."""

from collections.abc import Sequence

import numpy as np

from faithview.domain.spot_check import DrawnClaim
from faithview.stats.sampling import FIRST


def mix_runs(runs: Sequence[Sequence[Sequence[DrawnClaim]]], *, seed: int) -> list[DrawnClaim]:
    """Return the claims of all runs in one order that goes from run to run at random.

    Whoever stops half way has labelled about half of each run, not all of one and nothing of another. Each run's own
    order and every claim's chance stay what they were, units that were drawn first of all stay ahead of the others,
    and the claims of a unit stay together.

    Args:
        runs: for each run its drawn units in their random order, each with its claims.
        seed: of the mixing.
    """
    rng = np.random.default_rng([seed, len(runs)])
    mixed: list[DrawnClaim] = []
    for is_first in (True, False):
        parts = [[unit for unit in units if (unit[0].stratum == FIRST) is is_first] for units in runs]
        ahead = [iter(part) for part in parts]
        for run in rng.permutation(np.repeat(np.arange(len(parts)), [len(part) for part in parts])):
            mixed += next(ahead[int(run)])
    return mixed
