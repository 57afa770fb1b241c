"""Whether two runs are labelled alike.

Labels correct the judge's mistakes on the labelled claims. If only one of two runs has labels, only its reviewed score
changes, so even two identical runs can differ significantly. A label is balanced if it cannot cause such a difference:

- it agrees with the judge, or
- the same claim is labelled in the other run too, for example by a carried-over label, or
- all claims of the answer are labelled, and all claims of the answer that it is compared with, or
- both runs have labels on all claims that the judge calls supported, or unsupported, like this one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from faithview.services.container import Store
from faithview.store import revisions
from faithview.store.compared_answers import LabelledAnswer, LabelledRun, load_labelled_run
from faithview.wording import numbers as fmt

_UNLABELLED = LabelledRun(answers={}, wholly_labelled=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBalance:
    """How two runs are labelled.

    `baseline` and `candidate` count their labelled claims, including those that reviewers added. `baseline_alone` and
    `candidate_alone` count the labels among them that are not balanced (see the module).
    """

    baseline: int
    candidate: int
    baseline_alone: int
    candidate_alone: int

    @property
    def is_balanced(self) -> bool:
        """Whether labels alone cannot cause a difference."""
        return not (self.baseline_alone or self.candidate_alone)

    def counts_words(self, *, baseline: str, candidate: str) -> str:
        """Return how many labelled claims each side has, in words, with these names of the sides."""
        has = fmt.verb(self.candidate, "has", "have")
        return f"{fmt.plural(self.candidate, 'claim')} of {candidate} {has} labels, {self.baseline:,} of {baseline}"


def find_balance(
    store: Store, before: str, after: str, *, pairs: Sequence[tuple[int, int]] | None = None
) -> LabelBalance:
    """Return how two stored runs are labelled.

    Args:
        store: the store.
        before: the earlier run's id.
        after: the later run's id.
        pairs: the rows of the answers that are compared; None compares whole runs, whose answers are then paired by
            their keys and questions, and answers without a partner count too.
    """
    return measure_balance(*_load(store, [before, after]), pairs=pairs)


def _load(store: Store, run_ids: Sequence[str]) -> list[LabelledRun]:
    states = revisions.list_revisions(store.db, run_ids)
    return [
        store.cache.get("labelled claims", run_id, state, partial(load_labelled_run, store.db, run_id))
        if (state := states.get(run_id)) is not None and state.label
        else _UNLABELLED
        for run_id in run_ids
    ]


def measure_balance(
    before: LabelledRun, after: LabelledRun, *, pairs: Sequence[tuple[int, int]] | None = None
) -> LabelBalance:
    """Return how two runs are labelled; the arguments are as for `find_balance`."""
    exempt = before.wholly_labelled & after.wholly_labelled
    is_census = len(exempt) == 2
    baseline = candidate = baseline_alone = candidate_alone = 0
    for old, new in _labelled_pairs(before, after) if pairs is None else _chosen_pairs(before, after, pairs):
        baseline += len(old.claims) if old else 0
        candidate += len(new.claims) if new else 0
        if is_census or (old is not None and new is not None and old.is_whole and new.is_whole):
            continue
        baseline_alone += _alone(old, new, exempt)
        candidate_alone += _alone(new, old, exempt)
    return LabelBalance(
        baseline=baseline,
        candidate=candidate,
        baseline_alone=baseline_alone,
        candidate_alone=candidate_alone,
    )


_Pair = tuple[LabelledAnswer | None, LabelledAnswer | None]


def _alone(answer: LabelledAnswer | None, other: LabelledAnswer | None, exempt: frozenset[bool]) -> int:
    if answer is None:
        return 0
    elsewhere = Counter(claim.claim_hash for claim in other.claims) if other else Counter[str]()
    alone = 0
    for claim in answer.claims:
        if elsewhere[claim.claim_hash]:
            elsewhere[claim.claim_hash] -= 1
        elif claim.is_moved and claim.is_supported not in exempt:
            alone += 1
    return alone


def _chosen_pairs(before: LabelledRun, after: LabelledRun, pairs: Iterable[tuple[int, int]]) -> Iterator[_Pair]:
    for old, new in pairs:
        if old in before.answers or new in after.answers:
            yield before.answers.get(old), after.answers.get(new)


def _labelled_pairs(before: LabelledRun, after: LabelledRun) -> Iterator[_Pair]:
    """Yield the labelled answers of both runs with their partners, by key and question; a partner may be missing."""
    waiting: dict[tuple[str, str], list[LabelledAnswer]] = {}
    for answer in before.answers.values():
        for name in _pairing_names(answer):
            waiting.setdefault(name, []).append(answer)
    taken: set[int] = set()
    for answer in after.answers.values():
        partners = (old for name in _pairing_names(answer) for old in waiting.get(name, ()) if old.row not in taken)
        partner = next(partners, None)
        if partner is not None:
            taken.add(partner.row)
        yield partner, answer
    yield from ((answer, None) for answer in before.answers.values() if answer.row not in taken)


def _pairing_names(answer: LabelledAnswer) -> tuple[tuple[str, str], ...]:
    """Return the names of an answer, the surest first: key and question, the question alone, its own key."""
    names = [(answer.key, answer.cluster), ("", answer.cluster)]
    if answer.key != str(answer.row):  # rows without a key are numbered, and numbers have no meaning in another file
        names.append((answer.key, ""))
    return tuple(names)
