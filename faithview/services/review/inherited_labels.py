"""Where a claim's inherited labels come from, and what has changed under those that do not hold any more."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from faithview.domain.label import Label, retracted_ids
from faithview.services.container import Services
from faithview.services.results.answers import get_answer_at
from faithview.services.results.runs import get_run
from faithview.services.review.carry_over import ChunkChange, explain_stale_label
from faithview.store.review import carry_over


@dataclass(frozen=True, slots=True, kw_only=True)
class InheritedLabel:
    """A label that was given in an earlier run.

    `said` is the label itself, None while the claim is looked at blind: then nothing of what was said is in this
    object. `origin_run`, `origin_key` and `origin_claim` name where it was given, None where that has been deleted.
    `changes` are the chunks that changed under a stale label.
    """

    reviewer: str
    at: datetime
    is_stale: bool
    said: Label | None
    origin_run: str | None = None
    origin_name: str | None = None
    origin_key: str | None = None
    origin_claim: int | None = None
    changes: tuple[ChunkChange, ...] = ()


def list_inherited(
    services: Services, run_id: str, row: int, labels: Sequence[Label], *, is_blind: bool = False
) -> tuple[InheritedLabel, ...]:
    """Return the inherited ones of a claim's labels that were not taken back, oldest first."""
    retracted = retracted_ids(labels)
    carried = [label for label in labels if label.origin is not None and label.label_id not in retracted]
    return tuple(_explain(services, run_id, row, label, is_blind=is_blind) for label in carried)


def _explain(services: Services, run_id: str, row: int, label: Label, *, is_blind: bool) -> InheritedLabel:
    said = None if is_blind else label
    origin = None if label.origin is None else carry_over.find_origin(services.db, label.origin)
    if origin is None:
        return InheritedLabel(reviewer=label.reviewer, at=label.at, is_stale=label.is_stale, said=said)
    origin_run, origin_row, given = origin
    stale = explain_stale_label(services, run_id, row, label, is_blind=is_blind) if label.is_stale else None
    return InheritedLabel(
        reviewer=label.reviewer,
        at=label.at,
        is_stale=label.is_stale,
        said=said,
        origin_run=origin_run,
        origin_name=get_run(services, origin_run).name,
        origin_key=get_answer_at(services, origin_run, origin_row).sample.key,
        origin_claim=given.claim_number,
        changes=stale.changes if stale else (),
    )
