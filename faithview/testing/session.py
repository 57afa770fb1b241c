"""The end of a session of tests: what they judged is stored as one run, and compared with a baseline."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from faithview.api.results import JudgedAnswer
from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.run import DEFAULT_JUDGE, Run
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services import audit, schema
from faithview.services.comparison.baselines import find_previous
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store, build
from faithview.services.gates import Gates, check_gates
from faithview.services.judge_catalogue import make_spec
from faithview.services.projects import settings_of
from faithview.services.results import get_run, get_summary
from faithview.services.runs.create import RunRequest, save_judged
from faithview.settings import Settings
from faithview.testing.options import PREVIOUS, SessionOptions
from faithview.wording import numbers as fmt
from faithview.wording.plain_text import one_line

_SHOWN_TESTS = 10
_GIT_TIMEOUT_S = 5.0
# What CI systems call the branch, where git is on no branch.
_BRANCH_VARIABLES = ("GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BRANCH_NAME")


@dataclass(slots=True)
class SessionReport:
    """What the summary says: `lines` about what was stored or went wrong meanwhile, and why the session fails."""

    lines: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def find_baseline_id(options: SessionOptions) -> str | None:
    """Return the id of the run that is named as baseline, before anything is judged; None if none is named.

    Without a baseline only what cannot be a store's URL is refused: a store that is unavailable now may be back when
    the tests end.

    Raises:
        InvalidInput: an option cannot be used, which the text names.
    """
    option = "db" if options.project is None else "project"
    try:
        if options.baseline is None:
            schema.check_url(_settings(options))
            return None
        with _open(options) as store:
            option = "baseline"
            return None if options.baseline == PREVIOUS else get_run(store, options.baseline).run_id
    except FaithViewError as error:
        raise InvalidInput(f"--faithview-{option}: {error}") from None


def store_session(
    options: SessionOptions, answers: Sequence[JudgedAnswer], *, baseline_id: str | None, folder: Path
) -> SessionReport:
    """Store the answers as a run and compare it; what fails on the way is a warning, or a failure if a gate is set."""
    report = SessionReport()
    if answers:
        try:
            with _open(options) as store:
                _store(store, options, answers, baseline_id, folder, report)
            return report
        except Exception as error:  # noqa: BLE001 - a border: the tests have their outcome, and the reason is shown
            text = str(error) if isinstance(error, FaithViewError) else f"{type(error).__name__}: {error}"
            report.lines.append(f"warning: {fmt.plural(len(answers), 'answer')} could not be stored: {one_line(text)}")
    else:
        report.lines.append("warning: No test judged an answer with the fixture `faithfulness`, so no run was stored.")
    if options.baseline is not None:
        report.failures.append("it is not known whether faithfulness fell, because nothing could be compared")
    return report


def _store(
    store: Store,
    options: SessionOptions,
    answers: Sequence[JudgedAnswer],
    baseline_id: str | None,
    folder: Path,
    report: SessionReport,
) -> None:
    request = RunRequest(
        name=options.run or _session_name(folder),
        judge=make_spec(options.judge or DEFAULT_JUDGE),
        threshold=DEFAULT_THRESHOLD if options.min_score is None else options.min_score,
        source="pytest",
        series=f"tests of {folder.name or 'this folder'}",
    )
    ordered = sorted(answers, key=lambda answer: answer.sample.key)
    run = save_judged(store, [(answer.sample, answer) for answer in ordered], request)
    summary = get_summary(store, run.run_id)
    left_out = fmt.left_out(summary.states)
    score = fmt.score(summary.score) if summary.score.mean is not None else "–, no answer has a score"
    beside = f"; not in it: {left_out}" if left_out else ""
    report.lines.append(f"run {run.name} ({run.run_id}): faithfulness {score}{beside}")
    if options.baseline is None:
        return
    named = None if baseline_id is None else get_run(store, baseline_id)
    gates = Gates(fail_on_regression=True, baseline=baseline_id, require_baseline=options.require_baseline)
    outcome = check_gates(store, summary, gates, baseline=named)
    report.failures += outcome.failures
    report.lines += outcome.notes
    if other := named or find_previous(store, run):
        report.lines += _worse_lines(store, other, run)


def _worse_lines(store: Store, baseline: Run, run: Run) -> Iterator[str]:
    """Yield the tests whose answers got worse, the worst first."""
    try:
        comparison = compare_runs(store, baseline.run_id, run.run_id)
    except InvalidInput:  # the gate says so
        return
    for change in comparison.worse[:_SHOWN_TESTS]:
        yield f"  {fmt.share(change.baseline)} -> {fmt.share(change.candidate)}  {one_line(change.key)}"
    if (more := len(comparison.worse) - _SHOWN_TESTS) > 0:
        yield f"  … {fmt.plural(more, 'more answer')} worse"


def _open(options: SessionOptions) -> Store:
    return build(_settings(options), who=audit.python_user)


def _settings(options: SessionOptions) -> Settings:
    if options.project is None:  # FAITHVIEW_PROJECT is for the command line: here the store is always named
        return Settings.from_env(database_url=options.db)
    return settings_of(None, options.project)


def _session_name(folder: Path) -> str:
    """Return "main@1a2b3c4", or "pytest" where there is no git."""
    commit = _git(folder, "rev-parse", "--short", "HEAD")
    branch = _git(folder, "branch", "--show-current")  # nothing where CI systems check out a commit
    branch = branch or next(filter(None, map(os.environ.get, _BRANCH_VARIABLES)), None) or ""
    return "@".join(filter(None, (branch, commit))) if commit else "pytest"


def _git(folder: Path, *words: str) -> str:
    """Return what git says; nothing where there is no git, or no repository."""
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 - the words are those above
            ["git", *words],  # noqa: S607 - whichever git the user has
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_GIT_TIMEOUT_S,
            check=True,
        )
        return done.stdout.strip()
    return ""
