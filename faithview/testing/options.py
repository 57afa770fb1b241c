"""What the plugin was told on the command line or in pytest's configuration. It imports nothing that takes time."""

from dataclasses import dataclass
from typing import Any

__all__ = ["PREVIOUS", "SessionOptions", "add_options", "current_options", "read_options", "use_options"]

# As a baseline: the last run of the series that this one can be compared with.
PREVIOUS = "previous"
_OPTIONS = {
    "db": ("URL", "store the answers that the fixture `faithfulness` judges as one run, in this store"),
    "project": (
        "NAME",
        "store it in this project's store, which the secrets file describes, instead of --faithview-db",
    ),
    "run": ("NAME", "the run's name (default: git's branch and commit)"),
    "judge": ("J", 'the judge, "embedded" or "openai:MODEL" for example'),
    "min-score": ("X", "the least share of supported claims, from 0 to 1 (default: 0.8)"),
    "baseline": (
        "RUN",
        f"compare the run with this one (its id or unique name, or '{PREVIOUS}') and fail if faithfulness fell",
    ),
}


@dataclass(frozen=True)
class SessionOptions:
    """What the plugin was told; None where nothing was."""

    db: str | None = None
    project: str | None = None
    run: str | None = None
    judge: str | None = None
    min_score: float | None = None
    baseline: str | None = None

    @property
    def stores(self) -> bool:
        """Whether the session's answers are stored."""
        return self.db is not None or self.project is not None


_current = SessionOptions()


def current_options() -> SessionOptions:
    """Return the options of the session that runs; nothing is set outside of pytest."""
    return _current


def use_options(options: SessionOptions) -> SessionOptions:
    """Make these the options of the session, and return those of before."""
    global _current
    before, _current = _current, options
    return before


def add_options(parser: Any) -> None:
    """Add the options to pytest's command line, and the same to its configuration (`faithview_db`)."""
    group = parser.getgroup("faithview", "faithfulness of answers")
    for name, (metavar, text) in _OPTIONS.items():
        ini = _ini(name)
        group.addoption(f"--faithview-{name}", dest=ini, metavar=metavar, default=None, help=f"{text}; also: {ini}")
        parser.addini(ini, f"{text}, as --faithview-{name} does", default=None)


def read_options(config: Any) -> SessionOptions:
    """Return the options; the command line comes before the configuration.

    Raises:
        ValueError: the score is no number from 0 to 1, a baseline is named and no store, or two stores are.
    """
    given = {name: config.getoption(_ini(name), default=None) or config.getini(_ini(name)) or None for name in _OPTIONS}
    if given["db"] is not None and given["project"] is not None:
        raise ValueError("--faithview-db and --faithview-project name two stores; give one of them.")
    if given["baseline"] is not None and given["db"] is None and given["project"] is None:
        raise ValueError(
            "--faithview-baseline needs the store that has the run: give --faithview-db or --faithview-project, too."
        )
    return SessionOptions(
        db=given["db"],
        project=given["project"],
        run=given["run"],
        judge=given["judge"],
        min_score=None if given["min-score"] is None else _score(given["min-score"]),
        baseline=given["baseline"],
    )


def _ini(name: str) -> str:
    return f"faithview_{name.replace('-', '_')}"


def _score(text: str) -> float:
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 1:
        raise ValueError(f"--faithview-min-score is {text!r}; give a number from 0 to 1.")
    return score
