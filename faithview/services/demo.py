"""The bundled sample: five weekly runs over one help centre, judged where this is called."""

from collections.abc import Callable

from faithview.domain.run import JudgeSpec, Run
from faithview.services.assets import app_folder
from faithview.services.container import Services
from faithview.services.datasets import open_dataset
from faithview.services.evaluation import create_run, judge_here


def load_demo(services: Services, *, on_run: Callable[[Run], None] | None = None) -> int:
    """Judge the bundled runs into an empty store and return how many; a store with runs is left as it is."""
    if services.count_runs():
        return 0
    files = sorted((app_folder() / "data" / "runs").glob("*.jsonl*"))
    for file in files:
        samples, _ = open_dataset(file).read()
        versions = {str(chunk.metadata.get("kb_version")) for sample in samples for chunk in sample.chunks}
        run = create_run(
            services,
            samples,
            name=f"Help centre {file.name.split('.')[0]}",
            judge=JudgeSpec(),
            kb_version=versions.pop() if len(versions) == 1 else None,
            source=file.name,
        )
        judge_here(services, run)
        if on_run is not None:
            on_run(run)
    return len(files)
