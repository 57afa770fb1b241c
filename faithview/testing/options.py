"""What the plugin was told on the command line or in pytest's configuration. It imports nothing that takes time."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

# As a baseline: the last run of the series that this one can be compared with.
PREVIOUS = "previous"
_REQUIRE = "require-baseline"
# With what a value is called in the help; None is a flag.
_OPTIONS: dict[str, tuple[str | None, str]] = {
    "db": ("URL", "store the answers that the fixture `faithfulness` judges as one run, in this store"),
    "project": (
        "NAME",
        "store it in this project's store, which the secrets file describes, instead of --faithview-db",
    ),
    "run": ("NAME", "the run's name (default: git's branch and commit)"),
    "judge": ("J", 'the judge, for example "embedded" or "openai:MODEL"'),
    "min-score": ("X", "the minimum share of supported claims, from 0 to 1 (default: 0.8)"),
    "baseline": (
        "RUN",
        f"compare the run with this one (its id or unique name, or '{PREVIOUS}') and fail if faithfulness fell",
    ),
    _REQUIRE: (None, f"fail if --faithview-baseline {PREVIOUS} finds no run to compare with, as in an empty store"),
}


@dataclass(frozen=True)
class SessionOptions:
    """What the plugin was told; None if nothing was."""

    db: str | None = None
    project: str | None = None
    run: str | None = None
    judge: str | None = None
    min_score: float | None = None
    baseline: str | None = None
    require_baseline: bool = False

    @property
    def stores(self) -> bool:
        """Whether the session's answers are stored."""
        return self.db is not None or self.project is not None


_current = SessionOptions()


def current_options() -> SessionOptions:
    """Return the options of the session that runs; nothing is set outside of pytest."""
    return _current


def use_options(options: SessionOptions) -> None:
    """Make these the options of the session."""
    global _current
    _current = options


def add_options(parser: Any) -> None:
    """Add the options to pytest's command line, and the same to its configuration (`faithview_db`)."""
    group = parser.getgroup("faithview", "faithfulness of answers")
    for name, (metavar, text) in _OPTIONS.items():
        ini = _ini(name)
        form: dict[str, Any] = {"action": "store_true"} if metavar is None else {"metavar": metavar}
        group.addoption(f"--faithview-{name}", dest=ini, default=None, help=f"{text}; also: {ini}", **form)
        kind = "string" if metavar else "bool"
        parser.addini(ini, f"{text}, as --faithview-{name} does", type=kind, default=None)


def read_options(config: Any) -> SessionOptions:
    """Return the options; the command line comes before the configuration.

    Raises:
        ValueError: an option is empty, the score is not a number from 0 to 1, a baseline is named and no store, two
            stores are, or a baseline is required and none is named.
    """
    given = {name.replace("-", "_"): _given(config, name) for name in _OPTIONS}
    given["require_baseline"] = bool(given["require_baseline"])
    given["min_score"] = _score(given["min_score"])
    options = SessionOptions(**given)
    if options.require_baseline and options.baseline is None:
        raise ValueError(f"--faithview-{_REQUIRE} has no effect without --faithview-baseline; give both or neither.")
    if options.db is not None and options.project is not None:
        raise ValueError("Give either --faithview-db or --faithview-project, not both.")
    if options.baseline is not None and not options.stores:
        raise ValueError(
            "--faithview-baseline needs the store that has the run: also give --faithview-db or --faithview-project."
        )
    return options


def _given(config: Any, name: str) -> Any:
    """Return what an option is set to, None if it is not; an empty one would store or compare nothing, unnoticed."""
    on_line = config.getoption(_ini(name), default=None)
    value = config.getini(_ini(name)) if on_line is None else on_line
    if isinstance(value, str) and not value.strip():
        raise ValueError(
            f"--faithview-{name} is empty; give it a value, or leave it out. In CI a secret that the job may not read "
            "is empty."
        )
    return value


def _ini(name: str) -> str:
    return f"faithview_{name.replace('-', '_')}"


def _score(text: str | None) -> float | None:
    if text is None:
        return None
    with suppress(ValueError):
        if 0 <= (score := float(text)) <= 1:
            return score
    raise ValueError(f"--faithview-min-score is {text!r}; give a number from 0 to 1.")
