"""What queries read of a claim: its text, which equal claims share with its hash and words, and its verdict.

Queries that read `claim` read a claim's text and its hash by `CLAIM_TEXT` and `CLAIM_HASH`. Verdicts and scores under a
view are look-ups of what `domain.label.effective_verdict` and `domain.scoring` gave. `claim_review` has a row for every
claim with labels, with the claim's effective verdict in it (null for "not a claim"), so a query that uses
`effective_verdict` must outer join `claim_review` to `claim`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, case, cast, delete, exists, func, literal, null, select
from sqlalchemy.types import String

from faithview.domain import content_hashes
from faithview.domain.answer import View
from faithview.domain.label import VerdictSource
from faithview.domain.result import State
from faithview.domain.scoring import reviewed_state
from faithview.store import dialect
from faithview.store.dialect import ContentHash
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.review import ClaimReviewRow, SampleReviewRow
from faithview.store.schema.runs import ClaimRow, ClaimTextRow, ResultRow


def _shared(column: Any, claim: Any) -> Any:
    return select(column).where(ClaimTextRow.id == claim.c.text_id).correlate(claim).scalar_subquery()


def text_of(claim: Any) -> ColumnElement[str]:
    """Return the text of a claim; `claim` is the table, or an alias of it."""
    return func.coalesce(claim.c.text, _shared(ClaimTextRow.text, claim))


def stand_in(number: Any) -> ColumnElement[str]:
    """Return what stands in the place of the hash of a deleted text; no hash looks like it."""
    return literal("deleted-") + cast(number, String)


_CLAIM = ClaimRow.__table__
# The text of a claim, and its hash of `domain.content_hashes`.
CLAIM_TEXT = text_of(_CLAIM).label("text")
CLAIM_HASH = func.coalesce(_shared(ClaimTextRow.claim_hash, _CLAIM), stand_in(ClaimRow.id), type_=ContentHash).label(
    "claim_hash"
)


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text of equal claims with its id."""

    text_id: int
    text: str

    def own_text(self, text: str) -> str | None:
        """Return what a claim with this text keeps of it: nothing where the shared one is the same."""
        return None if text == self.text else text


def share_texts(connection: Connection, texts: Iterable[str]) -> Mapping[str, SharedText]:
    """Return what each of these texts of claims shares with equal ones, storing what is new."""
    from faithview.stats.search_words import stems_of  # here, because commands that store nothing need no stemmer

    dialect.share_lock(connection, dialect.TEXTS_LOCK)
    hashes = {text: content_hashes.claim_hash(text) for text in texts}
    first = {digest: text for text, digest in reversed(hashes.items())}
    found: dict[str, SharedText] = {}
    # In one order, so that two writers on PostgreSQL wait for each other and not in a circle.
    for batch in dialect.batches(sorted(first)):
        found |= _find(connection, batch)
        new = [
            {"claim_hash": digest, "text": first[digest], "words": stems_of(first[digest])}
            for digest in batch
            if digest not in found
        ]
        if new:
            ignore = dialect.insert_ignore(connection.dialect.name)
            connection.execute(ignore(ClaimTextRow.__table__, ["claim_hash"]), new)
            found |= _find(connection, batch)
    return {text: found[digest] for text, digest in hashes.items()}


def remove_unused_texts(connection: Connection) -> None:
    """Remove the texts that no claim has any more, after claims were deleted."""
    dialect.lock(connection, dialect.TEXTS_LOCK)
    is_used = exists().where(InboxClaimRow.text_id == ClaimTextRow.id)
    connection.execute(delete(ClaimTextRow).where(~is_used))


def _find(connection: Connection, hashes: Iterable[str]) -> dict[str, SharedText]:
    columns = (ClaimTextRow.claim_hash, ClaimTextRow.id, ClaimTextRow.text)
    query = select(*columns).where(ClaimTextRow.claim_hash.in_(list(hashes)))
    return {row.claim_hash: SharedText(row.id, row.text) for row in connection.execute(query)}


# The sources of a verdict that people agreed on; a tie between reviewers is not settled.
SETTLED = (VerdictSource.REVIEWERS.value, VerdictSource.ADJUDICATED.value)


def effective_verdict(view: View) -> ColumnElement[str | None]:
    """Return the verdict that counts in the view: people's where they settled on one, else the judge's.

    Null means that people labelled it "not a claim".
    """
    if view is View.JUDGE:
        return ClaimRow.__table__.c.verdict
    return case((ClaimReviewRow.claim_id.is_(None), ClaimRow.verdict), else_=ClaimReviewRow.verdict)


def settled_verdict() -> ColumnElement[str | None]:
    """Return the verdict that people settled on, "" for "not a claim"; null where they have not settled on one."""
    return case((ClaimReviewRow.source.in_(SETTLED), func.coalesce(ClaimReviewRow.verdict, "")))


# What `sample_review` stores in place of the judge's figures, under the same names; only judged answers have scores.
_REVIEWED = (set(SampleReviewRow.__table__.c.keys()) & set(ResultRow.__table__.c.keys())) - {"sample_id", "run_id"}
_SCORES = {"faithfulness", "faithfulness_weighted", "is_faithful"}


def results_under(view: View) -> FromClause:
    """Return the results with the columns of `result`, under the view's verdicts.

    Answers that nobody labelled have no row in `sample_review` and keep the judge's figures. The corrected score is an
    estimate for a whole run, so in that view single answers show people's verdicts.
    """
    result = ResultRow.__table__
    if view is View.JUDGE:
        return result
    review = SampleReviewRow.__table__
    state = case(
        (review.c.claims.is_(None), result.c.state),
        (review.c.claims == 0, _reviewed_state(result.c.state, claims=0)),
        else_=_reviewed_state(result.c.state, claims=1),
    )

    def choose(name: str) -> ColumnElement[Any]:
        chosen = case((review.c.sample_id.is_(None), result.c[name]), else_=review.c[name])
        return (case((state == State.JUDGED, chosen), else_=null()) if name in _SCORES else chosen).label(name)

    columns = [
        choose(name) if name in _REVIEWED else result.c[name]
        for name in result.c.keys()  # noqa: SIM118 - a collection of columns, not a dict
        if name != "state"
    ]
    joined = result.outerjoin(review, review.c.sample_id == result.c.sample_id)
    return select(*columns, state.label("state")).select_from(joined).subquery("scored")


def _reviewed_state(judged: ColumnElement[str], *, claims: int) -> ColumnElement[str]:
    """Return `scoring.reviewed_state` as a look-up table for the database."""
    states = {state: reviewed_state(state, claims=claims) for state in State}
    return case({old.value: new.value for old, new in states.items() if new is not old}, value=judged, else_=judged)
