"""Options that several commands share, and the store they open."""

from typing import Annotated, TypeAlias

import typer

from faithview.domain.run import JudgeSpec
from faithview.services.container import Services, build
from faithview.settings import DATABASE_VARIABLE, Settings

DbOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help=f"SQLAlchemy URL of the store. [env: {DATABASE_VARIABLE}]"),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
JudgeOption: TypeAlias = Annotated[str, typer.Option("--judge", metavar="JUDGE", help="Which judge judges.")]
MethodOption: TypeAlias = Annotated[str, typer.Option("--method", metavar="METHOD", help="How an LLM judge works.")]
ThresholdOption: TypeAlias = Annotated[
    float,
    typer.Option("--threshold", min=0.0, max=1.0, help="Share of supported claims from which an answer is faithful."),
]
ConcurrencyOption: TypeAlias = Annotated[
    int, typer.Option("--concurrency", min=1, max=1024, help="How many answers are judged at a time.")
]


def open_services(db: str | None) -> Services:
    """Open the store that --db names, else the environment's, else the user's own."""
    return build(Settings.from_env(database_url=db))


def judge_spec(judge: str, method: str) -> JudgeSpec:
    """Return what the judge options ask for."""
    return JudgeSpec(name=judge, method=method)
