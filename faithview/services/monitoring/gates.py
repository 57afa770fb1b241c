"""Gates: what a run must reach for a build to pass."""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.alert import coverage
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run, RunSummary
from faithview.services.comparison.baselines import Fall, find_fall, find_previous
from faithview.services.container import Services
from faithview.services.results.runs import get_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """What is asked of a run; what is None or False is not.

    `fail_under` is the least mean faithfulness and `min_coverage` the least share of the answers that should have a
    verdict and have one (`domain.alert.coverage`). `fail_on_regression` asks that the score did not fall significantly
    (p < 0.05) against the run `baseline`, an id or a unique name, or else the previous comparable run.
    """

    fail_under: float | None = None
    min_coverage: float | None = None
    fail_on_regression: bool = False
    baseline: str | None = None

    def __post_init__(self) -> None:
        if self.baseline is not None and not self.fail_on_regression:
            raise InvalidInput("A baseline means nothing without --fail-on-regression; give both or neither.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """Why the gates fail, a clause each, none where they hold; `notes` are sentences on what could not be told."""

    failures: Sequence[str]
    notes: Sequence[str] = ()


def find_baseline(services: Services, gates: Gates, *, run: Run | None = None) -> Run | None:
    """Return the run that the gates name as baseline, None if they name none; to be asked before anything is judged.

    Raises:
        NotFound: there is no such run.
        InvalidInput: it is the run that is to be judged.
    """
    if gates.baseline is None:
        return None
    found = get_run(services, gates.baseline)
    if run is not None and found.run_id == run.run_id:
        raise InvalidInput(f"{found.name!r} cannot be held against itself; name another run as --baseline.")
    return found


def check_gates(services: Services, summary: RunSummary, gates: Gates, *, baseline: Run | None = None) -> GateOutcome:
    """Return what a judged run does not reach; `baseline` is what `find_baseline` gave."""
    failures: list[str] = []
    notes: list[str] = []
    mean, share = summary.score.mean, coverage(summary.states)
    if gates.fail_under is not None and (mean is None or mean < gates.fail_under):
        # Rounded to two digits 0.7996 would be "0.80, below 0.8".
        shown = "–" if mean is None else f"{mean:.4f}"
        failures.append(f"faithfulness {shown} is below {gates.fail_under}")
    if gates.min_coverage is not None and share is not None and share < gates.min_coverage:
        failures.append(f"only {share:.4f} of the answers have a verdict, less than {gates.min_coverage}")
    if gates.fail_on_regression:
        failure, note = _regression(services, summary.run, baseline)
        failures += [failure] if failure else []
        notes += [note] if note else []
    return GateOutcome(failures=tuple(failures), notes=tuple(notes))


def _regression(services: Services, run: Run, baseline: Run | None) -> tuple[str, str]:
    """Return why the gate fails and what there is to say, each "" where there is nothing."""
    other = baseline or find_previous(services, run)
    if other is None:
        return "", "There is no earlier complete run by this judge on these questions, so nothing can have fallen."
    try:
        fall = find_fall(services, run, other)
    except InvalidInput as error:
        fall = Fall(baseline=other, difference=None, p_value=None, is_real=False)
        reason = str(error)
    else:
        reason = f"no answer was judged both in {run.name} and in {other.name}"
    if fall.difference is None:
        reason = reason[:1].lower() + reason[1:].removesuffix(".")
        # Who names a baseline wants to be told whether the score fell; that nobody can say is no pass.
        text = f"whether it fell since {other.name} cannot be told: {reason}"
        return (text, "") if baseline is not None else ("", f"{text[:1].upper()}{text[1:]}.")
    note = ""
    if other.fingerprint != run.fingerprint:
        note = f"{other.name} was judged differently ({other.fingerprint}), so a difference may be the judges'."
    if not fall.is_real:
        return "", note
    return f"faithfulness fell by {-fall.difference:.4f} since {other.name} (p = {fall.p_value:.4f})", note
