"""How many requests a client may send: token buckets."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

# Clients beyond these are forgotten, least recently seen first: a new client starts with a full bucket.
_MOST_CLIENTS = 10_000


class RateLimit:
    """Lets each client send `rate` requests a second, and as many at once. Used from one event loop."""

    def __init__(self, rate: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = max(1.0, rate)
        self._clock = clock
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, client: Hashable) -> float:
        """Count a request; return 0 if it may pass, else the seconds after which the next one may."""
        if not self._rate:
            return 0.0
        now = self._clock()
        left, at = self._buckets.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - at) * self._rate)
        passes = left >= 1
        self._buckets[client] = (left - 1 if passes else left, now)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if passes else (1 - left) / self._rate
