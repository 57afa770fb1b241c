"""Reveals: who has seen the judge's verdict on a claim, and so can no longer label it blind."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, exists, or_, select

from faithview.domain.claim import ClaimRef, Verdict
from faithview.domain.label import Label
from faithview.store import dialect
from faithview.store.claim_texts import CLAIM_TEXT
from faithview.store.database import Database
from faithview.store.review.label_rows import LABELS, to_label
from faithview.store.review.spot_check_rows import counts_for
from faithview.store.schema.review import LabelRow, RevealRow, SeenAnswerRow, SpotCheckItemRow
from faithview.store.schema.runs import ClaimRow, SampleRow, is_of_runs


def add_reveals(db: Database, places: Sequence[ClaimRef], *, reviewer: str, now: datetime) -> None:
    """Note that the reviewer sees the judge's verdicts on these claims; a claim that is gone is left out."""
    with db.bookkeep() as connection:
        insert = dialect.insert_ignore(db.dialect_name)(RevealRow, ["claim_id", "reviewer"])
        for place in places:
            claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
            if claim_id is not None:
                connection.execute(insert, {"claim_id": claim_id, "reviewer": reviewer, "at": now})


def add_seen_answers(db: Database, answers: Sequence[tuple[str, int]], *, reviewer: str, now: datetime) -> None:
    """Note that the reviewer has opened these answers, (run, row), with the judge's verdicts on all claims in sight.

    An answer that is gone is left out. Where the store can only be read, nobody labels, and nothing is noted.
    """
    if db.is_read_only:
        return
    with db.bookkeep() as connection:
        insert = dialect.insert_ignore(db.dialect_name)(SeenAnswerRow, ["sample_id", "reviewer"])
        for run_id, row in answers:
            sample = select(SampleRow.id).where(SampleRow.run_id == run_id, SampleRow.position == row)
            sample_id = connection.execute(sample).scalar_one_or_none()
            if sample_id is not None:
                connection.execute(insert, {"sample_id": sample_id, "reviewer": reviewer, "at": now})


def is_shown(db: Database, place: ClaimRef, *, reviewer: str) -> bool:
    """Return whether a blind spot-check shows the reviewer the judge's verdict on the claim.

    It does once it was revealed to them, or they labelled the claim knowing it. That they saw it on another page is no
    reason to show it again before they label.
    """
    with db.read() as connection:
        claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
        return claim_id is not None and bool(connection.execute(select(_is_shown(claim_id, reviewer))).scalar_one())


def has_seen_judge(db: Database, place: ClaimRef, *, reviewer: str) -> bool:
    """Return whether the reviewer has seen the judge's verdict on the claim; see `has_seen`."""
    with db.read() as connection:
        claim_id = connection.execute(_find_claim(place)).scalar_one_or_none()
        return claim_id is not None and has_seen(connection, claim_id, reviewer=reviewer)


def has_seen(connection: Connection, claim_id: int, *, reviewer: str) -> bool:
    """Return whether the reviewer has seen the judge's verdict on the claim, so that no new label of theirs is blind.

    They have if it was revealed to them, if they labelled the claim with it in sight, or if they opened its answer on a
    page that shows the verdicts. Labels carried over from an earlier run say nothing: the judge may have judged
    otherwise there.
    """
    opened = exists().where(
        SeenAnswerRow.reviewer == reviewer, SeenAnswerRow.sample_id == ClaimRow.sample_id, ClaimRow.id == claim_id
    )
    return bool(connection.execute(select(or_(_is_shown(claim_id, reviewer), opened))).scalar_one())


def list_reveals(db: Database, run_id: str) -> set[tuple[int, int, str]]:
    """Return (row position, claim number, reviewer) of every reveal in a run."""
    query = (
        select(SampleRow.position, ClaimRow.number, RevealRow.reviewer)
        .join(ClaimRow, ClaimRow.id == RevealRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(is_of_runs(run_id))
    )
    with db.read() as connection:
        return {(row.position, row.number, row.reviewer) for row in connection.execute(query)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim that a reviewer labelled in a spot-check, with all their labels on it, oldest first.

    `position` is its place in the queue, from 1; `is_seen` says whether the spot-check shows the reviewer the judge's
    verdict (`is_shown`).
    """

    position: int
    place: ClaimRef
    text: str
    judged: Verdict
    is_seen: bool
    labels: tuple[Label, ...]


def list_checked_claims(db: Database, spot_check_id: int, *, reviewer: str) -> list[CheckedClaim]:
    """Return the claims that a reviewer labelled in a spot-check, in the order of its queue."""
    given = select(LabelRow.claim_id).where(LabelRow.reviewer == reviewer, *counts_for(spot_check_id))
    claims = (
        select(
            SpotCheckItemRow.position,
            SampleRow.run_id,
            SampleRow.position.label("row"),
            ClaimRow.id,
            ClaimRow.number,
            CLAIM_TEXT,
            ClaimRow.verdict,
            _is_shown(ClaimRow.id, reviewer).label("is_seen"),
        )
        .join(ClaimRow, ClaimRow.id == SpotCheckItemRow.claim_id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(SpotCheckItemRow.spot_check_id == spot_check_id, SpotCheckItemRow.claim_id.in_(given))
        .order_by(SpotCheckItemRow.position)
    )
    own = LABELS.where(LabelRow.reviewer == reviewer, LabelRow.claim_id.in_(given)).order_by(LabelRow.id)
    by_claim: dict[int, list[Label]] = {}
    with db.read() as connection:
        for row in connection.execute(own):
            by_claim.setdefault(row.claim_id, []).append(to_label(row))
        return [
            CheckedClaim(
                position=row.position,
                place=ClaimRef(run_id=row.run_id, row=row.row, claim_number=row.number),
                text=row.text,
                judged=Verdict(row.verdict),
                is_seen=bool(row.is_seen),
                labels=tuple(by_claim[row.id]),
            )
            for row in connection.execute(claims)
        ]


def _is_shown(claim_id: Any, reviewer: str) -> ColumnElement[bool]:
    revealed = exists().where(RevealRow.claim_id == claim_id, RevealRow.reviewer == reviewer)
    labelled = exists().where(
        LabelRow.claim_id == claim_id,
        LabelRow.reviewer == reviewer,
        LabelRow.judge_seen.is_(True),
        LabelRow.origin.is_(None),
    )
    return or_(revealed, labelled)


def _find_claim(place: ClaimRef) -> Select[int]:
    return (
        select(ClaimRow.id)
        .join(SampleRow, SampleRow.id == ClaimRow.sample_id)
        .where(
            SampleRow.run_id == place.run_id,
            SampleRow.position == place.row,
            ClaimRow.number == place.claim_number,
        )
    )
