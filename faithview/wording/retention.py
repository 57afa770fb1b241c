"""Words for old texts: what a rule deletes or has deleted, and what it spares."""

from faithview.domain.retention import OldRun
from faithview.wording import numbers as fmt


def deleted_words(runs: int, answers: int, logged: int, *, keep_scores: bool) -> str:
    """Say what is deleted: "2 runs with 80 answers, and the texts of 3 logged answers"."""
    whole = f"{fmt.plural(runs, 'run')} with {fmt.plural(answers, 'answer')}"
    what = f"the texts of {whole}" if keep_scores else whole
    texts = f"the texts of {fmt.plural(logged, 'logged answer')}"
    return ", and ".join([*([what] if runs else []), *([texts] if logged else [])]) or "nothing"


def spared_words(run: OldRun) -> str:
    """Say why an old run is kept."""
    if run.is_busy:
        return f"Run {run.run_id} ({run.name!r}) is kept: it is being judged, or its file is being read."
    checks = ", ".join(map(repr, run.open_checks))
    return f"Run {run.run_id} ({run.name!r}) is kept for its open spot-check {checks}; --force deletes it too."
