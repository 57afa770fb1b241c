"""The texts of claims: equal claims share one, with its hash and its words to search.

Queries that read `claim` read a claim's text and its hash by the two expressions here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, cast, delete, exists, func, literal, select
from sqlalchemy.types import String

from faithview.domain import content_hashes
from faithview.store import dialect
from faithview.store.hash_columns import ContentHash
from faithview.store.schema.inbox import InboxClaimRow
from faithview.store.schema.runs import ClaimRow, ClaimTextRow


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
