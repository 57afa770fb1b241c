"""Gates: conditions that a run must meet for a build to pass.

`faithview compare --fail-on-regression` compares two named runs without this module; it uses
`services.comparison.compared_runs.Comparison`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run, RunSummary
from faithview.services.comparison.baselines import find_fall, find_previous
from faithview.services.container import Store
from faithview.services.results import get_run
from faithview.wording import numbers as fmt


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """The conditions that a run must meet; None and False set no condition.

    `fail_under` is the minimum mean faithfulness, in [0, 1], and `min_coverage` the minimum share of answers with a
    verdict among those that should have one (`domain.scoring.coverage`). `fail_on_regression` fails if the score fell
    significantly (p < 0.05) since the run `baseline`, an id or a unique name, or since the previous comparable run.
    `require_baseline` fails if there is no run to compare with.
    """

    fail_under: float | None = None
    min_coverage: float | None = None
    fail_on_regression: bool = False
    baseline: str | None = None
    require_baseline: bool = False

    def __post_init__(self) -> None:
        if self.baseline is not None and not self.fail_on_regression:
            raise InvalidInput("A baseline has no effect without --fail-on-regression; give both or neither.")
        if self.require_baseline and not self.fail_on_regression:
            raise InvalidInput("--require-baseline has no effect without --fail-on-regression; give both or neither.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """The reasons why gates fail, one clause each; `notes` are further sentences for the user."""

    failures: Sequence[str]
    notes: Sequence[str] = ()


def find_baseline(store: Store, gates: Gates, *, run: Run | None = None) -> Run | None:
    """Return the baseline run that the gates name, or None; call it before judging.

    Raises:
        NotFound: there is no such run.
        InvalidInput: it is the run that is to be judged.
    """
    if gates.baseline is None:
        return None
    baseline = get_run(store, gates.baseline)
    if run is not None and baseline.run_id == run.run_id:
        raise InvalidInput(f"{baseline.name!r} cannot be compared with itself; name another run as --baseline.")
    return baseline


def check_gates(store: Store, summary: RunSummary, gates: Gates, *, baseline: Run | None = None) -> GateOutcome:
    """Check a judged run; `baseline` is the result of `find_baseline`."""
    failures: list[str] = []
    notes: list[str] = []
    left_out = summary.run.rows_left_out
    mean, share = summary.score.mean, summary.coverage
    if gates.fail_under is not None and (mean is None or mean < gates.fail_under):
        # Rounded to two digits 0.7996 would be "0.80, below 0.8".
        shown = fmt.fixed(mean, 4)
        failures.append(f"faithfulness {shown} is below {gates.fail_under}")
    if gates.min_coverage is not None and share is not None and share < gates.min_coverage:
        unread = f" ({fmt.plural(left_out, 'row')} of the file could not be read)" if left_out else ""
        failures.append(f"coverage {fmt.fixed(share, 4)}{unread} is below {gates.min_coverage}")
    if gates.fail_on_regression:
        is_required = gates.require_baseline or baseline is not None
        regression = _regression(store, summary.run, baseline, is_required=is_required)
        failures += regression.failures
        notes += regression.notes
    return GateOutcome(failures=tuple(failures), notes=tuple(notes))


def _regression(store: Store, run: Run, baseline: Run | None, *, is_required: bool) -> GateOutcome:
    other = baseline or find_previous(store, run)
    if other is None:
        none = "there is no earlier complete run by this judge on these questions in its series"
        if is_required:
            text = f"{none} to compare with (--require-baseline); this run can be the next one's baseline"
            return GateOutcome(failures=(text,))
        return GateOutcome(failures=(), notes=(f"T{none[1:]}, so there is nothing to compare with.",))
    fall, reason = None, f"no answer was judged both in {run.name} and in {other.name}"
    try:
        fall = find_fall(store, run, other)
    except InvalidInput as error:
        reason = str(error)
    if fall is None or fall.difference is None:
        reason = reason[:1].lower() + reason[1:].removesuffix(".")
        # A named or required baseline needs a comparison, so the gate fails if the runs cannot be compared.
        text = f"it is not known whether the score fell since {other.name}: {reason}"
        return GateOutcome(failures=(text,)) if is_required else GateOutcome(failures=(), notes=(f"I{text[1:]}.",))
    notes: list[str] = []
    if other.fingerprint != run.fingerprint:
        note = f"{other.name} was judged differently ({other.fingerprint}), so a difference may come from the judges."
        notes.append(note)
    if fall.is_real:
        lost, p_value = fmt.fixed(-fall.difference, 4), fmt.fixed(fall.p_value, 4)
        failure = f"faithfulness fell by {lost} since {other.name} (p = {p_value})"
        return GateOutcome(failures=(failure,), notes=notes)
    if fall.comparison is not None:
        # Imported here so that a run without a gate does not load the statistics.
        from faithview.wording.comparison import no_fall_words

        notes.append(no_fall_words(fall.comparison.difference, other.name))
    return GateOutcome(failures=(), notes=notes)
