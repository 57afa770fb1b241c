"""Two projects with a store and a judged run each, and people who are in one, in both or in none.

Ada reviews in "support"; Cleo looks at "support" and is an admin of "legal"; Ben looks at "legal"; Ops is an admin of
both.
"""

from collections.abc import Mapping
from pathlib import Path
from shutil import copy
from typing import Any

from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample
from tests.factories import add_judged_run, open_services

# In the names and texts of the project legal and nowhere else: not in what a stranger puts into an address.
SECRET = "zebrafish"
_WORDS = {"support": "inbox", "legal": SECRET}


def describe_projects(folder: Path, empty_file: Path) -> dict[str, Any]:
    """Return the section `faithview` of the secrets; each project has a copy of the empty store."""
    stores = {name: copy(empty_file, folder / f"{name}.db") for name in _WORDS}
    roles = {
        "support": {"reviewer": ["ada@example.com"], "viewer": ["cleo@example.com"]},
        "legal": {"admin": ["cleo@example.com"], "viewer": ["ben@example.com"]},
    }
    titles = {"support": "Support assistant", "legal": f"Legal {SECRET}"}
    return {
        "roles": {"admin": ["ops@example.com"]},
        "projects": {
            name: {"title": titles[name], "db": f"sqlite:///{stores[name]}", "roles": roles[name]} for name in stores
        },
    }


def fill_projects(section: Mapping[str, Any]) -> dict[str, Run]:
    """Judge a run in each project, with the same row keys, and return the runs by project."""
    made = {}
    for name, word in _WORDS.items():
        with open_services(section["projects"][name]["db"]) as services:
            samples = [
                Sample(
                    answer=f"The {word} opens at {hour} am. Parking is free.",
                    question=f"When does the {word} open?",
                    key=f"row-{hour}",
                    segment=f"{word} hours",
                    chunks=(Chunk(text=f"The {word} opens at 9 am.", chunk_id="chunk"),),
                )
                for hour in (9, 11)
            ]
            made[name] = add_judged_run(services, samples, f"{word} weekly", series=f"{name} set")
    return made
