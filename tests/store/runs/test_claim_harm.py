"""The expected harm that SQL reads is the domain's, under the judge's verdicts and under people's."""

import itertools

from sqlalchemy import select

from faithview import Claim, Result, Sample, State, Verdict
from faithview.domain.claim import Severity
from faithview.domain.label import Label, LabelKind
from faithview.domain.scoring import SETTLED_CONFIDENCE, expected_harm
from faithview.domain.views import View
from faithview.store.database import Database
from faithview.store.review import labels
from faithview.store.runs.claim_harm import claim_harm
from faithview.store.schema.review import ClaimReviewRow
from faithview.store.schema.runs import ClaimRow
from tests.store.made import NOW, store_run

_CLAIMS = tuple(
    Claim(text=f"Claim {verdict} {severity} {confidence}.", verdict=verdict, severity=severity, confidence=confidence)
    for verdict, severity, confidence in itertools.product(Verdict, (None, *Severity), (None, 0.3, 1.0))
)


def _harms(db: Database, view: View) -> list[float]:
    query = (
        select(claim_harm(view))
        .select_from(ClaimRow)
        .outerjoin(ClaimReviewRow, ClaimReviewRow.claim_id == ClaimRow.id)
        .order_by(ClaimRow.number)
    )
    with db.read() as connection:
        return list(connection.execute(query).scalars())


def test_sql_and_the_domain_agree(db: Database) -> None:
    store_run(db, [Sample(answer="x")], [Result(state=State.JUDGED, judge="lexical", claims=_CLAIMS)])
    assert _harms(db, View.JUDGE) == [expected_harm(c.verdict, c.severity, c.confidence) for c in _CLAIMS]
    given = {1: Verdict.CONTRADICTED, len(_CLAIMS): Verdict.SUPPORTED, 20: None}
    for number, verdict in given.items():
        kind = LabelKind.VERDICT if verdict else LabelKind.NOT_A_CLAIM
        label = Label(label_id=0, kind=kind, reviewer="ann", at=NOW, claim_number=number, verdict=verdict)
        labels.add_labels(db, "r1", [(1, label)])
    assert _harms(db, View.JUDGE) == [expected_harm(c.verdict, c.severity, c.confidence) for c in _CLAIMS]
    assert _harms(db, View.REVIEWED) == [
        expected_harm(given[n], c.severity, SETTLED_CONFIDENCE)
        if n in given
        else expected_harm(c.verdict, c.severity, c.confidence)
        for n, c in enumerate(_CLAIMS, start=1)
    ]
