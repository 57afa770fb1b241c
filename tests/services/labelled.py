"""Runs whose claims and chunks a test writes down, to be labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from faithview import Chunk, Claim, Result, Sample, State, Verdict
from faithview.domain.run import Run
from faithview.domain.spot_check import QueueItem
from faithview.services.container import Services
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance
from faithview.services.review.queue import label_probability
from faithview.store.review.labels import add_queue_label
from tests.store.made import NOW, make_run
from tests.store.made import store_run as store

S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED


def make_claim(
    text: str, verdict: Verdict, *cited: str, confidence: float | None = None, support: float | None = None
) -> Claim:
    """Return a claim that cites those chunks."""
    return Claim(text=text, verdict=verdict, supporting_chunk_ids=cited, confidence=confidence, support_score=support)


def make_row(
    chunks: Mapping[str, str], *claims: Claim, question: str | None = "When?", key: str = ""
) -> tuple[Sample, Result]:
    """Return an answer that makes those claims, with its chunks by id."""
    sample = Sample(
        answer=" ".join(claim.text for claim in claims) or "Nothing.",
        chunks=tuple(Chunk(text=text, chunk_id=chunk_id) for chunk_id, text in chunks.items()),
        question=question,
        key=key,
    )
    return sample, Result(state=State.JUDGED if claims else State.NO_CLAIMS, judge="lexical", claims=claims)


def store_rows(
    services: Services,
    run_id: str,
    rows: Sequence[tuple[Sample, Result]],
    *,
    week: int = 0,
    fingerprint: str = "",
    kb_version: str | None = None,
    series: str = "",
) -> Run:
    """Store a finished run of those rows, whose answers are of that week."""
    run = make_run(run_id, as_of=NOW + timedelta(weeks=week))
    run = replace(
        run, fingerprint=fingerprint or run.fingerprint, kb_version=kb_version or run.kb_version, series=series
    )
    return store(services.db, [sample for sample, _ in rows], [result for _, result in rows], run=run)


def say(services: Services, run_id: str, row: int, claim: int, verdict: str, *, by: str = "ann") -> int:
    """Label a claim and return the label's id."""
    return labels.label_claim(services, run_id, row, claim, verdict, LabelProvenance(reviewer=by)).label_id


def label_item(services: Services, item: QueueItem, verdict: str, *, by: str = "ann") -> None:
    """Store what `queue.label_and_advance` stores, without the search for the next claim, which takes longer."""
    is_blind = item.check.is_blind and not item.check.gives_away_to(by)
    provenance = LabelProvenance(
        reviewer=by,
        is_blind=is_blind,
        judge_seen=not is_blind,
        spot_check_id=item.check.spot_check_id,
        inclusion_probability=label_probability(item),
    )
    label = labels.build_label(verdict, provenance, claim=item.drawn.claim_number)
    add_queue_label(services.db, label, run_id=item.drawn.run_id, position=item.drawn.row, item_id=item.item_id)
