"""What a store has to hold after a soak test: all that was reported as done, once, and nothing else."""

from collections import Counter

from faithview.domain.label import LabelKind
from faithview.domain.result import State
from faithview.domain.run import Run, RunStatus
from faithview.services.container import Store
from faithview.services.results import get_run, iterate_answers, list_runs
from faithview.services.review.labels import claim_history
from faithview.store.database import check_contents
from tests.performance.soaking.browsing import Browsed
from tests.performance.soaking.commanding import ROWS, Commanded


def find_faults(services: Store, url: str, shared: Run, browsed: Browsed, commanded: Commanded) -> list[str]:
    """Return what is lost, doubled, left over, torn, or was shown as an error on the way."""
    faults = [*browsed.faults, *commanded.faults]
    faults += [f"db check: {problem}" for problem in check_contents(url)[1]]
    names = Counter(run.name for run in list_runs(services, archived=None))
    wanted = Counter([shared.name, *commanded.runs])
    faults += [f"run {name!r} is not there" for name in wanted - names]
    faults += [f"run {name!r} is there, and nobody asked for it" for name in names - wanted]
    given: Counter[str] = Counter()
    for name in sorted(names):
        run = get_run(services, name)
        if run.status is not RunStatus.COMPLETE:
            faults.append(f"run {name!r} is {run.status}")
        keys: Counter[str] = Counter()
        for detail in iterate_answers(services, run.run_id):
            keys[detail.sample.key] += 1
            if detail.result.state is State.PENDING:
                faults.append(f"row {detail.sample.key!r} of run {name!r} is pending")
            given.update(
                label.reviewer
                for label in claim_history(services, run.run_id, detail.position)
                if label.kind is not LabelKind.RETRACTION
            )
        faults += [f"row {key!r} of run {name!r} is there {times} times" for key, times in keys.items() if times > 1]
        if name != shared.name and keys.total() != ROWS:
            faults.append(f"run {name!r} has {keys.total()} rows, not {ROWS}")
    faults += [
        f"{reviewer!r} gave {number} labels, and {given[reviewer]} are there"
        for reviewer, number in commanded.labels.items()
        if given[reviewer] != number
    ]
    by_browsers = sum(given[reviewer] for reviewer in browsed.reviewers)
    if by_browsers != browsed.stored:
        faults.append(f"the browsers had {browsed.stored} labels stored, and {by_browsers} are there")
    strangers = set(given) - set(commanded.labels) - set(browsed.reviewers)
    return faults + [f"labels by {name!r} are there, and nobody gave them" for name in sorted(strangers)]
