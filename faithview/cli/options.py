"""Options that several commands share, in records: a command that takes a record gets an option for each field."""

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, get_type_hints

import typer

from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.run import DEFAULT_JUDGE, POLL_S, JudgeSpec
from faithview.settings import (
    DATABASE_VARIABLE,
    PROJECT_VARIABLE,
    Settings,
)

# Every help imports this module: what works with the store is imported when it is opened.
if TYPE_CHECKING:
    from faithview.services.container import Store
    from faithview.services.gates import Gates
    from faithview.services.runs.budget import Limits
    from faithview.services.runs.cluster import Cluster

_Function = TypeVar("_Function", bound=Callable[..., None])

# The largest number that the store's ids can have.
MOST_ID = 2_147_483_647


def command(app: typer.Typer, name: str, *examples: str) -> Callable[[_Function], _Function]:
    """Add a command with examples; for a parameter that is a record of options it gets those options."""

    def register(function: _Function) -> _Function:
        hints = get_type_hints(function, include_extras=True)
        records: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
        options: list[inspect.Parameter] = []
        for parameter in inspect.signature(function).parameters.values():
            if record := records.get(parameter.name):
                options += [_parameter(one.name, one.type, one.default) for one in fields(record)]
            else:
                options.append(_parameter(parameter.name, hints[parameter.name], parameter.default))

        @wraps(function)
        def call(**values: Any) -> None:
            for record_name, record in records.items():
                values[record_name] = record(**{one.name: values.pop(one.name) for one in fields(record)})
            function(**values)

        call.__annotations__ = {option.name: option.annotation for option in options}
        call.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]  # what Typer reads
        paragraphs = (" ".join(text.split()) for text in (function.__doc__ or "").split("\n\n"))
        app.command(name, help="\n\n".join(paragraphs), epilog="\n\n".join(["Examples:", *examples]))(call)
        return function

    return register


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    given = inspect.Parameter.empty if default is MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=given, annotation=annotation)


def panel(title: str) -> Callable[..., Any]:
    """Return `typer.Option` for options that the help shows under a title."""

    def option(*names: str, **more: Any) -> Any:
        return typer.Option(*names, rich_help_panel=title, **more)

    return option


_judge, _speed, _budget, _gate, _output = map(panel, ("Judge", "Speed", "Budget", "Gates", "Store and output"))

