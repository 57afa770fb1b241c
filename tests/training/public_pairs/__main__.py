"""Make the reader's public training pairs: `python -m tests.training.public_pairs -o FOLDER`. See ../README.md.

Writes `public_1`, `public_2` and `public_3`, the three parts of the stage "public", and with RAGTruth `helpdesk`, which
the stage of that name adds to the help-desk answers. `public_3_aside` is for measuring only. The same repositories and
the same RAGTruth give the same bytes.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.performance import tables
from tests.training.public_pairs.catalogue import CATALOGUE, Source, read_all
from tests.training.public_pairs.pairs import LABELS, Pair
from tests.training.public_pairs.repositories import Repositories
from tests.training.public_pairs.stages import (
    HELPDESK_DRAWS,
    PART_ONE_DRAWS,
    PART_ONE_WHOLE,
    PART_THREE,
    PART_TWO_DRAWS,
    RAGTRUTH,
    first_part,
    helpdesk_stage,
    second_part,
    third_part,
)

_CACHE = Path.home() / ".cache" / "faithview-training"
_RAGTRUTH_SOURCE = Source("ParticleMedia/RAGTruth, from the file given", "MIT", "")
_SOURCES = {data_set.name: data_set.source for data_set in CATALOGUE} | {RAGTRUTH: _RAGTRUTH_SOURCE}
_PLANNED = {
    "public_1": (*PART_ONE_WHOLE, *(draw.data_set for draw in PART_ONE_DRAWS)),
    "public_2": (*(draw.data_set for draw in PART_TWO_DRAWS), RAGTRUTH),
    "public_3": PART_THREE,
    "public_3_aside": PART_THREE,
    "helpdesk": tuple(draw.data_set for draw in HELPDESK_DRAWS),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write and list the files; return 0, 1 when a repository could not be had, 2 when an argument is no use."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder to write to")
    parser.add_argument("--cache", type=Path, default=_CACHE, help="where repositories are cloned to, once")
    parser.add_argument("--mirror", type=Path, help="read OWNER+NAME/repo in this folder, and clone nothing")
    parser.add_argument("--ragtruth", type=Path, help="ragtruth.jsonl.gz of the labelled files")
    options = parser.parse_args(arguments)
    if options.mirror is not None and not options.mirror.is_dir():
        sys.stderr.write(f"There is no folder {options.mirror}; name the folder of the repositories with --mirror.\n")
        return 2
    if options.ragtruth is not None and not options.ragtruth.is_file():
        sys.stderr.write(f"There is no file {options.ragtruth}; name RAGTruth's labelled file with --ragtruth.\n")
        return 2
    repositories = Repositories(options.mirror or options.cache, is_mirror=options.mirror is not None)
    gathered = read_all(repositories)
    labelled: list[Pair] = []
    if options.ragtruth is not None:
        from tests.training.public_pairs.ragtruth import (
            ragtruth_pairs,
        )  # loads the judges, which the others do not need

        labelled = ragtruth_pairs(options.ragtruth)
    second = second_part(gathered.distinct, labelled)
    third, aside = third_part(gathered.distinct)
    folders = {
        "public_1": first_part(gathered.whole, gathered.distinct),
        "public_2": second,
        "public_3": third,
        "public_3_aside": aside,
        "helpdesk": helpdesk_stage(second) if labelled else {},
    }
    for folder, files in folders.items():
        write(options.output / folder, _PLANNED[folder], files)
        if files:
            show(folder, files)
    sys.stdout.write("\n" + "".join(moved(repositories, gathered.distinct)))
    if not labelled:
        sys.stdout.write("RAGTruth was not given: its file in public_2 and the whole of helpdesk are left out.\n")
    sys.stderr.write(refusal(gathered.missing))
    return 1 if gathered.missing else 0


def write(folder: Path, planned: Sequence[str], files: Mapping[str, Sequence[Pair]]) -> None:
    """Write the files of a stage, and remove those of an earlier run that could not be made again."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in planned:
        path = folder / f"{name}.jsonl"
        if name in files:
            path.write_text("".join(pair.as_line() for pair in files[name]), encoding="utf-8", newline="\n")
        else:
            path.unlink(missing_ok=True)


def show(folder: str, files: Mapping[str, Sequence[Pair]]) -> None:
    """Print a stage's files with their pairs by label, their repository and its licence."""
    lines = []
    for name, pairs in sorted(files.items()):
        count = Counter(pair.label for pair in pairs)
        source = _SOURCES[name]
        lines.append([name, len(pairs), *(count[label] for label in LABELS), f"{source.name}, {source.licence}"])
    total = sum(map(len, files.values()))
    columns = ["file", "pairs", *LABELS, "repository and licence"]
    tables.show(f"{folder}: {total:,} pairs in {len(files)} files", columns, lines)


def moved(repositories: Repositories, pairs: Mapping[str, Sequence[Pair]]) -> list[str]:
    """Return a line for each repository that is at another commit than the one the reader's pairs were made from."""
    lines = []
    for source in dict.fromkeys(data_set.source for data_set in CATALOGUE if data_set.name in pairs):
        commit = repositories.commit(source.name)
        if commit != source.commit:
            lines.append(f"{source.name} has moved from {source.commit[:10]} to {commit[:10]}: its pairs may differ.\n")
    return lines


def refusal(missing: Mapping[str, str]) -> str:
    """Return what is said of data sets that could not be read, a line for each reason; "" when there are none."""
    if not missing:
        return ""
    names: dict[str, list[str]] = {}
    for name, reason in missing.items():
        names.setdefault(reason, []).append(f"{name}.jsonl")
    lines = [f"- {reason} Left out: {', '.join(files)}.\n" for reason, files in names.items()]
    return (
        f"{len(missing)} of {len(CATALOGUE)} data sets could not be had, so these are not the pairs that the reader "
        f"was trained on:\n{''.join(lines)}"
        "Run it again when the repositories can be reached, or name a folder that has them with --mirror.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
