"""What an export says of spot-checks: how each was drawn, and which claims of an answer it drew.

With it `services/imports/given_checks.py` makes the same spot-check of an imported run, labelled or not. Every answer
of which something was drawn says all of it, so that the rows of the file may come in any order.

Spot-checks of listed claims are left out: their list may go across runs, and says nothing of a run's score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from faithview.documents.answers import DrawnClaimPlace, ExportedSpotCheck, RowSpotCheck
from faithview.services.container import Services
from faithview.store.review import review_columns, spot_checks
from faithview.store.review.teams import assignments


@dataclass(slots=True)
class DrawnClaims:
    """The spot-checks of a run, for the rows that were loaded last."""

    services: Services
    run_id: str
    _checks: dict[int, ExportedSpotCheck] = field(init=False)
    _items: dict[int, dict[int, list[DrawnClaimPlace]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Read the run's spot-checks."""
        db, run_id = self.services.db, self.run_id
        drawn = spot_checks.list_drawn_from(db, run_id)
        assigned = assignments.list_assignments(db) if drawn else {}
        answers = review_columns.count_labelled(db, run_id, spot_check_id=0).answers if drawn else 0
        self._checks = {
            part.check.spot_check_id: _exported(part, run_id, assigned=assigned, judged_answers=answers)
            for part in drawn
        }

    def load(self, first: int, last: int) -> None:
        """Read which claims were drawn of the rows from one position to another, both included."""
        self._items = {}
        if not self._checks:
            return
        for check_id, place, drawn in spot_checks.list_drawn_between(self.services.db, self.run_id, first, last):
            if check_id in self._checks:
                self._items.setdefault(drawn.row, {}).setdefault(check_id, []).append(
                    DrawnClaimPlace.of(drawn, claim=drawn.claim_number, place=place)
                )

    def of_row(self, position: int) -> Sequence[RowSpotCheck]:
        """Return what the export says of the spot-checks that drew claims of a row, oldest spot-check first."""
        items = self._items.get(position, {})
        return [
            RowSpotCheck.model_validate({**self._checks[check_id].to_dict(), "claims": items[check_id]})
            for check_id in sorted(items)
        ]


def _exported(
    part: spot_checks.DrawnFromRun, run_id: str, *, assigned: dict[int, tuple[str, ...]], judged_answers: int
) -> ExportedSpotCheck:
    check = part.check
    frames: Any = check.design["runs"]
    return ExportedSpotCheck.of(
        check,
        spot_check=str(check.spot_check_id),
        assigned_to=assigned.get(check.spot_check_id, ()),
        design={name: value for name, value in check.design.items() if name != "runs"},
        frame=frames[run_id],
        drawn_claims=part.drawn,
        judged_answers=judged_answers,
    )