RunArgument: TypeAlias = Annotated[str, typer.Argument(metavar="RUN", help="A run's id or its unique name.")]
JsonOption: TypeAlias = Annotated[bool, _output("--json", help="Print one JSON document on standard output.")]
YesOption: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")]
ReportFileOption: TypeAlias = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write; - is standard output.")
]
CompanionsOption: TypeAlias = Annotated[
    bool, _judge("--companions", help="Add relevance metrics; one more call per answer with an LLM judge.")
]
WorkersOption: TypeAlias = Annotated[
    int, _speed("--workers", min=1, max=256, help="How many threads the default judge may use.")
]
ConcurrencyOption: TypeAlias = Annotated[
    int, _speed("--concurrency", min=1, max=1024, help="How many answers to judge at a time.")
]
EstimateOption: TypeAlias = Annotated[
    bool, _budget("--estimate", help="Print the expected calls and cost, and judge nothing.")
]
ThresholdOption: TypeAlias = Annotated[
    float,
    typer.Option("--threshold", min=0.0, max=1.0, help="Minimum share of supported claims for a faithful answer."),
]
SeriesOfRunOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--series",
        metavar="NAME",
        help="The run's series (default: the file's name without a date or number at the end).",
    ),
]
KbVersionOption: TypeAlias = Annotated[
    str | None, typer.Option("--kb-version", metavar="VERSION", help="The knowledge base's version.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """Which store to use: a URL, else a project's, else the environment's, else the user's own."""

    db: Annotated[
        str | None,
        _output(
            "--db", metavar="URL", help=f"SQLAlchemy URL of the store (default: the variable {DATABASE_VARIABLE})."
        ),
    ] = None
    project: Annotated[
        str | None,
        _output(
            "--project",
            metavar="NAME",
            help="Use the store of this project in the secrets file, instead of --db (default: the variable "
            f"{PROJECT_VARIABLE}).",
        ),
    ] = None

    def settings(self) -> Settings:
        """Return the settings with the store's URL.

        Raises:
            InvalidInput: both are given, the value is empty, or the projects' definition is not valid.
            NotFound: no project of that name is defined.
        """
        if self.project is None and (self.db is not None or PROJECT_VARIABLE not in os.environ):
            return Settings.from_env(database_url=self.db)
        from faithview.services.projects import settings_of  # most commands are called without a project

        return settings_of(self.db, self.project)

    @contextmanager
    def open(self, *, begins: bool = False) -> "Iterator[Store]":
        """Open the store.

        A name that is mistyped leaves no empty store behind, except where a command begins a store (`begins`). An
        unexpected error over a damaged store becomes a StoreError that says so.
        """
        from faithview.services import audit, schema
        from faithview.services.container import build

        settings = self.settings()
        is_named = self.db is not None or self.project is not None or PROJECT_VARIABLE in os.environ
        if is_named and not begins:
            schema.require_store(settings)
        with build(settings, who=audit.command_line_user) as store:
            try:
                yield store
            except (FaithViewError, typer.Exit, typer.Abort, typer.BadParameter, OSError):
                raise
            except Exception as error:
                store.explain_damage(error)
                raise

    def exists(self) -> bool:
        """Return whether the store exists and needs no migration, so reading it changes nothing."""
        from faithview.services import schema

        return schema.check(self.settings()).is_current


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """Which judge, and how it works."""

    judge: Annotated[
        str | None,
        _judge(
            "--judge",
            metavar="JUDGE",
            help="The judge, such as embedded, openai:MODEL, nli or cascade:openai:MODEL; `faithview doctor` lists "
            "all (default: embedded; for `kb preflight` the run's own).",
        ),
    ] = None
    method: Annotated[
        str | None,
        _judge(
            "--method",
            metavar="METHOD",
            help="How an LLM judge works: single (the default), claims (the default for models named with fewer than "
            "14b parameters), per-claim, nli, qa, sentence or combined.",
        ),
    ] = None
    strictness: Annotated[
        str | None,
        _judge(
            "--strictness",
            metavar="LEVEL",
            help="How strictly to judge. Embedded judge: lenient, balanced (the default) or strict; LLM judges: "
            "lenient or strict (the default).",
        ),
    ] = None
    prompt: Annotated[
        Path | None,
        _judge("--prompt", metavar="FILE", help="Use the prompt in this file instead of the one that defines support."),
    ] = None
    judge_option: Annotated[
        list[str] | None,
        _judge(
            "--judge-option",
            metavar="NAME=VALUE",
            help="An option of the judge, such as timeout=60 or device=cpu; repeat for more.",
        ),
    ] = None
    cascade_share: Annotated[
        float | None,
        _judge(
            "--cascade-share",
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Cascade: about which share of the claims to send to the model (default: those between its usual "
            "cuts).",
        ),
    ] = None

    def spec(self, *, companions: bool = False, workers: int = 1) -> JudgeSpec:
        """Return the judge's spec, with the prompt's text, so a run can be resumed on another machine.

        Raises:
            InvalidInput: the prompt cannot be read, an option is not NAME=VALUE, or the judge asks no model.
        """
        from faithview.services.judge_catalogue import make_spec, read_prompt

        named = {}
        for item in self.judge_option or []:
            name, sign, value = item.partition("=")
            if not sign or not name.strip():
                raise InvalidInput(f"The judge option {item!r} cannot be read; write NAME=VALUE, such as timeout=60.")
            named[name.strip()] = value
        return make_spec(
            DEFAULT_JUDGE if self.judge is None else self.judge,
            method=self.method,
            strictness=self.strictness,
            prompt_text=None if self.prompt is None else read_prompt(self.prompt),
            prompt_name=None if self.prompt is None else self.prompt.stem,
            companions=companions,
            workers=workers,
            cascade_share=self.cascade_share,
            options=named,
        )


class Engine(StrEnum):
    """Where a run is judged."""

    LOCAL = "local"
    RAY = "ray"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedOptions:
    """Where a run is judged, and how many answers at a time."""

    concurrency: ConcurrencyOption = 8
    poll: Annotated[float, _speed("--poll", min=0.05, help="Seconds between two polls of a batch.")] = POLL_S
    engine: Annotated[
        Engine, _speed("--engine", help="Where to judge: on this machine, or on the machines of a Ray cluster.")
    ] = Engine.LOCAL
    ray_address: Annotated[
        str | None,
        _speed(
            "--ray-address",
            metavar="ADDR",
            help="HOST:PORT of the cluster's head (default: RAY_ADDRESS, or the cluster of this machine).",
        ),
    ] = None
    ray_workers: Annotated[
        int | None,
        _speed("--ray-workers", min=1, help="How many judges to run on the cluster (default: as many as fit)."),
    ] = None
    ray_gpus: Annotated[
        float, _speed("--ray-gpus", min=0.0, help="GPUs for each judge on the cluster; 0.25 shares one among four.")
    ] = 0.0

    def cluster(self) -> "Cluster | None":
        """Return the cluster that judges, None for this machine.

        Raises:
            InvalidInput: an option of the cluster was given without --engine ray.
        """
        if self.engine is Engine.RAY:
            from faithview.services.runs.cluster import Cluster

            return Cluster(address=self.ray_address, workers=self.ray_workers, gpus=self.ray_gpus)
        if self.ray_address is not None or self.ray_workers is not None or self.ray_gpus:
            raise InvalidInput("--ray-address, --ray-workers and --ray-gpus need --engine ray.")
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetOptions:
    """After how much to stop."""

    max_calls: Annotated[
        int | None,
        _budget(
            "--max-calls", min=0, help="Start no more answers after this many calls; `faithview resume` continues."
        ),
    ] = None
    max_cost: Annotated[
        float | None,
        _budget(
            "--max-cost",
            min=0.0,
            help="Start no more answers after this many US dollars; `faithview resume` continues.",
        ),
    ] = None

    def limits(self, *, batch: bool = False) -> "Limits":
        """Return the limits of a run; raises InvalidInput for those of a batch, which nothing can stop."""
        from faithview.services.runs.budget import Limits

        limits = Limits(max_calls=self.max_calls, max_cost=self.max_cost)
        if batch and limits.are_set:
            raise InvalidInput(
                "A batch is submitted as a whole, so no budget can stop it; use --limit to judge fewer rows."
            )
        return limits


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions:
    """What a run must meet for the command to exit with 0."""

    fail_under: Annotated[
        float | None,
        _gate("--fail-under", min=0.0, max=1.0, help="Exit with 1 if the mean faithfulness is below this."),
    ] = None
    min_coverage: Annotated[
        float | None,
        _gate(
            "--min-coverage",
            min=0.0,
            max=1.0,
            help="Exit with 1 if coverage is below this: the share of judged answers. Abstentions and answers without "
            "claims are left out; failed answers, answers without context and unreadable rows count as not judged.",
        ),
    ] = None
    fail_on_regression: Annotated[
        bool,
        _gate(
            "--fail-on-regression",
            help="Exit with 1 if faithfulness fell significantly (p < 0.05) from --baseline, otherwise from the "
            "previous complete run by the same judge on the same questions.",
        ),
    ] = False
    baseline: Annotated[
        str | None, _gate("--baseline", metavar="RUN", help="The run that --fail-on-regression compares with.")
    ] = None
    require_baseline: Annotated[
        bool,
        _gate(
            "--require-baseline",
            help="With --fail-on-regression: exit with 1, after judging, if there is no comparable earlier run; "
            "without this option, FaithView only prints a note.",
        ),
    ] = False

    def gates(self) -> "Gates":
        """Return the gates; raises InvalidInput if an option has no effect."""
        from faithview.services.gates import Gates

        return Gates(**asdict(self))
