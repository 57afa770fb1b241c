"""The one way in which items of two sides are paired: answers, claims, chunks and passages."""

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from rapidfuzz import fuzz, process, utils

_Item = TypeVar("_Item")


def match(
    before: Sequence[_Item],
    after: Sequence[_Item],
    *keys: Callable[[_Item], Hashable | None],
    text: Callable[[_Item], str] | None = None,
    floor: float = 0.8,
    scorer: Callable[..., float] = fuzz.token_sort_ratio,
) -> list[tuple[int | None, int | None, float]]:
    """Pair the items of two sides one to one: by each key in turn, in their order, then by similar texts.

    Args:
        before: the items of the earlier side.
        after: those of the later one.
        keys: each returns what equal items share; items for which it is None are not paired by it.
        text: the text that is compared where no key pairs an item; None pairs by keys alone.
        floor: texts less similar than this are not paired, in [0, 1].
        scorer: the similarity of two texts in [0, 100], a scorer of rapidfuzz.

    Returns:
        Indexes of both sides and the similarity in [0, 1] (1 for equal keys): the pairs with the largest sum of
        similarities (Kuhn 1955, "The Hungarian method"), in the order of `before`, with None for an item without a
        counterpart; new items of `after` come last.
    """
    left, right = dict(enumerate(before)), dict(enumerate(after))
    pairs: list[tuple[int | None, int | None, float]] = []
    for key in keys:
        waiting: dict[Hashable, deque[int]] = defaultdict(deque)
        for j, item in right.items():
            if (value := key(item)) is not None:
                waiting[value].append(j)
        for i, item in list(left.items()):
            if waiting.get(key(item)):
                j = waiting[key(item)].popleft()
                pairs.append((i, j, 1.0))
                del left[i], right[j]
    if text is not None and left and right:
        from scipy.optimize import linear_sum_assignment  # here, because most commands do not pair texts

        rows, columns = list(left), list(right)
        alike = process.cdist(
            [text(before[i]) for i in rows],
            [text(after[j]) for j in columns],
            scorer=scorer,
            processor=utils.default_process,
            score_cutoff=100 * floor,
        )
        for a, b in zip(*linear_sum_assignment(alike, maximize=True), strict=True):
            if alike[a, b] > 0:
                pairs.append((rows[a], columns[b], float(alike[a, b]) / 100))
                del left[rows[a]], right[columns[b]]
    pairs += [(i, None, 0.0) for i in left]
    return sorted(pairs, key=lambda pair: pair[0] or 0) + [(None, j, 0.0) for j in right]
