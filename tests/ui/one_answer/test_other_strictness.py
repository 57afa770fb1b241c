"""The sentence on the check page that says what another strictness would change."""

from faithview.domain.claim import Verdict
from faithview.ui.one_answer.check import changes
from tests.factories import make_result

_YES, _NO = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED


def test_claims_are_named_by_number() -> None:
    others = {"lenient": make_result(_YES, _YES, _YES), "strict": make_result(_NO, _NO, _NO)}
    assert changes(make_result(_YES, _YES, _NO), others) == (
        "*Lenient* would accept claim 3. *Strict* would also question claims 1 and 2."
    )


def test_nothing_is_said_where_no_verdict_changes() -> None:
    assert changes(make_result(_YES, _NO), {"strict": make_result(_YES, _NO)}) == ""
