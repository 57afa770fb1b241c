"""The two cuts of a cascade: a claim whose probability of support is between them is sent to the model.

The default judge's probability of support is calibrated: of the claims to which it gives 0.8, about four in five are
supported. The usual cuts (`domain/certainty.py`) send the claims for which the less likely of the two outcomes has a
chance of at least 0.2. A share of the claims is turned into cuts by the distribution of that chance over the open
help-desk answers, to which nothing was fitted, so other answers may have more or fewer such claims.
"""

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from faithview.domain.certainty import SURELY_SUPPORTED, SURELY_UNSUPPORTED
from faithview.domain.errors import JudgeUnavailable

# Beside this module. `python -m tests.performance.cascade_curve --write` writes it.
SHARES = "shares.json"

# As the default judge rounds its probabilities.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Cuts:
    """Claims with a probability of support in [low, high] are sent; none if `low` is above `high`."""

    low: float
    high: float

    def is_between(self, support: float | None) -> bool:
        """Return whether a claim with this probability of support is sent; one without any always is."""
        return support is None or self.low <= support <= self.high

    @property
    def label(self) -> str:
        """The cuts as a part of a fingerprint."""
        return f"{self.low:g}-{self.high:g}"


USUAL = Cuts(SURELY_UNSUPPORTED, SURELY_SUPPORTED)


def read_cuts(share: str | None) -> Cuts:
    """Return the cuts for the option's value, a share in [0, 1]; the usual ones if there is no value.

    Raises:
        JudgeUnavailable: the value is not such a share.
    """
    if share is None:
        return USUAL
    try:
        number = float(share)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise JudgeUnavailable(
            f"The cascade share is {share!r}; it must be a number from 0 (the model is never asked) to 1 (it is asked "
            "about every claim), such as 0.3."
        )
    return cuts_for(number)


def cuts_for(share: float) -> Cuts:
    """Return the cuts that send about this share of the claims; none at 0, all at 1, exactly."""
    if share <= 0:
        return Cuts(1.0, 0.0)
    if share >= 1:
        return Cuts(0.0, 1.0)
    # For each per cent from 0 to 100 the chance that so many of the claims reach.
    chances = json.loads(files(__package__).joinpath(SHARES).read_bytes())["chances"]
    chance = round(float(np.interp(share, np.linspace(0, 1, len(chances)), chances)), _DIGITS)
    return Cuts(chance, round(1 - chance, _DIGITS))
