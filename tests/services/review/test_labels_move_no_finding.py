"""Labels on one of two runs are no change of the runs."""

from collections.abc import Sequence

from faithview import Result, Sample
from faithview.domain.alert import AlertKind
from faithview.services.alerts import add_rule, evaluate_alerts
from faithview.services.container import Store
from faithview.services.gates import Gates, check_gates
from faithview.services.results import get_run, get_summary
from tests.factories import N, S, make_claim, make_row, say, store_rows

CHUNK = {"doc": "The office opens at nine on weekdays."}
ANSWERS = 12


def _rows(*, prefix: str = "") -> list[tuple[Sample, Result]]:
    """Twelve answers of two claims, the second of which the judge does not find."""
    return [
        make_row(
            CHUNK,
            make_claim(f"{prefix}It opens at nine, case {number}.", S, "doc"),
            make_claim(f"{prefix}It is blue, case {number}.", N),
            question=f"What of case {number}?",
            key=f"q{number}",
        )
        for number in range(ANSWERS)
    ]


def _store(services: Store, *, prefix: str = "") -> None:
    store_rows(services, "old", _rows(), series="s")
    store_rows(services, "new", _rows(prefix=prefix), week=1, series="s")


def _label(services: Store, run_id: str, *, claims: Sequence[int] = (2,), verdict: str = "supported") -> None:
    for row in range(1, ANSWERS + 1):
        for claim in claims:
            say(services, run_id, row, claim, verdict)


def test_no_gate_and_no_alert_fires_on_labels(services: Store) -> None:
    _store(services)
    _label(services, "new", claims=(1,), verdict="not_mentioned")
    add_rule(services, AlertKind.FELL, 0.0)
    assert evaluate_alerts(services, get_run(services, "new")) == []
    gates = Gates(fail_on_regression=True)
    assert not check_gates(services, get_summary(services, "new"), gates, baseline=get_run(services, "old")).failures
