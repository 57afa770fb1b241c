"""`faithview serve`: the HTTP service."""

import logging
import os
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import JudgeOptions, StoreOptions, ThresholdOption, command
from faithview.domain.errors import InvalidInput
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.hosts import read_hosts
from faithview.logs import log_event
from faithview.server.settings import DEFAULT_HOST, DEFAULT_PORT, Limits, ServerSettings, read_tokens
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.services.judge_catalogue import is_remote, to_build
from faithview.settings import ALLOWED_HOSTS_VARIABLE, TOKEN_VARIABLE, read_variable

_log = logging.getLogger(__name__)
_MB = 1024 * 1024
_DEFAULTS = Limits()

app = typer.Typer()


@command(app, "serve", "faithview serve", "faithview serve --port 9000 --judge lexical")
def serve(
    judge: JudgeOptions,
    place: StoreOptions,
    host: Annotated[str, typer.Option("--host", metavar="ADDR", help="The address to listen on.")] = DEFAULT_HOST,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port to listen on; 0 picks a free one.")
    ] = DEFAULT_PORT,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=1024, help="How many answers to judge at a time.")
    ] = _DEFAULTS.judgements_at_once,
    queue: Annotated[
        int, typer.Option("--queue", min=0, help="How many more answers may wait to be judged.")
    ] = _DEFAULTS.waiting,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Maximum seconds for an answer, including the wait.")
    ] = _DEFAULTS.judge_seconds,
    max_body: Annotated[
        float, typer.Option("--max-body", min=0.001, help="Maximum size of a request's body, in MB.")
    ] = (_DEFAULTS.body_bytes / _MB),
    allowed_host: Annotated[
        list[str] | None,
        typer.Option("--allowed-host", metavar="NAME", help="An additional host name to accept; repeat for more."),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--cors-origin", metavar="ORIGIN", help="A web origin that may read replies (CORS); repeat for more."
        ),
    ] = None,
) -> None:
    """Check, guard and log answers over HTTP; receive OpenTelemetry spans.

    Without a token it listens on this machine only.
    """
    try:
        from faithview.server.serve import serve as run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("faithview"):
            raise
        raise InvalidInput(f"The service needs {error.name}: pip install 'faithview[serve]'.") from error
    spec = judge.spec()
    settings = ServerSettings(
        host=host,
        port=port,
        tokens=read_tokens(read_variable(TOKEN_VARIABLE)),
        allowed_hosts=(*read_hosts(os.environ.get(ALLOWED_HOSTS_VARIABLE)).allowed, *(allowed_host or ())),
        cors_origins=tuple(cors_origin or ()),
        judge=spec.name,
        warms_up=not is_remote(spec),
        limits=Limits(
            body_bytes=int(max_body * _MB),
            judgements_at_once=concurrency,
            waiting=queue,
            judge_seconds=timeout,
        ),
    )
    options = to_build(spec, concurrency=concurrency).options
    with (
        place.open(begins=True) as store,
        FaithfulnessGuard(spec.name, threshold, method=spec.method, options=options) as guard,
    ):

        def announce(listening_port: int) -> None:
            log_event(_log, "service.started", host=host, port=listening_port, judge=spec.name)
            output.say(f"FaithView answers at {_address(host, listening_port)} with the judge {spec.name!r}.")
            output.say(f"Logged answers are stored in {store.database_url}. Ctrl-C stops the service.")

        run(settings, guard, store, on_start=announce)
    log_event(_log, "service.stopped")
    output.say("The service has stopped.")


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
