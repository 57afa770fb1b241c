"""Words for runs: what is deleted with them, and what judging took."""

from faithview.domain.answer import Progress
from faithview.domain.result import Usage
from faithview.domain.retention import OldRun
from faithview.domain.run import Run, RunContents
from faithview.wording import numbers as fmt


def contents_words(contents: RunContents) -> str:
    """Return what is deleted with a run as a list in plain text: "12 answers, 40 claims and 7 labels by Ada"."""
    parts = [fmt.plural(contents.answers, "answer"), fmt.plural(contents.claims, "claim")]
    if contents.labels:
        given = sum(contents.labels.values())
        parts.append(f"{fmt.plural(given, 'label')} by {fmt.listed(list(contents.labels))}")
    if contents.spot_checks:
        noun = "the spot-check" if len(contents.spot_checks) == 1 else "the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.spot_checks])}")
    if contents.shortened_spot_checks:
        noun = "part of the spot-check" if len(contents.shortened_spot_checks) == 1 else "parts of the spot-checks"
        parts.append(f"{noun} {fmt.listed([repr(name) for name in contents.shortened_spot_checks])}")
    return fmt.listed(parts)


def deleted_words(runs: int, answers: int, logged: int) -> str:
    """Say what is deleted: "2 runs with 80 answers, and the texts of 3 logged answers"."""
    what = f"{fmt.plural(runs, 'run')} with {fmt.plural(answers, 'answer')}"
    texts = f"the texts of {fmt.plural(logged, 'logged answer')}"
    return ", and ".join([*([what] if runs else []), *([texts] if logged else [])]) or "nothing"


def spared_words(run: OldRun) -> str:
    """Say why an old run is kept."""
    if run.is_busy:
        return f"Run {run.run_id} ({run.name!r}) is kept: it is being judged, or its file is being read."
    checks = ", ".join(map(repr, run.open_checks))
    kept = f"Run {run.run_id} ({run.name!r}) is kept for its open spot-check {checks}"
    return f"{kept}; --include-open-spot-checks deletes it too."


def judging_words(run: Run, usage: Usage) -> str:
    """Return how long judging took and what it cost, in plain text; "" before any of it is stored.

    A judge that calls no model costs nothing. Calls without a known price have an unknown cost.
    """
    if not run.seconds:
        return ""
    if not usage.llm_calls:
        cost = "no new calls" if usage.cached_calls else "no calls to a model"
    else:
        cost = f"{fmt.plural(usage.llm_calls, 'call')}, "
        cost += "cost unknown" if usage.cost_usd is None else fmt.dollars(usage.cost_usd)
    return f"judged in {fmt.duration(run.seconds)}, {cost}"


def progress_line(progress: Progress) -> str:
    """Return the progress in Markdown: answers, speed, calls, cost and time left."""
    parts = [
        fmt.STATUS_WORDS[progress.status].capitalize(),
        f"{fmt.count(progress.done)} of {fmt.plural(progress.total, 'answer')}",
        f"{fmt.count(progress.failed)} failed",
    ]
    if progress.rate:
        parts.append(f"{fmt.fixed(progress.rate, 0 if progress.rate >= 10 else 1)} per second")
    usage = progress.usage
    if usage.llm_calls or usage.cached_calls:
        parts.append(f"{fmt.plural(usage.llm_calls, 'call')}, {fmt.count(usage.cached_calls)} from the cache")
        parts.append(f"{fmt.count(usage.prompt_tokens + usage.completion_tokens)} tokens")
    if usage.cost_usd is not None:
        parts.append(rf"\{fmt.dollars(usage.cost_usd)}")
    if progress.seconds_left is not None and progress.done < progress.total:
        parts.append(f"about {fmt.duration(progress.seconds_left)} left")
    return " · ".join(parts)
