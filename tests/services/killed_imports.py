"""Imports of one file, each killed after another transaction and continued; a program that prints how each ended.

    python -m tests.services.killed_imports URL FILE

One JSON document a line: the import that nobody killed, then one that was killed after its first transaction, one after
its second, and so on until one was complete before it could be killed.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.run import Run
from faithview.services.container import Store
from faithview.services.dataset_files import FileOrigin, open_dataset
from faithview.services.exports import export_documents
from faithview.services.imports import ImportRequest, continue_import, find_results, import_run
from faithview.services.results import delete_run, get_run
from faithview.services.runs import intake
from faithview.services.runs.create import is_cut_short
from faithview.store.database import Database
from tests.factories import open_services

_ROWS_A_BATCH = 4


def main(url: str, file: Path) -> None:
    """Print how each import ended."""
    intake._MOST_ROWS = _ROWS_A_BATCH
    _in_child(lambda: _import(url, file, "whole"))
    print(json.dumps(_ended(url, "whole")))
    number, was_killed = 0, True
    while was_killed:
        number += 1
        was_killed = _in_child(partial(_import, url, file, "killed", die_after=number))
        _in_child(lambda: _continue(url, file, "killed"))
        print(json.dumps(_ended(url, "killed") | {"killed_after": number if was_killed else None}))
        _in_child(lambda: _delete(url, "killed"))


def _in_child(work: Callable[[], None]) -> bool:
    """Run the work in a process of its own, and return whether that was killed."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except FaithViewError as error:
            print(error, file=sys.stderr)
            os._exit(2)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status) and os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"An import failed with status {os.waitstatus_to_exitcode(status)}.")
    return os.WIFSIGNALED(status)


def _import(url: str, file: Path, name: str, *, die_after: int | None = None) -> None:
    with open_services(url) as services:
        found = find_results(open_dataset(file))
        origin = FileOrigin(path=str(file), content_key=found.dataset.content_key).settled(found.dataset)
        if die_after is not None:
            _die_after(die_after)
        import_run(services, found, ImportRequest(name=name), origin=origin)


def _continue(url: str, file: Path, name: str) -> None:
    with open_services(url) as services:
        run = _find(services, name)
        if run is None:  # killed before anything was stored
            _import(url, file, name)
        elif is_cut_short(services, run):
            continue_import(services, run)


def _delete(url: str, name: str) -> None:
    with open_services(url) as services:
        delete_run(services, name)


def _find(services: Store, name: str) -> Run | None:
    try:
        return get_run(services, name)
    except NotFound:
        return None


def _ended(url: str, name: str) -> dict[str, Any]:
    with open_services(url) as services:
        run = get_run(services, name)
        rows = [_without_ids(row) for row in export_documents(services, run.run_id)]
        return {"status": run.status.value, "rows": rows}


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if key not in ("claim_id", "spot_check")}
    return [_without_ids(item) for item in value] if isinstance(value, list) else value


def _die_after(transactions: int) -> None:
    """Kill this process, as `kill -9` does, as soon as so many transactions are committed."""
    bookkeep, left = Database.bookkeep, [transactions]  # which `write` is made of

    @contextmanager
    def counted(self: Database) -> Iterator[Connection]:
        with bookkeep(self) as connection:
            yield connection
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    Database.bookkeep = counted  # type: ignore[method-assign]  # this process lives for one import only


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
