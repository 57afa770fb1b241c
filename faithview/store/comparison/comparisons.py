"""Comparisons as they are kept, what they were worked out from, and what people said about pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select

from faithview.domain.causes import Knowledge
from faithview.domain.errors import NotFound
from faithview.domain.run import Run
from faithview.domain.views import View
from faithview.store import dialect
from faithview.store.database import Database
from faithview.store.schema.comparison import ComparisonRow, KnowledgeBaseChunkRow, KnowledgeBaseRow, PairChoiceRow
from faithview.store.schema.review import LabelRow, SpotCheckItemRow
from faithview.store.schema.runs import ChunkRow, RunRow


@dataclass(frozen=True, slots=True, kw_only=True)
class PairChoice:
    """A person's word on two answers or, with the claims' numbers from 1, on two claims of a pair of answers."""

    baseline_row: int
    candidate_row: int
    baseline_claim: int | None = None
    candidate_claim: int | None = None
    belong_together: bool


def make_stamp(db: Database, baseline: Run, candidate: Run, view: View) -> str:
    """Return what a comparison of the two rests on, as one line: it is valid as long as this is the same."""
    ids = [baseline.run_id, candidate.run_id]
    versions = [run.kb_version for run in (baseline, candidate) if run.kb_version is not None]
    with db.read() as connection:
        # The judge's noise comes from every run that judged the same rows again.
        family = set(ids) | set(
            connection.execute(
                select(RunRow.repeat_of).where(RunRow.id.in_(ids), RunRow.repeat_of.is_not(None))
            ).scalars()
        )
        revisions = connection.execute(
            select(RunRow.id, RunRow.revision, RunRow.status).where(
                RunRow.id.in_(family) | RunRow.repeat_of.in_(family)
            )
        ).all()
        choices = connection.execute(
            select(func.max(PairChoiceRow.id)).where(
                PairChoiceRow.baseline_id == ids[0], PairChoiceRow.candidate_id == ids[1]
            )
        ).scalar()
        labels = (
            []
            if view is View.JUDGE
            else connection.execute(
                select(LabelRow.run_id, func.max(LabelRow.id)).where(LabelRow.run_id.in_(ids)).group_by(LabelRow.run_id)
            ).all()
        )
        check = None
        if view is View.CORRECTED:
            items = select(func.max(SpotCheckItemRow.spot_check_id)).where(SpotCheckItemRow.run_id.in_(ids))
            check = connection.execute(items).scalar()
        known = connection.execute(
            select(KnowledgeBaseRow.version, KnowledgeBaseRow.created_at)
            .where(KnowledgeBaseRow.version.in_(versions))
            .order_by(KnowledgeBaseRow.version)
        ).all()
    parts = [
        *sorted(f"{run_id}={revision}{status}" for run_id, revision, status in revisions),
        f"spot-check={check or 0}",
        f"choices={choices or 0}",
        *sorted(f"labels {run_id}={newest}" for run_id, newest in labels),
        *(f"{run.kb_version!r}" for run in (baseline, candidate)),
        *(f"{version!r} {at.isoformat()}" for version, at in known),
    ]
    return " ".join(parts)


def find_document(db: Database, baseline: Run, candidate: Run, view: View, *, stamp: str) -> str | None:
    """Return the kept document if it was worked out from what is there now."""
    query = select(ComparisonRow.document).where(
        ComparisonRow.baseline_id == baseline.run_id,
        ComparisonRow.candidate_id == candidate.run_id,
        ComparisonRow.view == view.value,
        ComparisonRow.stamp == stamp,
    )
    with db.read() as connection:
        return connection.execute(query).scalar_one_or_none()


def keep_document(db: Database, baseline: Run, candidate: Run, view: View, *, stamp: str, document: str) -> None:
    """Keep a comparison in place of an older one of the same two runs."""
    place = {"baseline_id": baseline.run_id, "candidate_id": candidate.run_id, "view": view.value}
    with db.write() as connection:
        # Two people who open the same comparison, and somebody who deletes a run meanwhile, come one after the other.
        dialect.lock(connection, dialect.RUNS_LOCK)
        present = connection.execute(
            select(func.count()).select_from(RunRow).where(RunRow.id.in_((baseline.run_id, candidate.run_id)))
        ).scalar_one()
        if present < 2:  # one of them was deleted meanwhile
            return
        connection.execute(
            delete(ComparisonRow).where(
                ComparisonRow.baseline_id == baseline.run_id,
                ComparisonRow.candidate_id == candidate.run_id,
                ComparisonRow.view == view.value,
            )
        )
        connection.execute(insert(ComparisonRow), [{**place, "stamp": stamp, "document": document}])


def add_choices(
    db: Database, baseline_id: str, candidate_id: str, choices: Sequence[PairChoice], *, by: str | None, now: datetime
) -> None:
    """Store what a person said about pairs; raises NotFound if a run was deleted meanwhile."""
    with db.write() as connection:
        dialect.lock(connection, dialect.RUNS_LOCK)
        for run_id in (baseline_id, candidate_id):
            if connection.execute(select(RunRow.id).where(RunRow.id == run_id)).first() is None:
                raise NotFound(f"There is no run {run_id!r} any more.")
        connection.execute(
            insert(PairChoiceRow),
            [
                {
                    "baseline_id": baseline_id,
                    "candidate_id": candidate_id,
                    "baseline_row": choice.baseline_row,
                    "candidate_row": choice.candidate_row,
                    "baseline_claim": choice.baseline_claim,
                    "candidate_claim": choice.candidate_claim,
                    "belong_together": choice.belong_together,
                    "decided_by": by,
                    "at": now,
                }
                for choice in choices
            ],
        )


def list_choices(db: Database, baseline_id: str, candidate_id: str) -> list[PairChoice]:
    """Return what people said about pairs, of several words on the same two only the newest, oldest first."""
    query = (
        select(PairChoiceRow)
        .with_only_columns(
            PairChoiceRow.baseline_row,
            PairChoiceRow.candidate_row,
            PairChoiceRow.baseline_claim,
            PairChoiceRow.candidate_claim,
            PairChoiceRow.belong_together,
        )
        .where(PairChoiceRow.baseline_id == baseline_id, PairChoiceRow.candidate_id == candidate_id)
        .order_by(PairChoiceRow.id)
    )
    newest: dict[tuple[object, ...], PairChoice] = {}
    with db.read() as connection:
        for row in connection.execute(query):
            found = PairChoice(**row._mapping)
            about = (found.baseline_row, found.candidate_row, found.baseline_claim, found.candidate_claim)
            newest.pop(about, None)
            newest[about] = found
    return list(newest.values())


def load_knowledge(db: Database, version: str | None) -> Knowledge | None:
    """Return the chunks of a version of the knowledge base; None if it was never uploaded."""
    if version is None:
        return None
    known = KnowledgeBaseChunkRow
    query = (
        select(ChunkRow.chunk_hash, known.external_id)
        .join(known, known.chunk_id == ChunkRow.id)
        .where(known.version == version)
    )
    with db.read() as connection:
        rows = connection.execute(query).all()
    if not rows:
        return None
    return Knowledge(hashes=frozenset(row[0] for row in rows), ids=frozenset(row[1] for row in rows))


def load_knowledge_texts(db: Database, version: str) -> list[str]:
    """Return the texts of a version of the knowledge base."""
    known = KnowledgeBaseChunkRow
    query = select(ChunkRow.text).join(known, known.chunk_id == ChunkRow.id).where(known.version == version)
    with db.read() as connection:
        return list(connection.execute(query).scalars())
