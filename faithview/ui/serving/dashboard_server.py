"""Starts the dashboard's server: `python -P -m faithview.ui.serving.dashboard_server --port 8501`.

Streamlit's own command would read settings and secrets of the current folder, answer to any name and take `pages/` for
its older kind of multipage app until a first session has called `st.navigation` (a deep link on a fresh server then
showed "Page not found" over the right page; seen with 1.67.0, `script_runner._mpa_v1`). So the server is started from
here, with `st.App`, which lets requests pass a middleware first.
"""

import argparse
import asyncio
import logging
import os
import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from streamlit import cli_util
from streamlit.runtime.pages_manager import PagesManager

from faithview import logs
from faithview.domain.errors import FaithViewError, InvalidInput
from faithview.hosts import ANY, Hosts, bind, is_loopback, read_hosts
from faithview.logs import log_event
from faithview.services import schema
from faithview.services.bundled_files import app_folder
from faithview.services.projects import find_secrets, is_login_described, read_dashboard_secrets
from faithview.settings import ALLOWED_HOSTS_VARIABLE, LOGIN_REQUIRED, LOGIN_VARIABLE
from faithview.ui.opened_store import store_works, workers
from faithview.ui.serving.gate import Gate
from faithview.wording.plain_text import printable


def say(text: str) -> None:
    """Write a line on standard error."""
    sys.stderr.write((logs.said(text) if logs.writes_json() else printable(text)) + "\n")
    sys.stderr.flush()


def say_what_goes_on() -> None:
    """Name what is judged in processes of their own, which do not end with the dashboard."""
    with suppress(FaithViewError):  # the project is not described any more
        for run_id in workers().run_ids():
            say(f"The run {run_id} continues in the background. `faithview run show {run_id}` shows its progress.")


async def ready(_request: Request) -> Response:
    """Answer `/ready`, which every client may call: it reveals nothing about the stored data."""
    works = await schema.answers(store_works)
    headers = {"Cache-Control": "no-store"}
    return JSONResponse({"ready": works, "store": works}, status_code=200 if works else 503, headers=headers)


_log = logging.getLogger("faithview.ui.serving.dashboard_server")  # this module is run, and so called __main__
_BAD_INPUT = 2
_THIS_MACHINE = "127.0.0.1"
_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on
_BASE_PATH = re.compile(r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")


def dashboard_url(host: str, port: int, base_path: str, hosts: Hosts) -> str:
    """Return the address under which a browser opens the dashboard; `base_path` has no slashes at its ends.

    Raises:
        InvalidInput: the path is none, or other machines can reach the address and no name is allowed: the dashboard
            would answer no request there.
    """
    if base_path and not _BASE_PATH.fullmatch(base_path):
        raise InvalidInput(
            f"{base_path!r} is not a valid path for --base-path. Use letters, digits, '.', '_', '~' and '-' between "
            "slashes, for instance /faithview."
        )
    if not is_loopback(host) and not hosts.allowed:
        raise InvalidInput(
            f"With --host {host} other machines can reach the dashboard, and it accepts no host name that they could "
            "use. Set FAITHVIEW_ALLOWED_HOSTS to the names or addresses under which users open it."
        )
    name = host
    if host in _EVERY_ADDRESS:
        name = next((one for one in hosts.names if one != ANY), _THIS_MACHINE)
    return "/".join(filter(None, (f"http://{f'[{name}]' if ':' in name else name}:{port}", base_path)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the dashboard until the process is stopped; exit with 2 if a setting cannot be used."""
    parser = argparse.ArgumentParser(prog="faithview.ui.serving.dashboard_server")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", default=_THIS_MACHINE)
    parser.add_argument("--base-path", default="")
    parser.add_argument("--open-browser", action="store_true")
    options = parser.parse_args(arguments)
    try:
        logs.set_up()
        _serve(options)
    except FaithViewError as error:
        say(f"faithview: {error}")
        sys.exit(_BAD_INPUT)


def _serve(options: argparse.Namespace) -> None:
    hosts, base_path = read_hosts(os.environ.get(ALLOWED_HOSTS_VARIABLE)), options.base_path.strip("/")
    url = dashboard_url(options.host, options.port, base_path, hosts)
    path = find_secrets()
    secrets = read_dashboard_secrets()
    if is_login_described(secrets):
        # If the file goes away or breaks while the server runs, log-in stays required.
        os.environ[LOGIN_VARIABLE] = LOGIN_REQUIRED
    # Streamlit puts a secrets file's entries into the environment, over what is there. What was set for this process,
    # such as --db, counts instead; a variable that is empty is not set.
    ours = {
        name: os.environ[name]
        for name, value in secrets.items()
        if isinstance(value, str | int | float) and os.environ.get(name)
    }
    bind(
        options.host, options.port, server="dashboard"
    ).close()  # Streamlit would end with a line of its own, and with 1
    start_folder = Path.cwd()

    @asynccontextmanager
    async def running(_app: st.App) -> AsyncIterator[None]:
        os.chdir(start_folder)
        logs.take_over("streamlit", "uvicorn")
        # The store is opened, and looked into at the end, outside any page's script, of which Streamlit warns.
        logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").setLevel(logging.ERROR)
        # Opened before the first request: a store that disappears later is reported, not created again.
        await asyncio.to_thread(store_works)
        log_event(_log, "dashboard.started", url=url)
        say(f"FaithView is at {url} (Ctrl-C stops it).")
        if options.open_browser:
            asyncio.get_running_loop().run_in_executor(None, cli_util.open_browser, url)
        yield
        await asyncio.to_thread(say_what_goes_on)
        log_event(_log, "dashboard.stopped")

    script = app_folder() / "app.py"
    app = st.App(
        script,
        middleware=[Middleware(Gate, hosts=hosts)],
        routes=[Route("/" + "/".join(filter(None, (base_path, "ready"))), ready)],
        secrets=ours,
        lifespan=running,
    )
    PagesManager.uses_pages_directory = False
    # Streamlit looks for settings in the current folder when it starts, and next to the program that was started.
    # Models on this machine may be named by paths, which count from where the user is.
    os.chdir(script.parent)
    sys.argv = [str(script)]
    with suppress(KeyboardInterrupt):
        app.run(
            config={
                "server.port": options.port,
                "server.address": options.host,
                "server.baseUrlPath": base_path,
                # The command line has said where the dashboard is.
                "logger.hideWelcomeMessage": True,
                "server.headless": not options.open_browser,
                "server.enableCORS": True,
                "server.enableXsrfProtection": True,
                # Users do not edit an installed dashboard, and enums of reloaded modules do not equal the old ones.
                "server.fileWatcherType": "none",
                # On first start Streamlit would ask for an e-mail address in the terminal and wait for it.
                "server.showEmailPrompt": False,
                "browser.gatherUsageStats": False,
                "secrets.files": [] if path is None else [str(path)],
            }
        )


if __name__ == "__main__":
    main()
