"""A large upload in the dashboard: seconds until its first verdicts, and the server's peak memory. See README.md."""

import argparse
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, sleep

from playwright.sync_api import Page

from faithview.domain.answer import Progress
from faithview.services.container import Store
from faithview.services.results import get_progress, list_runs
from tests.browser import launch, new_context
from tests.dashboard import start_dashboard
from tests.factories import open_services
from tests.performance import tables
from tests.performance.big_files import written

_MOST_SECONDS, _MOST_MB = 20, 1000
_WAIT_MS = 300_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file where it is missing, upload it, judge it until the first verdicts, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "faithview-performance")
    parser.add_argument("--megabytes", type=int, default=480)
    parser.add_argument("--reading", type=float, default=60, help="seconds to go on reading after the first verdicts")
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    path = written("results.jsonl", options.folder, megabytes=options.megabytes, rows=0)
    with tempfile.TemporaryDirectory(dir=options.folder) as place:
        url = f"sqlite:///{place}/store.db"
        dashboard = start_dashboard(url, log=Path(place) / "log.txt")
        try:
            with (
                launch() as browser,
                new_context(browser) as context,
                open_services(url) as services,
            ):
                page = context.new_page()
                page.goto(f"{dashboard.url}/upload")
                field = page.get_by_test_id("stFileUploader").locator("input[type=file]")
                field.wait_for(state="attached", timeout=_WAIT_MS)
                page.wait_for_timeout(2000)
                before = peak_memory(dashboard.process.pid)
                chosen, opened, judged, progress = _upload(page, path, services)
                sleep(options.reading)
                later = _progress(services)
                peaks = peak_memory(dashboard.process.pid)
        finally:
            dashboard.stop()
    server, first = max(peaks.values()), judged - chosen
    sys.stdout.write(f"{tables.machine()}\n")
    tables.show(
        f"An upload of {path.stat().st_size / 1e6:,.0f} MB",
        ["what", "figure"],
        [
            ["seconds from the choice of the file until the page offers to judge it", f"{opened - chosen:.1f}"],
            ["seconds from that choice to the first verdicts", f"{first:.1f}"],
            ["answers judged and stored by then", f"{progress.done:,} of {progress.total:,}"],
            [f"answers judged and stored {options.reading:.0f} s later", f"{later.done:,} of {later.total:,}"],
            ["peak memory of the server before the upload, MB", f"{max(before.values()):.0f}"],
            ["peak memory of the server, MB", f"{server:.0f}"],
            ["peak memory of the largest other process of it, MB", f"{max([0.0, *sorted(peaks.values())[:-1]]):.0f}"],
        ],
    )
    return int(first > _MOST_SECONDS or server > _MOST_MB)


def _upload(page: Page, path: Path, services: Store) -> tuple[float, float, float, Progress]:
    """Choose the file and judge it; return when it was chosen, could be judged and was judged, and how far it was."""
    chosen = perf_counter()
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(path)
    # The file has a tool's results too; these rows are judged here.
    page.get_by_role("radio", name="Judge the answers here").click(timeout=_WAIT_MS)
    button = page.get_by_role("button", name="Judge the answers", exact=True)
    button.wait_for(timeout=_WAIT_MS)
    opened = perf_counter()
    button.click()
    while not list_runs(services) or not (progress := _progress(services)).done:
        sleep(0.2)
    return chosen, opened, perf_counter(), progress


def _progress(services: Store) -> Progress:
    (run,) = list_runs(services)
    return get_progress(services, run.run_id)


def peak_memory(pid: int) -> dict[int, float]:
    """Return the peak memory of a process and of those that it started, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    peaks = {pid: int(found[1]) * 1024 / 1e6 if found else 0.0}
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += (task / "children").read_text(encoding="utf-8").split()
    for child in set(children):
        try:
            peaks |= peak_memory(int(child))
        except FileNotFoundError:  # it has ended meanwhile
            continue
    return peaks


if __name__ == "__main__":
    sys.exit(main())
