"""How far a preflight foresaw what an update did: its predictions and the comparison of the runs around the update.

A claim that broke was predicted if the preflight said that it would break. A claim that only the later answer makes
cannot be predicted itself; it counts as predicted if the preflight said that the answer would change.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from faithview.domain.answer import View
from faithview.domain.claim import Verdict
from faithview.domain.comparison import CAUSES_WITHOUT_CLAIMS, Cause, Change, Term
from faithview.domain.event import Event, EventKind
from faithview.domain.preflight import Foresight, PreflightRecord
from faithview.domain.run import Run
from faithview.services.comparison.compare import get_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.container import Store
from faithview.services.knowledge.preflight.forecast import compute_forecast
from faithview.services.knowledge.versions import find_knowledge_base, hash_texts
from faithview.services.results import get_run
from faithview.store import preflights

# The causes that are changes of documents.
BY_DOCUMENTS = frozenset({Cause.EVIDENCE_REMOVED, Cause.EVIDENCE_EDITED, Cause.EVIDENCE_ADDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPreflight:
    """The preflight of an update; `is_same_text` says that exactly the checked texts were published."""

    record: PreflightRecord
    is_same_text: bool


def find_preflight(store: Store, baseline: Run, candidate: Run) -> FoundPreflight | None:
    """Return the preflight of the update between two runs: on the earlier run, of the later run's version.

    It is the newest one of exactly that version's texts, else the newest one that names the version. None if there is
    none, or if both runs used one version.
    """
    version = candidate.kb_version
    if version is None or version == baseline.kb_version:
        return None
    records = [record for record in preflights.list_preflights(store.db, run_id=baseline.run_id) if record.finished_at]
    if not records:
        return None
    base = find_knowledge_base(store, version)
    digest = None if base is None else hash_texts(store, base)
    same = next((record for record in records if record.texts_hash == digest), None)
    if same is not None:
        return FoundPreflight(record=same, is_same_text=True)
    named = next((record for record in records if record.new_version == version), None)
    return None if named is None else FoundPreflight(record=named, is_same_text=False)


def find_event_preflight(store: Store, event: Event) -> str | None:
    """Return the id of the preflight of an update of the knowledge base, or None."""
    if event.kind is not EventKind.KNOWLEDGE_BASE or event.before_run_id is None or event.after_run_id is None:
        return None
    found = find_preflight(store, get_run(store, event.before_run_id), get_run(store, event.after_run_id))
    return None if found is None else found.record.preflight_id


def check_foresight(store: Store, comparison: Comparison) -> Foresight | None:
    """Return how far the preflight of the update between two compared runs foresaw it; None if there was none."""
    found = find_preflight(store, comparison.baseline, comparison.candidate)
    if found is None:
        return None
    view = View.JUDGE if comparison.view is View.JUDGE else View.REVIEWED
    result = compute_forecast(store, found.record, view)
    foretold: dict[int, set[int]] = defaultdict(set)
    for claim in result.claims:
        if claim.outcome.is_predicted_to_break and claim.number is not None:
            foretold[claim.row].add(claim.number)
    asked = {question.row for question in result.questions}
    changing = {question.row for question in result.questions if question.answer_changes}
    broken = [
        (change.baseline_row, term)
        for change in comparison.changes
        for term in change.terms
        if term.value < 0 and term.cause not in CAUSES_WITHOUT_CLAIMS
    ]
    by_documents = [(row, term) for row, term in broken if term.cause in BY_DOCUMENTS]
    alone = {unpaired.row for unpaired in comparison.pairing.only_in_baseline}
    outcomes: Counter[str] = Counter()
    for row, numbers in foretold.items():
        if row not in alone:
            outcomes.update(_outcomes(store, comparison, row, numbers))
    worse = {change.baseline_row for change in comparison.changes if (change.difference or 0.0) < 0}
    return Foresight(
        preflight_id=found.record.preflight_id,
        created_at=found.record.created_at,
        is_same_text=found.is_same_text,
        broken=len(broken),
        predicted=_count_predicted(broken, foretold, changing),
        predicted_new=_count_new(broken, changing),
        named=sum(row in asked for row, _ in broken),
        by_documents=len(by_documents),
        by_documents_predicted=_count_predicted(by_documents, foretold, changing),
        by_documents_predicted_new=_count_new(by_documents, changing),
        by_documents_named=sum(row in asked for row, _ in by_documents),
        foretold=sum(map(len, foretold.values())),
        foretold_broke=outcomes["broke"],
        foretold_held=outcomes["held"],
        foretold_reworded=outcomes["reworded"],
        foretold_dropped=outcomes["dropped"],
        changing=len(changing - alone),
        changing_worse=len(changing & worse),
        asked=len(asked - alone),
        asked_worse=len(asked & worse),
    )


def _count_predicted(broken: Sequence[tuple[int, Term]], foretold: Mapping[int, set[int]], changing: set[int]) -> int:
    itself = sum(term.baseline in foretold.get(row, set()) for row, term in broken if term.baseline is not None)
    return itself + _count_new(broken, changing)


def _count_new(broken: Sequence[tuple[int, Term]], changing: set[int]) -> int:
    return sum(row in changing for row, term in broken if term.baseline is None)


def _outcomes(store: Store, comparison: Comparison, row: int, numbers: set[int]) -> list[str]:
    """Return what became of claims that were predicted to break, in the paired answer of the later run."""
    change = next((one for one in comparison.changes if one.baseline_row == row), None)
    if change is None:
        return ["held"] * len(numbers)  # nothing in the answer changed
    return _outcomes_of_change(store, comparison, change, numbers)


def _outcomes_of_change(store: Store, comparison: Comparison, change: Change, numbers: set[int]) -> list[str]:
    pair = get_pair(store, comparison, baseline_row=change.baseline_row, candidate_row=change.candidate_row)
    partners = {claim.baseline + 1: claim.candidate for claim in pair.claims if claim.baseline is not None}
    hashes = [claim.claim_hash for claim in pair.after.result.claims]
    outcomes = []
    for number in numbers:
        partner = partners.get(number)
        if partner is None:
            outcomes.append("dropped")
        elif pair.verdicts_after[partner] is not Verdict.SUPPORTED:
            outcomes.append("broke")
        else:
            is_same = pair.before.result.claims[number - 1].claim_hash in hashes[partner : partner + 1]
            outcomes.append("held" if is_same else "reworded")
    return outcomes
