"""Options that several commands share, and opening the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from faithview import logs
from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.domain.run import JudgeSpec
from faithview.logs import LogFormat, LogLevel
from faithview.settings import DATABASE_VARIABLE, LOG_FORMAT_VARIABLE, LOG_LEVEL_VARIABLE, Settings

# Every command has these options, and its help shows them: what works with the store is imported when it is opened.
if TYPE_CHECKING:
    from faithview.services.container import Store
    from faithview.services.runs.cluster import Cluster


class Engine(StrEnum):
    """Where a run is judged."""

    LOCAL = "local"
    RAY = "ray"


DbOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help=f"SQLAlchemy URL of the store. [env: {DATABASE_VARIABLE}]"),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
YesOption: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")]
JudgeOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="JUDGE",
        help="The judge, such as embedded (the default), openai:MODEL, nli or cascade:openai:MODEL; `faithview doctor` "
        "lists all.",
    ),
]
MethodOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="How an LLM judge works: single (the default), claims (the default for models named with fewer than 14b "
        "parameters), per-claim, nli, qa, sentence or combined.",
    ),
]
StrictnessOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--strictness",
        metavar="LEVEL",
        help="How strictly to judge. Embedded judge: lenient, balanced (the default) or strict; LLM judges: lenient or "
        "strict (the default).",
    ),
]
PromptOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--prompt", metavar="FILE", help="Use the prompt in this file instead of the one that defines support."
    ),
]
CompanionsOption: TypeAlias = Annotated[
    bool, typer.Option("--companions", help="Add relevance metrics; one more call per answer with an LLM judge.")
]
JudgeOptionsOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--judge-option",
        metavar="NAME=VALUE",
        help="An option of the judge, such as timeout=60 or device=cpu; repeat for more.",
    ),
]
CascadeShareOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--cascade-share",
        metavar="SHARE",
        min=0.0,
        max=1.0,
        help="Cascade: about which share of the claims to send to the model (default: those between its usual cuts).",
    ),
]
MaxCallsOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--max-calls", min=0, help="Start no more answers after this many calls; `faithview resume` continues."
    ),
]
MaxCostOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--max-cost", min=0.0, help="Start no more answers after this many US dollars; `faithview resume` continues."
    ),
]
PollOption: TypeAlias = Annotated[float, typer.Option("--poll", min=0.05, help="Seconds between two polls of a batch.")]
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
ThresholdOption: TypeAlias = Annotated[
    float,
    typer.Option(
        "--threshold",
        min=0.0,
        max=1.0,
        help="Minimum share of supported claims for a faithful answer.",
    ),
]
WorkersOption: TypeAlias = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="How many processes a judge on this machine may use.")
]
ConcurrencyOption: TypeAlias = Annotated[
    int, typer.Option("--concurrency", min=1, max=1024, help="How many answers to judge at a time.")
]
EngineOption: TypeAlias = Annotated[
    Engine, typer.Option("--engine", help="Where to judge: on this machine, or on the machines of a Ray cluster.")
]
RayAddressOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        metavar="ADDR",
        help="HOST:PORT of the cluster's head (default: RAY_ADDRESS, or the cluster of this machine).",
    ),
]
RayWorkersOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--ray-workers", min=1, help="How many judges to run on the cluster (default: as many as fit)."),
]
RayGpusOption: TypeAlias = Annotated[
    float,
    typer.Option("--ray-gpus", min=0.0, help="GPUs for each judge on the cluster; 0.25 shares one among four."),
]
LogLevelOption: TypeAlias = Annotated[
    LogLevel | None,
    typer.Option(
        "--log-level",
        callback=lambda level: logs.set_up(level=level),
        help=f"The least severe log records to write (default: warning; info for json). [env: {LOG_LEVEL_VARIABLE}]",
    ),
]
LogFormatOption: TypeAlias = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format",
        callback=lambda form: logs.set_up(form=form),
        help=f"text, or json for one JSON object per line on standard error. [env: {LOG_FORMAT_VARIABLE}]",
    ),
]
FailUnderOption: TypeAlias = Annotated[
    float | None,
    typer.Option("--fail-under", min=0.0, max=1.0, help="Exit with 1 if the mean faithfulness is below this."),
]
MinCoverageOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--min-coverage",
        min=0.0,
        max=1.0,
        help="Exit with 1 if coverage is below this: the share of judged answers. Abstentions and answers without "
        "claims are left out; failed answers, answers without context and unreadable rows count as not judged.",
    ),
]
FailOnRegressionOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--fail-on-regression",
        help="Exit with 1 if faithfulness fell significantly (p < 0.05) from --baseline, otherwise from the "
        "previous complete run by the same judge on the same questions.",
    ),
]
BaselineOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--baseline", metavar="RUN", help="The run that --fail-on-regression compares with."),
]
RequireBaselineOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--require-baseline",
        help="With --fail-on-regression: exit with 1, after judging, if there is no comparable earlier run; without "
        "this option, FaithView only prints a note.",
    ),
]

# The largest number that the store's ids can have.
MOST_ID = 2_147_483_647


@contextmanager
def open_store(db: str | None, *, begins: bool = False) -> "Iterator[Store]":
    """Open the store that --db names, else the environment's, else the user's own.

    A name that is mistyped in --db leaves no empty store behind, except where a command begins a store (`begins`). An
    unexpected error over a damaged store becomes a StoreError that says so.
    """
    from faithview.services import audit, schema
    from faithview.services.container import build

    if db is not None and not begins:
        schema.require_store(Settings.from_env(database_url=db))
    with build(Settings.from_env(database_url=db), who=audit.command_line_user) as store:
        try:
            yield store
        except (FaithViewError, typer.Exit, typer.Abort, typer.BadParameter, OSError):
            raise
        except Exception as error:
            store.explain_damage(error)
            raise


def has_store(db: str | None) -> bool:
    """Return whether the store exists and needs no migration, so reading it changes nothing."""
    from faithview.services import schema

    return schema.check(Settings.from_env(database_url=db)).is_current


def cluster_of(engine: Engine, *, address: str | None, workers: int | None, gpus: float) -> "Cluster | None":
    """Return the cluster that judges, None for this machine.

    Raises:
        InvalidInput: an option of the cluster was given without --engine ray.
    """
    if engine is Engine.RAY:
        from faithview.services.runs.cluster import Cluster

        return Cluster(address=address, workers=workers, gpus=gpus)
    if address is not None or workers is not None or gpus:
        raise InvalidInput("--ray-address, --ray-workers and --ray-gpus need --engine ray.")
    return None


def judge_spec(
    judge: str,
    method: str | None,
    *,
    strictness: str | None = None,
    prompt: Path | None = None,
    companions: bool = False,
    workers: int = 1,
    cascade_share: float | None = None,
    options: list[str] | None = None,
) -> JudgeSpec:
    """Return the spec of the judge options, with the prompt's text, so a run can be resumed on another machine.

    Raises:
        InvalidInput: the prompt cannot be read, an option is not NAME=VALUE, or the judge asks no model.
    """
    from faithview.services.judge_catalogue import make_spec, read_prompt

    named = {}
    for item in options or []:
        name, sign, value = item.partition("=")
        if not sign or not name.strip():
            raise InvalidInput(f"The judge option {item!r} cannot be read; write NAME=VALUE, such as timeout=60.")
        named[name.strip()] = value
    return make_spec(
        judge,
        method=method,
        strictness=strictness,
        prompt_text=None if prompt is None else read_prompt(prompt),
        prompt_name=None if prompt is None else prompt.stem,
        companions=companions,
        workers=workers,
        cascade_share=cascade_share,
        options=named,
    )
