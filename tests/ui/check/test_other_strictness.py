"""The sentence on the check page that says what another strictness would change."""

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import Result, State
from faithview.ui.check.other_strictness import changes

_YES, _NO = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED


def _result(*verdicts: Verdict) -> Result:
    claims = tuple(Claim(text=f"Claim {n}.", verdict=verdict) for n, verdict in enumerate(verdicts, start=1))
    return Result(state=State.JUDGED, judge="embedded", claims=claims)


def test_claims_are_named_by_number() -> None:
    others = {"lenient": _result(_YES, _YES, _YES), "strict": _result(_NO, _NO, _NO)}
    assert changes(_result(_YES, _YES, _NO), others) == (
        "*Lenient* would accept claim 3. *Strict* would question claims 1 and 2 too."
    )


def test_nothing_is_said_where_no_verdict_changes() -> None:
    assert changes(_result(_YES, _NO), {"strict": _result(_YES, _NO)}) == ""
