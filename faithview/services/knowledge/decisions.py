"""People's decisions about findings in knowledge bases: a contradiction or a term is confirmed or dismissed."""

from datetime import UTC, datetime

from faithview.domain.contradiction import Contradiction, Decision, NewTerm
from faithview.domain.contradiction import FindingKind as Kind
from faithview.services.container import Store
from faithview.store import knowledge_decisions


def decide(
    store: Store, finding: Contradiction | NewTerm, *, is_confirmed: bool | None, author: str | None = None
) -> Decision | None:
    """Store a person's decision about a finding, in place of an older one, and return it.

    Args:
        store: the store.
        finding: a finding of `services.knowledge.check`.
        is_confirmed: True to confirm it, False to dismiss it; None takes the decision back.
        author: who decides; None without log-in.

    Raises:
        NotAllowed: the user may only look.
    """
    decision = None
    if is_confirmed is not None:
        decision = Decision(is_confirmed=is_confirmed, decided_by=author, at=datetime.now(UTC))
    kind = Kind.CONTRADICTION if isinstance(finding, Contradiction) else Kind.TERM
    knowledge_decisions.save_decision(store.db, kind, finding.key, decision)
    return decision
